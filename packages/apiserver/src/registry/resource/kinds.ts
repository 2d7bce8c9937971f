import type { BuiltinKind } from '../builtin-kind.js'
import { otherVersion } from '../other-version.js'
import {
  agePrinter,
  deviceTaintRulePrinter,
  resourceClaimPrinter,
  resourcePoolStatusRequestPrinter,
  resourceSlicePrinter,
} from '../printers/dynamic-resource.js'
import { deviceClassKind } from './device-class.js'
import { deviceTaintRuleKind } from './device-taint-rule.js'
import { resourceClaimKind } from './resource-claim.js'
import { resourceClaimTemplateKind } from './resource-claim-template.js'
import { resourcePoolStatusRequestKind } from './resource-pool-status-request.js'
import { resourceSliceKind } from './resource-slice.js'
import { betaClaim, betaClaimTemplate, betaSlice } from './v1beta1.js'

const deviceClass: BuiltinKind = { kind: deviceClassKind, printer: agePrinter }
const resourceClaim: BuiltinKind = { kind: resourceClaimKind, printer: resourceClaimPrinter }
const resourceClaimTemplate: BuiltinKind = { kind: resourceClaimTemplateKind, printer: agePrinter }
const resourceSlice: BuiltinKind = { kind: resourceSliceKind, printer: resourceSlicePrinter }
const deviceTaintRule: BuiltinKind = { kind: deviceTaintRuleKind, printer: deviceTaintRulePrinter }

const sliceOf = (version: string) => ({
  unknownField: (field: string) => `field label not supported for resource.k8s.io/${version}, Kind=ResourceSlice: ${field}`,
})
const unconditional = { allowUnconditionalUpdate: true }

/** The kinds of this group that have rules of their own. */
export const resourceKinds: readonly BuiltinKind[] = [
  deviceClass,
  resourceClaim,
  resourceClaimTemplate,
  resourceSlice,
  deviceTaintRule,
  otherVersion(deviceClass, 'v1beta2'),
  otherVersion(resourceClaim, 'v1beta2'),
  otherVersion(resourceClaimTemplate, 'v1beta2'),
  otherVersion(resourceSlice, 'v1beta2', sliceOf('v1beta2')),
  otherVersion(deviceTaintRule, 'v1beta2', unconditional),
  otherVersion(deviceClass, 'v1beta1'),
  otherVersion(resourceClaim, 'v1beta1', {}, betaClaim),
  otherVersion(resourceClaimTemplate, 'v1beta1', {}, betaClaimTemplate),
  otherVersion(resourceSlice, 'v1beta1', sliceOf('v1beta1'), betaSlice),
  otherVersion(deviceTaintRule, 'v1alpha3', unconditional),
  { kind: resourcePoolStatusRequestKind, printer: resourcePoolStatusRequestPrinter },
]

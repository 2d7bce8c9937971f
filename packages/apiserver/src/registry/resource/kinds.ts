import type { BuiltinKind } from '../builtin-kind.js'
import type { OtherVersionOptions } from '../other-version.js'
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

const beta2: OtherVersionOptions = { deprecated: ['v1.36', 'v1.39'] }
const beta1: OtherVersionOptions = { deprecated: ['v1.35', 'v1.38'] }
const sliceOf = (version: string) => ({
  unknownField: (field: string) => `field label not supported for resource.k8s.io/${version}, Kind=ResourceSlice: ${field}`,
})
/** Taint rules of the older versions may be updated unconditionally, and are returned when they are deleted. */
const olderTaintRule: OtherVersionOptions = {
  strategy: { allowUnconditionalUpdate: true, deletion: { returnsObject: true } },
}

/** The kinds of this group that have rules of their own. */
export const resourceKinds: readonly BuiltinKind[] = [
  deviceClass,
  resourceClaim,
  resourceClaimTemplate,
  resourceSlice,
  deviceTaintRule,
  otherVersion(deviceClass, 'v1beta2', beta2),
  otherVersion(resourceClaim, 'v1beta2', beta2),
  otherVersion(resourceClaimTemplate, 'v1beta2', beta2),
  otherVersion(resourceSlice, 'v1beta2', { ...beta2, strategy: sliceOf('v1beta2') }),
  otherVersion(deviceTaintRule, 'v1beta2', olderTaintRule),
  otherVersion(deviceClass, 'v1beta1', beta1),
  otherVersion(resourceClaim, 'v1beta1', { ...beta1, shape: betaClaim }),
  otherVersion(resourceClaimTemplate, 'v1beta1', { ...beta1, shape: betaClaimTemplate }),
  otherVersion(resourceSlice, 'v1beta1', { ...beta1, strategy: sliceOf('v1beta1'), shape: betaSlice }),
  otherVersion(deviceTaintRule, 'v1alpha3', { ...beta2, ...olderTaintRule }),
  { kind: resourcePoolStatusRequestKind, printer: resourcePoolStatusRequestPrinter },
]

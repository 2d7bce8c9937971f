import type { BuiltinKind } from '../builtin-kind.js'
import { agePrinter, deviceTaintRulePrinter, resourceClaimPrinter, resourceSlicePrinter } from '../printers/dynamic-resource.js'
import { deviceClassKind } from './device-class.js'
import { deviceTaintRuleKind } from './device-taint-rule.js'
import { resourceClaimKind } from './resource-claim.js'
import { resourceClaimTemplateKind } from './resource-claim-template.js'
import { resourceSliceKind } from './resource-slice.js'

/** The kinds of this group that have rules of their own. */
export const resourceKinds: readonly BuiltinKind[] = [
  { kind: deviceClassKind, printer: agePrinter },
  { kind: resourceClaimKind, printer: resourceClaimPrinter },
  { kind: resourceClaimTemplateKind, printer: agePrinter },
  { kind: resourceSliceKind, printer: resourceSlicePrinter },
  { kind: deviceTaintRuleKind, printer: deviceTaintRulePrinter },
]

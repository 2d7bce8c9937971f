import type { BuiltinKind } from '../builtin-kind.js'
import { podDisruptionBudgetPrinter } from '../printers/pod-disruption-budget.js'
import { podDisruptionBudgetKind } from './pod-disruption-budget.js'

/** The kinds of this group that have rules of their own. */
export const policyKinds: readonly BuiltinKind[] = [{ kind: podDisruptionBudgetKind, printer: podDisruptionBudgetPrinter }]

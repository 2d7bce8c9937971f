import type { BuiltinKind } from '../builtin-kind.js'
import { priorityClassPrinter } from '../printers/priority-class.js'
import { priorityClassKind } from './priority-class.js'

/** The kinds of this group that have rules of their own. */
export const schedulingKinds: readonly BuiltinKind[] = [{ kind: priorityClassKind, printer: priorityClassPrinter }]

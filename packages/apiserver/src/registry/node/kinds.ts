import type { BuiltinKind } from '../builtin-kind.js'
import { runtimeClassPrinter } from '../printers/runtime-class.js'
import { runtimeClassKind } from './runtime-class.js'

/** The kinds of this group that have rules of their own. */
export const nodeKinds: readonly BuiltinKind[] = [{ kind: runtimeClassKind, printer: runtimeClassPrinter }]

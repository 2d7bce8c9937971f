import type { BuiltinKind } from '../builtin-kind.js'
import { leasePrinter } from '../printers/lease.js'
import { leaseKind } from './lease.js'

/** The kinds of this group that have rules of their own. */
export const coordinationKinds: readonly BuiltinKind[] = [{ kind: leaseKind, printer: leasePrinter }]

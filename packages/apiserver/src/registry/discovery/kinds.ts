import type { BuiltinKind } from '../builtin-kind.js'
import { endpointSlicePrinter } from '../printers/endpoint-slice.js'
import { endpointSliceKind } from './endpoint-slice.js'

/** The kinds of this group that have rules of their own. */
export const discoveryKinds: readonly BuiltinKind[] = [{ kind: endpointSliceKind, printer: endpointSlicePrinter }]

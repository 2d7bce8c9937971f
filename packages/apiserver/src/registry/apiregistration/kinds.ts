import type { BuiltinKind } from '../builtin-kind.js'
import { apiServicePrinter } from '../printers/api-service.js'
import { apiServiceKind } from './api-service.js'

/** The kinds of this group that have rules of their own. */
export const apiRegistrationKinds: readonly BuiltinKind[] = [{ kind: apiServiceKind, printer: apiServicePrinter }]

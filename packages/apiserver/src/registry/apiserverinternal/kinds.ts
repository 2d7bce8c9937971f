import type { BuiltinKind } from '../builtin-kind.js'
import { storageVersionPrinter } from '../printers/storage-version.js'
import { storageVersionKind } from './storage-version.js'

/** The kinds of this group that have rules of their own. */
export const apiServerInternalKinds: readonly BuiltinKind[] = [{ kind: storageVersionKind, printer: storageVersionPrinter }]

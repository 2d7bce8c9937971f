import type { BuiltinKind } from '../builtin-kind.js'
import { storageVersionMigrationPrinter } from '../printers/storage-version-migration.js'
import { storageVersionMigrationKind } from './storage-version-migration.js'

/** The kinds of this group that have rules of their own. */
export const storageMigrationKinds: readonly BuiltinKind[] = [
  { kind: storageVersionMigrationKind, printer: storageVersionMigrationPrinter },
]

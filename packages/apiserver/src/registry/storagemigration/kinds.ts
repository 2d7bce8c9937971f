import type { BuiltinKind } from '../builtin-kind.js'
import { otherVersion } from '../other-version.js'
import { storageVersionMigrationPrinter } from '../printers/storage-version-migration.js'
import { storageVersionMigrationKind } from './storage-version-migration.js'

const storageVersionMigration: BuiltinKind = { kind: storageVersionMigrationKind, printer: storageVersionMigrationPrinter }

/** The kinds of this group that have rules of their own. */
export const storageMigrationKinds: readonly BuiltinKind[] = [
  storageVersionMigration,
  otherVersion(storageVersionMigration, 'v1beta1', { deprecated: ['v1.37', 'v1.40'], isReplaced: true }),
]

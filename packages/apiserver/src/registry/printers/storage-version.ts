import { ageColumn, column, listAt, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'
import { withMore } from './with-more.js'

const shown = 3

export const storageVersionPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('CommonEncodingVersion', 'string', 'The version that all servers write.'),
    column('StorageVersions', 'string', 'The version that each server writes.'),
    ageColumn,
  ],
  cells: (object, nowMs) => {
    const versions = listAt(object, 'status', 'storageVersions').map(
      (version) => `${textAt(version, 'apiServerID')}=${textAt(version, 'encodingVersion')}`,
    )
    return [
      object.metadata.name,
      textAt(object, 'status', 'commonEncodingVersion') || '<unset>',
      withMore(versions, shown) || '<unset>',
      objectAge(object, nowMs),
    ]
  },
}

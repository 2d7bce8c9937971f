import { at, column, listAt, nameColumn, type TablePrinter, textAt, wideColumn } from './printer.js'

export const customResourceDefinitionPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Scope', 'string', 'Whether the resources live in namespaces.'),
    column('Versions', 'string', 'The versions that are served.'),
    column('Created At', 'date', 'When the definition was created.'),
    wideColumn('Group', 'string', 'The API group of the resources.'),
    wideColumn('Kind', 'string', 'The kind of the resources.'),
    wideColumn('ShortNames', 'string', 'Short names of the resources.'),
    wideColumn('Established', 'boolean', 'Whether the resources are served.'),
  ],
  rowsOfNone: null,
  cells: (object) => {
    const versions = listAt(object, 'spec', 'versions')
      .filter((version) => at(version, 'served') === true)
      .map((version) => textAt(version, 'name') + (at(version, 'storage') === true ? '(storage)' : ''))
    const established = listAt(object, 'status', 'conditions').some(
      (condition) => textAt(condition, 'type') === 'Established' && textAt(condition, 'status') === 'True',
    )
    return [
      object.metadata.name,
      textAt(object, 'spec', 'scope'),
      versions.sort().join(','),
      object.metadata.creationTimestamp ?? '0001-01-01T00:00:00Z',
      textAt(object, 'spec', 'group'),
      textAt(object, 'spec', 'names', 'kind'),
      listAt(object, 'spec', 'names', 'shortNames').join(','),
      established,
    ]
  },
}

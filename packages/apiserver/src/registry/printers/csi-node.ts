import { ageColumn, column, listAt, nameColumn, objectAge, type TablePrinter } from './printer.js'

export const csiNodePrinter: TablePrinter = {
  columns: [nameColumn, column('Drivers', 'integer', 'How many drivers the node has.'), ageColumn],
  cells: (object, nowMs) => [object.metadata.name, listAt(object, 'spec', 'drivers').length, objectAge(object, nowMs)],
}

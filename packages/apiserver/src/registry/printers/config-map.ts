import { ageColumn, column, nameColumn, objectAge, sizeAt, type TablePrinter } from './printer.js'

export const configMapPrinter: TablePrinter = {
  columns: [nameColumn, column('Data', 'string', 'The number of keys.'), ageColumn],
  cells: (object, nowMs) => [object.metadata.name, sizeAt(object, 'data') + sizeAt(object, 'binaryData'), objectAge(object, nowMs)],
}

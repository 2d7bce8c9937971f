import { ageColumn, column, nameColumn, objectAge, sizeAt, type TablePrinter, textAt } from './printer.js'

export const secretPrinter: TablePrinter = {
  columns: [nameColumn, column('Type', 'string', 'What the secret is for.'), column('Data', 'string', 'The number of keys.'), ageColumn],
  cells: (object, nowMs) => [object.metadata.name, textAt(object, 'type'), sizeAt(object, 'data'), objectAge(object, nowMs)],
}

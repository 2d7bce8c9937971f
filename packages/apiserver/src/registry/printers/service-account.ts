import { ageColumn, nameColumn, objectAge, type TablePrinter } from './printer.js'

export const serviceAccountPrinter: TablePrinter = {
  columns: [nameColumn, ageColumn],
  cells: (object, nowMs) => [object.metadata.name, objectAge(object, nowMs)],
}

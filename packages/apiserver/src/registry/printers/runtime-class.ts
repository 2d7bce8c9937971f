import { ageColumn, column, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'

/** The real server says nothing about its column. */
export const runtimeClassPrinter: TablePrinter = {
  columns: [nameColumn, column('Handler', 'string', ''), ageColumn],
  cells: (object, nowMs) => [object.metadata.name, textAt(object, 'handler'), objectAge(object, nowMs)],
}

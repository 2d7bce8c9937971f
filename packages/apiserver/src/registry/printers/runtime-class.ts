import { ageColumn, column, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'

export const runtimeClassPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Handler', 'string', 'The configuration of the container runtime that pods of the class run with.'),
    ageColumn,
  ],
  cells: (object, nowMs) => [object.metadata.name, textAt(object, 'handler'), objectAge(object, nowMs)],
}

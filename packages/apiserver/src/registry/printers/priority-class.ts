import { ageColumn, at, column, nameColumn, numberAt, objectAge, type TablePrinter, textAt } from './printer.js'

export const priorityClassPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Value', 'integer', 'The priority that pods of the class have.'),
    column('Global-Default', 'boolean', 'Whether pods without a class belong to this one.'),
    ageColumn,
    column('PreemptionPolicy', 'string', 'Whether pods of the class may take the place of others.'),
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    numberAt(object, 'value'),
    at(object, 'globalDefault') === true,
    objectAge(object, nowMs),
    textAt(object, 'preemptionPolicy'),
  ],
}

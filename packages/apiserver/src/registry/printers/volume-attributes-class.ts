import { ageColumn, column, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'

export const volumeAttributesClassPrinter: TablePrinter = {
  columns: [nameColumn, column('DriverName', 'string', 'The driver that knows the attributes.'), ageColumn],
  cells: (object, nowMs) => [object.metadata.name, textAt(object, 'driverName'), objectAge(object, nowMs)],
}

import { ageColumn, column, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'

export const namespacePrinter: TablePrinter = {
  columns: [nameColumn, column('Status', 'string', 'Whether the namespace is active or being deleted.'), ageColumn],
  cells: (object, nowMs) => [object.metadata.name, textAt(object, 'status', 'phase'), objectAge(object, nowMs)],
}

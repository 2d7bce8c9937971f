import { ageColumn, column, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'

export const leasePrinter: TablePrinter = {
  columns: [nameColumn, column('Holder', 'string', 'Who holds the lease.'), ageColumn],
  cells: (object, nowMs) => [object.metadata.name, textAt(object, 'spec', 'holderIdentity'), objectAge(object, nowMs)],
}

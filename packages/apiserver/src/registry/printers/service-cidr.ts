import { ageColumn, column, listAt, nameColumn, objectAge, type TablePrinter } from './printer.js'

export const serviceCidrPrinter: TablePrinter = {
  columns: [nameColumn, column('CIDRs', 'string', 'The ranges of addresses for services.'), ageColumn],
  cells: (object, nowMs) => [object.metadata.name, listAt(object, 'spec', 'cidrs').join(','), objectAge(object, nowMs)],
}

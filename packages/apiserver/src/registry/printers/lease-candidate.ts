import { ageColumn, column, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'

export const leaseCandidatePrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('LeaseName', 'string', 'The lease that is applied for.'),
    column('BinaryVersion', 'string', ''),
    column('EmulationVersion', 'string', ''),
    ageColumn,
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    textAt(object, 'spec', 'leaseName'),
    textAt(object, 'spec', 'binaryVersion'),
    textAt(object, 'spec', 'emulationVersion'),
    objectAge(object, nowMs),
  ],
}

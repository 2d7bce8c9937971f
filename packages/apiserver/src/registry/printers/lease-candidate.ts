import { ageColumn, column, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'

export const leaseCandidatePrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('LeaseName', 'string', 'The lease that is applied for.'),
    column('BinaryVersion', 'string', 'The version of the candidate.'),
    column('EmulationVersion', 'string', 'The version that the candidate behaves like.'),
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

import { ageColumn, column, nameColumn, numberAt, objectAge, type TablePrinter } from './printer.js'

const cells: TablePrinter['cells'] = (object, nowMs) => [
  object.metadata.name,
  numberAt(object, 'spec', 'replicas'),
  numberAt(object, 'status', 'replicas'),
  objectAge(object, nowMs),
]

const replicas = [column('Desired', 'integer', 'How many there should be.'), column('Available', 'integer', 'How many there are.')]

/** The Scale of a built-in kind. */
export const scalePrinter: TablePrinter = { columns: [{ ...nameColumn, format: '' }, ...replicas, ageColumn], cells }

/** The Scale of a custom resource. */
export const customScalePrinter: TablePrinter = { columns: [nameColumn, ...replicas, { ...ageColumn, type: 'date' }], cells }

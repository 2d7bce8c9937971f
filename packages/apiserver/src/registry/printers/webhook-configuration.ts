import { ageColumn, column, listAt, nameColumn, objectAge, type TablePrinter } from './printer.js'

/** Configurations of webhooks, validating and mutating ones. */
export const webhookConfigurationPrinter: TablePrinter = {
  columns: [nameColumn, column('Webhooks', 'integer', 'How many webhooks there are.'), ageColumn],
  cells: (object, nowMs) => [object.metadata.name, listAt(object, 'webhooks').length, objectAge(object, nowMs)],
}

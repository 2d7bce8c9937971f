import { at, column, listAt, nameColumn, type TablePrinter, textAt } from './printer.js'

export const componentStatusPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Status', 'string', 'Whether the component is healthy.'),
    column('Message', 'string', 'What the component says of its health.'),
    column('Error', 'string', 'Why the health of the component is not known.'),
  ],
  cells: (object) => {
    const health = listAt(object, 'conditions').find((condition) => at(condition, 'type') === 'Healthy')
    const status = health === undefined ? 'Unknown' : at(health, 'status') === 'True' ? 'Healthy' : 'Unhealthy'
    return [object.metadata.name, status, textAt(health, 'message'), textAt(health, 'error')]
  },
}

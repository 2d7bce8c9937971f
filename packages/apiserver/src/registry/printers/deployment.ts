import { containerCells, podColumns } from './pod-owner.js'
import { ageColumn, at, column, nameColumn, numberAt, objectAge, selectorText, type TablePrinter } from './printer.js'

export const deploymentPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Ready', 'string', 'Ready and desired replicas.'),
    column('Up-to-date', 'string', 'Replicas with the current template.'),
    column('Available', 'string', 'Replicas that have been ready for long enough.'),
    ageColumn,
    ...podColumns('the deployment'),
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    `${numberAt(object, 'status', 'readyReplicas')}/${numberAt(object, 'spec', 'replicas')}`,
    numberAt(object, 'status', 'updatedReplicas'),
    numberAt(object, 'status', 'availableReplicas'),
    objectAge(object, nowMs),
    ...containerCells(object),
    selectorText(at(object, 'spec', 'selector'), '<invalid>'),
  ],
}

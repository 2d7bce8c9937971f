import { containerCells, containerColumns } from './pod-owner.js'
import { ageColumn, column, nameColumn, numberAt, objectAge, type TablePrinter } from './printer.js'

export const statefulSetPrinter: TablePrinter = {
  columns: [nameColumn, column('Ready', 'string', 'Ready and desired replicas.'), ageColumn, ...containerColumns],
  cells: (object, nowMs) => [
    object.metadata.name,
    `${numberAt(object, 'status', 'readyReplicas')}/${numberAt(object, 'spec', 'replicas')}`,
    objectAge(object, nowMs),
    ...containerCells(object),
  ],
}

import { ageColumn, column, containerCells, nameColumn, numberAt, objectAge, type TablePrinter, wideColumn } from './printer.js'

export const statefulSetPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Ready', 'string', 'Ready and desired replicas.'),
    ageColumn,
    wideColumn('Containers', 'string', 'The names of the containers.'),
    wideColumn('Images', 'string', 'The images of the containers.'),
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    `${numberAt(object, 'status', 'readyReplicas')}/${numberAt(object, 'spec', 'replicas')}`,
    objectAge(object, nowMs),
    ...containerCells(object),
  ],
}

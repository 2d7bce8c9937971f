import {
  ageColumn,
  at,
  column,
  containerCells,
  nameColumn,
  numberAt,
  objectAge,
  selectorText,
  type TablePrinter,
  wideColumn,
} from './printer.js'

export const replicaSetPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Desired', 'integer', 'Desired replicas.'),
    column('Current', 'integer', 'Replicas that exist.'),
    column('Ready', 'integer', 'Replicas that are ready.'),
    ageColumn,
    wideColumn('Containers', 'string', 'The names of the containers.'),
    wideColumn('Images', 'string', 'The images of the containers.'),
    wideColumn('Selector', 'string', 'Which pods belong to the replica set.'),
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    numberAt(object, 'spec', 'replicas'),
    numberAt(object, 'status', 'replicas'),
    numberAt(object, 'status', 'readyReplicas'),
    objectAge(object, nowMs),
    ...containerCells(object),
    selectorText(at(object, 'spec', 'selector'), '<error>') || '<none>',
  ],
}

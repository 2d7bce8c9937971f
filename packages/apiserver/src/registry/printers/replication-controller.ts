import {
  ageColumn,
  at,
  column,
  containerCells,
  labelsText,
  nameColumn,
  numberAt,
  objectAge,
  type TablePrinter,
  wideColumn,
} from './printer.js'

export const replicationControllerPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Desired', 'integer', 'Desired replicas.'),
    column('Current', 'integer', 'Replicas that exist.'),
    column('Ready', 'integer', 'Replicas that are ready.'),
    ageColumn,
    wideColumn('Containers', 'string', 'The names of the containers.'),
    wideColumn('Images', 'string', 'The images of the containers.'),
    wideColumn('Selector', 'string', 'Which pods belong to the controller.'),
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    numberAt(object, 'spec', 'replicas'),
    numberAt(object, 'status', 'replicas'),
    numberAt(object, 'status', 'readyReplicas'),
    objectAge(object, nowMs),
    ...containerCells(object),
    labelsText(at(object, 'spec', 'selector')),
  ],
}

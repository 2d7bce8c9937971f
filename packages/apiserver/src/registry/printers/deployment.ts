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

export const deploymentPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Ready', 'string', 'Ready and desired replicas.'),
    column('Up-to-date', 'string', 'Replicas with the current template.'),
    column('Available', 'string', 'Replicas that have been ready for long enough.'),
    ageColumn,
    wideColumn('Containers', 'string', 'The names of the containers.'),
    wideColumn('Images', 'string', 'The images of the containers.'),
    wideColumn('Selector', 'string', 'Which pods belong to the deployment.'),
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

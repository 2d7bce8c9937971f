import {
  ageColumn,
  at,
  column,
  containerCells,
  labelsText,
  nameColumn,
  numberAt,
  objectAge,
  selectorText,
  type TablePrinter,
  wideColumn,
} from './printer.js'

export const daemonSetPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Desired', 'integer', 'How many nodes should run a pod.'),
    column('Current', 'integer', 'How many of them run one.'),
    column('Ready', 'integer', 'How many of the pods are ready.'),
    column('Up-to-date', 'integer', 'How many nodes run a pod with the current template.'),
    column('Available', 'integer', 'How many of the pods have been ready for long enough.'),
    column('Node Selector', 'string', 'Labels of the nodes that should run a pod.'),
    ageColumn,
    wideColumn('Containers', 'string', 'The names of the containers.'),
    wideColumn('Images', 'string', 'The images of the containers.'),
    wideColumn('Selector', 'string', 'Which pods belong to the daemon set.'),
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    numberAt(object, 'status', 'desiredNumberScheduled'),
    numberAt(object, 'status', 'currentNumberScheduled'),
    numberAt(object, 'status', 'numberReady'),
    numberAt(object, 'status', 'updatedNumberScheduled'),
    numberAt(object, 'status', 'numberAvailable'),
    labelsText(at(object, 'spec', 'template', 'spec', 'nodeSelector')),
    objectAge(object, nowMs),
    ...containerCells(object),
    selectorText(at(object, 'spec', 'selector'), '<error>') || '<none>',
  ],
  // The generation of the template is a field inside the server, and only an annotation outside.
  shown(object) {
    const { 'deprecated.daemonset.template.generation': _, ...annotations } = object.metadata.annotations ?? {}
    const { annotations: __, ...metadata } = object.metadata
    return { ...object, metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations } }
  },
}

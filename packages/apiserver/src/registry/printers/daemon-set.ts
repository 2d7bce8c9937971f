import { podCells, podColumns } from './pod-owner.js'
import { ageColumn, at, column, labelsText, nameColumn, numberAt, objectAge, type TablePrinter } from './printer.js'

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
    ...podColumns('the daemon set'),
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
    ...podCells(object),
  ],
  // The generation of the template is a field inside the server, and only an annotation outside.
  shown(object) {
    const { 'deprecated.daemonset.template.generation': _, ...annotations } = object.metadata.annotations ?? {}
    const { annotations: __, ...metadata } = object.metadata
    return { ...object, metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations } }
  },
}

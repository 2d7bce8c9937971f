/** What tables show of kinds that make pods from a template. */
import type { UnstructuredObject } from 'steersman/api'
import {
  ageColumn,
  at,
  column,
  listAt,
  nameColumn,
  numberAt,
  objectAge,
  selectorText,
  type TableColumn,
  type TablePrinter,
  textAt,
  wideColumn,
} from './printer.js'

/** Columns of the containers of the template. */
export const containerColumns: readonly TableColumn[] = [
  wideColumn('Containers', 'string', 'The names of the containers.'),
  wideColumn('Images', 'string', 'The images of the containers.'),
]

/** Names and images of the containers of a pod template. */
export function containerCells(object: unknown): readonly [names: string, images: string] {
  const containers = listAt(object, 'spec', 'template', 'spec', 'containers')
  return [
    containers.map((container) => textAt(container, 'name')).join(','),
    containers.map((container) => textAt(container, 'image')).join(','),
  ]
}

/** Columns of the containers and of the selector. `owner`: whose the pods are, `the job`. */
export function podColumns(owner: string): readonly TableColumn[] {
  return [...containerColumns, wideColumn('Selector', 'string', `Which pods belong to ${owner}.`)]
}

/** The cells of {@link podColumns}. */
export function podCells(object: unknown): readonly [names: string, images: string, selector: string] {
  return [...containerCells(object), selectorText(at(object, 'spec', 'selector'), '<error>') || '<none>']
}

/** Shows how many replicas there should be, are, and are ready. `cellsOfPods`: the cells of {@link podColumns}. */
export function replicasPrinter(owner: string, cellsOfPods: (object: UnstructuredObject) => readonly string[]): TablePrinter {
  return {
    columns: [
      nameColumn,
      column('Desired', 'integer', 'Desired replicas.'),
      column('Current', 'integer', 'Replicas that exist.'),
      column('Ready', 'integer', 'Replicas that are ready.'),
      ageColumn,
      ...podColumns(owner),
    ],
    cells: (object, nowMs) => [
      object.metadata.name,
      numberAt(object, 'spec', 'replicas'),
      numberAt(object, 'status', 'replicas'),
      numberAt(object, 'status', 'readyReplicas'),
      objectAge(object, nowMs),
      ...cellsOfPods(object),
    ],
  }
}

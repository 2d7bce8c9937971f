import { ageColumn, at, column, listAt, nameColumn, numberAt, objectAge, type TablePrinter, textAt } from './printer.js'

export const controllerRevisionPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Controller', 'string', 'The object whose state it keeps.'),
    column('Revision', 'string', 'The number of the state.'),
    ageColumn,
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    controllerText(listAt(object, 'metadata', 'ownerReferences').find((owner) => at(owner, 'controller') === true)),
    numberAt(object, 'revision'),
    objectAge(object, nowMs),
  ],
}

function controllerText(owner: unknown): string {
  if (owner === undefined) return '<none>'
  const [group = '', version] = textAt(owner, 'apiVersion').split('/')
  const kind = textAt(owner, 'kind') + (version === undefined ? '' : `.${group}`)
  return `${kind.toLowerCase()}/${textAt(owner, 'name')}`
}

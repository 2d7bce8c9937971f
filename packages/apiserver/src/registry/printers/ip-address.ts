import { at, column, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'

/** The real server gives a third cell, the age, but no column for it. */
export const ipAddressPrinter: TablePrinter = {
  columns: [nameColumn, column('ParentRef', 'string', 'The object that has the address.')],
  cells: (object, nowMs) => [object.metadata.name, parentText(at(object, 'spec', 'parentRef')), objectAge(object, nowMs)],
}

function parentText(parent: unknown): string {
  if (parent === undefined) return '<none>'
  const [group, namespace] = [textAt(parent, 'group'), textAt(parent, 'namespace')]
  const resource = `${textAt(parent, 'resource')}${group === '' ? '' : `.${group}`}`.toLowerCase()
  return `${resource}${namespace === '' ? '' : `/${namespace}`}/${textAt(parent, 'name')}`
}

import { ageColumn, at, column, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'

export const ingressClassPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Controller', 'string', 'Who implements ingresses of this class.'),
    column('Parameters', 'string', 'The object that holds more configuration.'),
    ageColumn,
  ],
  cells: (object, nowMs) => {
    const isDefault = object.metadata.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true'
    return [
      `${object.metadata.name}${isDefault ? ' (default)' : ''}`,
      textAt(object, 'spec', 'controller'),
      parametersText(at(object, 'spec', 'parameters')),
      objectAge(object, nowMs),
    ]
  },
}

function parametersText(parameters: unknown): string {
  if (parameters === undefined) return '<none>'
  const group = at(parameters, 'apiGroup')
  return `${textAt(parameters, 'kind')}${group === undefined ? '' : `.${group}`}/${textAt(parameters, 'name')}`
}

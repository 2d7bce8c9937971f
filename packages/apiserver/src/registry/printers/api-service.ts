import { ageColumn, at, column, listAt, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'

export const apiServicePrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Service', 'string', 'Which service answers, or Local for this server.'),
    column('Available', 'string', 'Whether it can be reached, and why not.'),
    ageColumn,
  ],
  cells: (object, nowMs) => {
    const service = at(object, 'spec', 'service')
    const place = service === undefined ? 'Local' : `${textAt(service, 'namespace')}/${textAt(service, 'name')}`
    return [object.metadata.name, place, availability(listAt(object, 'status', 'conditions')), objectAge(object, nowMs)]
  },
}

function availability(conditions: readonly unknown[]): string {
  const condition = conditions.find((candidate) => textAt(candidate, 'type') === 'Available')
  if (condition === undefined) return 'Unknown'
  const status = textAt(condition, 'status')
  const reason = textAt(condition, 'reason')
  return status === 'True' || reason === '' ? status : `${status} (${reason})`
}

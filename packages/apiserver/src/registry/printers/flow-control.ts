import { compareCodePoints, type UnstructuredObject } from 'steersman/api'
import { ageColumn, at, column, listAt, nameColumn, numberAt, objectAge, type TablePrinter, textAt } from './printer.js'

export const flowSchemaPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('PriorityLevel', 'string', 'The priority level of the requests.'),
    column('MatchingPrecedence', 'string', 'Lower numbers are asked first.'),
    column('DistinguisherMethod', 'string', 'What makes a flow of requests.'),
    ageColumn,
    column('MissingPL', 'string', 'Whether the priority level is missing.'),
  ],
  cells: (object, nowMs) => {
    const dangling = listAt(object, 'status', 'conditions').find((condition) => textAt(condition, 'type') === 'Dangling')
    const distinguisher = at(object, 'spec', 'distinguisherMethod')
    return [
      object.metadata.name,
      textAt(object, 'spec', 'priorityLevelConfiguration', 'name'),
      numberAt(object, 'spec', 'matchingPrecedence'),
      distinguisher === undefined ? '<none>' : textAt(distinguisher, 'type'),
      objectAge(object, nowMs),
      dangling === undefined ? '?' : textAt(dangling, 'status'),
    ]
  },
  compare: (first, second) =>
    precedence(first) - precedence(second) || compareCodePoints(first.metadata.name ?? '', second.metadata.name ?? ''),
}

export const priorityLevelConfigurationPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Type', 'string', 'Whether the level is limited.'),
    column('NominalConcurrencyShares', 'string', 'Its share of the concurrency of the server.'),
    column('Queues', 'string', 'How many queues there are.'),
    column('HandSize', 'string', 'How many queues a flow may use.'),
    column('QueueLengthLimit', 'string', 'How many requests a queue may hold.'),
    ageColumn,
  ],
  cells: (object, nowMs) => {
    const limited = at(object, 'spec', 'limited')
    const queuing = at(limited, 'limitResponse', 'queuing')
    const ofQueuing = (field: string) => (queuing === undefined ? '<none>' : numberAt(queuing, field))
    return [
      object.metadata.name,
      textAt(object, 'spec', 'type'),
      limited === undefined ? '<none>' : numberAt(limited, 'nominalConcurrencyShares'),
      ofQueuing('queues'),
      ofQueuing('handSize'),
      ofQueuing('queueLengthLimit'),
      objectAge(object, nowMs),
    ]
  },
}

function precedence(flowSchema: UnstructuredObject): number {
  return Number(at(flowSchema, 'spec', 'matchingPrecedence'))
}

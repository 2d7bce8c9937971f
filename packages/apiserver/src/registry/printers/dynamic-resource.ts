import type { UnstructuredObject } from 'steersman/api'
import { ageOf } from './human-duration.js'
import { ageColumn, at, column, listAt, nameColumn, numberAt, objectAge, type TablePrinter, textAt } from './printer.js'

/** Kinds that show nothing but their age: device classes and templates of claims. */
export const agePrinter: TablePrinter = {
  columns: [nameColumn, ageColumn],
  cells: (object, nowMs) => [object.metadata.name, objectAge(object, nowMs)],
}

export const resourceClaimPrinter: TablePrinter = {
  columns: [nameColumn, column('State', 'string', 'What has become of the claim.'), ageColumn],
  cells: (object, nowMs) => [object.metadata.name, claimState(object), objectAge(object, nowMs)],
}

function claimState(claim: UnstructuredObject): string {
  const isDeleted = claim.metadata.deletionTimestamp !== undefined
  const isAllocated = at(claim, 'status', 'allocation') !== undefined
  const states = isDeleted ? ['deleted'] : isAllocated ? [] : ['pending']
  if (isAllocated) states.push('allocated')
  if (isAllocated && listAt(claim, 'status', 'reservedFor').length > 0) states.push('reserved')
  return states.join(',')
}

export const resourceSlicePrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Node', 'string', 'The node that has the devices.'),
    column('Driver', 'string', 'The driver of the devices.'),
    column('Pool', 'string', 'The pool that the slice is a part of.'),
    ageColumn,
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    textAt(object, 'spec', 'nodeName'),
    textAt(object, 'spec', 'driver'),
    textAt(object, 'spec', 'pool', 'name'),
    objectAge(object, nowMs),
  ],
}

export const deviceTaintRulePrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Key', 'string', 'The key of the taint.'),
    column('Value', 'string', 'The value of the taint.'),
    column('Effect', 'string', 'What the taint does to pods.'),
    column('TimeAdded', 'string', 'How long ago the taint was added.'),
    ageColumn,
  ],
  cells: (object, nowMs) => {
    const taint = at(object, 'spec', 'taint')
    const added = at(taint, 'timeAdded')
    return [
      object.metadata.name,
      textAt(taint, 'key'),
      textAt(taint, 'value'),
      textAt(taint, 'effect'),
      added === undefined ? '' : ageOf(added, nowMs),
      objectAge(object, nowMs),
    ]
  },
}

const poolCounts = ['totalDevices', 'availableDevices', 'allocatedDevices', 'unavailableDevices'] as const

export const resourcePoolStatusRequestPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Driver', 'string', 'The driver of the pools.'),
    column('Total', 'string', 'How many devices there are.'),
    column('Available', 'string', 'How many devices are free.'),
    column('Allocated', 'string', 'How many devices are in use.'),
    column('Unavailable', 'string', 'How many devices cannot be used.'),
    column('Errors', 'string', 'How many pools are not valid.'),
    column('Pools', 'integer', 'How many pools there are.'),
    column('Status', 'string', 'What has become of the request.'),
    column('Completed', 'string', 'How long ago it was answered.'),
  ],
  cells: (object, nowMs) => {
    const conditions = listAt(object, 'status', 'conditions').filter((condition) => textAt(condition, 'status') === 'True')
    const decided = conditions.find((condition) => ['Complete', 'Failed'].includes(textAt(condition, 'type')))
    const decision = decided === undefined ? 'Pending' : textAt(decided, 'type')
    const pools = listAt(object, 'status', 'pools')
    const poolCount = numberAt(object, 'status', 'poolCount')
    const isCut = decision === 'Complete' && poolCount > pools.length
    const isCounted = at(object, 'status') !== undefined && decision !== 'Failed'
    const counts = poolCounts.map((field) => String(pools.reduce<number>((sum, pool) => sum + numberAt(pool, field), 0)))
    const errors = String(pools.filter((pool) => at(pool, 'validationError') !== undefined).length)
    return [
      object.metadata.name,
      textAt(object, 'spec', 'driver'),
      ...(isCounted ? [...counts, errors] : ['-', '-', '-', '-', '-']),
      poolCount,
      isCut ? `Complete (${pools.length}/${poolCount} pools)` : decision,
      decision === 'Complete' ? ageOf(at(decided, 'lastTransitionTime'), nowMs) : '<none>',
    ]
  },
}

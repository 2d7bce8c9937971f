import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'

/** The fields of the structs that refusals show, in Go's order. The order of one struct never contradicts that of another. */
const fields = [
  'apiGroup',
  'resource',
  'driver',
  'pool',
  'name',
  'uid',
  'exactly',
  'firstAvailable',
  'deviceClassName',
  'selectors',
  'allocationMode',
  'count',
  'adminAccess',
  'key',
  'operator',
  'value',
  'effect',
  'tolerationSeconds',
  'tolerations',
  'capacity',
  'device',
  'shareID',
  'conditions',
  'data',
  'networkData',
  'counterSet',
  'counters',
]
const ranks: ReadonlyMap<string, number> = new Map(fields.map((field, index) => [field, index]))

/** Says that an item of a list occurs twice, with the item as Go writes it. */
export function duplicateItem(path: FieldPath, item: unknown): FieldError {
  return { ...fieldError.duplicate(path, undefined), badValue: undefined, detail: JSON.stringify(inGoOrder(item)) }
}

function inGoOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inGoOrder)
  if (typeof value !== 'object' || value === null) return value
  const rank = (key: string) => ranks.get(key) ?? fields.length
  const entries = Object.entries(value).sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, inGoOrder(member)]))
}

/** The items of a list that equal an earlier one, as declared errors. */
export function repeatedItems<Item>(items: readonly Item[], keyOf: (item: Item) => string, path: FieldPath): FieldError[] {
  const seen = new Set<string>()
  return items.flatMap((item, index) => {
    const key = keyOf(item)
    const errors = seen.has(key) ? [duplicateItem(path.index(index), item)] : []
    seen.add(key)
    return errors
  })
}

import { goQuote } from 'steersman/api'
import { type DefinitionLookup, parseField, structName } from './definition.js'
import { StrategicMergeError } from './strategic-merge-error.js'

/** What a value is to Go: a definition or scalar, inside lists and maps, the outermost first. */
export interface PatchShape {
  readonly type: string
  readonly containers: readonly ('array' | 'map')[]
}

/** How a field merges, and what it holds: its own shape, or for a list that of its elements. */
export interface PatchFacts {
  readonly shape: PatchShape
  readonly strategy: 'merge' | 'replace' | undefined
  /** The member by which elements of a list are known. */
  readonly mergeKey: string | undefined
}

const scalarKinds: Readonly<Record<string, string>> = {
  string: 'string',
  int32: 'int32',
  int64: 'int64',
  double: 'float64',
  boolean: 'bool',
  bytes: 'slice',
  any: 'interface',
}
const scalarStructs: Readonly<Record<string, string>> = { object: 'RawExtension' }

/** Go's word for the sort of a type: `struct`, `map`. */
export function goKind({ type, containers: [outer] }: PatchShape): string {
  if (outer !== undefined) return outer === 'array' ? 'slice' : 'map'
  return Object.hasOwn(scalarKinds, type) ? (scalarKinds[type] ?? 'struct') : 'struct'
}

/** The facts about a member whose value is a map. @throws {StrategicMergeError} when the type has no such member. */
export function factsOfMap(lookup: DefinitionLookup, shape: PatchShape, name: string): PatchFacts {
  const kind = goKind(shape)
  if (kind !== 'struct') throw new StrategicMergeError(`merging an object in json but data type is not struct, instead is: ${kind}`)
  const text = fieldText(lookup, shape.type, name)
  if (text === undefined) {
    const struct = scalarStructs[shape.type] ?? structName(shape.type)
    throw new StrategicMergeError(`unable to find api field in struct ${struct} for the json field ${goQuote(name)}`)
  }
  const field = parseField(text)
  const strategies = field.patchStrategy?.split(',') ?? []
  return {
    shape: { type: field.type, containers: [field.container, field.innerContainer].filter((container) => container !== '') },
    strategy: strategies.includes('replace') ? 'replace' : strategies.includes('merge') ? 'merge' : undefined,
    mergeKey: field.patchMergeKey,
  }
}

/** The facts about a member whose value is a list; the shape is that of its elements. @throws {StrategicMergeError} when it is no list. */
export function factsOfList(lookup: DefinitionLookup, shape: PatchShape, name: string): PatchFacts {
  const facts = factsOfMap(lookup, shape, name)
  if (goKind(facts.shape) !== 'slice') throw new StrategicMergeError(`expected slice or array type, but got: ${goKind(shape)}`)
  const [, ...inner] = facts.shape.containers
  const element = { type: facts.shape.type, containers: inner }
  if (facts.shape.containers.length > 0 && goKind(element) === 'slice') throw new StrategicMergeError('unexpected slice of slice')
  return { ...facts, shape: element }
}

/** Go finds a member whose name differs in case when there is none of that name. */
function fieldText(lookup: DefinitionLookup, definition: string, name: string): string | undefined {
  const table = lookup(definition) ?? {}
  if (Object.hasOwn(table, name)) return table[name]
  const folded = name.toLowerCase()
  const found = Object.keys(table).find((other) => other.toLowerCase() === folded)
  return found === undefined ? undefined : table[found]
}

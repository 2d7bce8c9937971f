import type { Json, JsonObject } from '../language/index.js'
import type { Chance } from './chance.js'
import { FieldValues } from './field-values.js'
import { type FieldSchema, isObject } from './kind-schema.js'

/** One change of an object: what is at the end of `path` becomes `value`; without a value it goes. */
export interface Change {
  readonly path: readonly (string | number)[]
  readonly value?: Json
}

/** How unlikely it is that a part of every object is changed: other scenarios are about these. */
const seldomChanged: Readonly<Record<string, number>> = { apiVersion: 0.02, kind: 0.02, metadata: 0.25, status: 0.25, managedFields: 0 }

/** Makes objects that are nearly right out of ones that are. */
export class Mutation {
  readonly #chance: Chance
  readonly #values: FieldValues

  constructor(chance: Chance) {
    this.#chance = chance
    this.#values = new FieldValues(chance)
  }

  /** The object with a few changes: mostly one. */
  mutated(object: JsonObject, schema: FieldSchema): JsonObject {
    const times = this.#chance.pick([1, 1, 1, 1, 2, 2, 3, 5])
    let result = object
    for (let time = 0; time < times; time += 1) result = changed(result, this.change(result, schema)) as JsonObject
    return result
  }

  /** A change of an object, somewhere. `within` names the part of it where that is. */
  change(object: JsonObject, schema: FieldSchema, within?: string): Change {
    if (within === undefined) return this.#inObject(object, schema, [])
    const field = schema.fields.get(within)
    if (field === undefined) return { path: [within], value: this.#values.strange() }
    const part = object[within]
    return isObject(part) ? this.#inObject(part, field, [within]) : { path: [within], value: this.#values.near(within, field) }
  }

  #inObject(object: JsonObject, schema: FieldSchema | undefined, path: Change['path']): Change {
    const chance = this.#chance
    if (schema?.type === 'map') return this.#inMap(object, schema, path)
    if (chance.happens(0.02)) return { path: [...path, 'unknown'], value: this.#values.strange() }
    const present = Object.keys(object).filter((name) => chance.happens(seldomChanged[name] ?? 1))
    const absent = [...(schema?.fields.keys() ?? [])].filter((name) => !(name in object) && chance.happens(seldomChanged[name] ?? 1))
    const name = absent.length > 0 && (present.length === 0 || chance.happens(0.35)) ? chance.pick(absent) : chance.pick(present)
    if (name === undefined) return { path: [...path, 'unknown'], value: this.#values.strange() }
    return this.#atMember(object[name], name, schema?.fields.get(name), [...path, name])
  }

  #inMap(object: JsonObject, schema: FieldSchema, path: Change['path']): Change {
    const keys = Object.keys(object)
    if (keys.length === 0 || this.#chance.happens(0.4)) return { path, value: this.#values.near('', schema) }
    const key = this.#chance.pick(keys)
    return this.#atMember(object[key], 'value', schema.element, [...path, key])
  }

  #atMember(member: Json | undefined, name: string, schema: FieldSchema | undefined, path: Change['path']): Change {
    const chance = this.#chance
    if (isObject(member) && chance.happens(0.85)) return this.#inObject(member, schema, path)
    if (Array.isArray(member) && chance.happens(0.85)) return this.#inArray(member as readonly Json[], name, schema, path)
    if (member !== undefined && chance.happens(0.2)) return { path }
    return { path, value: schema === undefined ? this.#values.strange() : this.#values.near(name, schema) }
  }

  #inArray(array: readonly Json[], name: string, schema: FieldSchema | undefined, path: Change['path']): Change {
    const chance = this.#chance
    const element = () => (schema?.element === undefined ? this.#values.strange() : this.#values.near(name, schema.element))
    if (array.length === 0 || chance.happens(0.2)) return { path, value: [...array, element()] }
    const index = chance.below(array.length)
    if (chance.happens(0.12)) return { path, value: [...array, array[index] as Json] }
    if (chance.happens(0.1)) return { path, value: [...array].reverse() }
    return this.#atMember(array[index], name, schema?.element, [...path, index])
  }
}

/** The value with a change made. */
export function changed(value: Json, { path, value: to }: Change): Json {
  const [key, ...rest] = path
  if (key === undefined) return to ?? null
  const inner: Change = to === undefined ? { path: rest } : { path: rest, value: to }
  if (Array.isArray(value)) {
    const elements = value as readonly Json[]
    if (rest.length === 0 && to === undefined) return elements.filter((_, index) => index !== key)
    return elements.map((element, index) => (index === key ? changed(element, inner) : element))
  }
  const object = isObject(value) ? value : {}
  if (rest.length === 0 && to === undefined) return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))
  return { ...object, [key]: changed(object[key] ?? {}, inner) }
}

/** The change as a merge patch of `object`: lists are replaced as a whole. */
export function mergePatch(object: JsonObject, change: Change): Json {
  const end = change.path.findIndex((key) => typeof key === 'number')
  const path = end === -1 ? change.path : change.path.slice(0, end)
  let value: Json = end === -1 ? (change.value ?? null) : valueAtPath(changed(object, change), path)
  for (const key of [...path].reverse()) value = { [key]: value }
  return value
}

/** The change as a JSON patch with one operation. */
export function jsonPatch(op: string, { path, value }: Change): Json {
  const pointer = path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return [value === undefined ? { op: 'remove', path: pointer } : { op, path: pointer, value }]
}

function valueAtPath(value: Json, path: Change['path']): Json {
  let result: Json = value
  for (const key of path) result = (result as JsonObject)[key] ?? null
  return result
}

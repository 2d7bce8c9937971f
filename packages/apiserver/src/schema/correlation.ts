import { deepEqual } from 'steersman/internal'
import type { Correlation, SchemaNode } from './schema-node.js'
import { isJsonObject } from './structural-schema.js'

/**
 * A new value beside the old one that it replaces: members of objects belong together by name, items of lists of type map by their keys;
 * items of other lists never do. Lives for one validation.
 */
export class ValueCorrelation implements Correlation {
  readonly #node: SchemaNode
  readonly #value: unknown
  readonly #oldValue: unknown
  readonly #children = new Map<string | number, Correlation>()
  #oldItems: ReadonlyMap<string, unknown> | undefined
  #unchanged: boolean | undefined

  constructor(node: SchemaNode, value: unknown, oldValue: unknown) {
    this.#node = node
    this.#value = value
    this.#oldValue = oldValue
  }

  member(name: string): Correlation | undefined {
    const known = this.#children.get(name)
    if (known !== undefined) return known
    const node = this.#node.member(name)
    if (node === undefined || !isJsonObject(this.#value) || !isJsonObject(this.#oldValue)) return undefined
    if (!Object.hasOwn(this.#value, name) || !Object.hasOwn(this.#oldValue, name)) return undefined
    return this.#remember(name, new ValueCorrelation(node, this.#value[name], this.#oldValue[name]))
  }

  item(index: number): Correlation | undefined {
    const known = this.#children.get(index)
    if (known !== undefined) return known
    const { items, schema } = this.#node
    if (items === undefined || schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(this.#value)) return undefined
    const key = compositeKey(this.#value[index], schema['x-kubernetes-list-map-keys'] ?? [])
    const oldItem = key === undefined ? undefined : this.#oldItemsByKey().get(key)
    return oldItem === undefined ? undefined : this.#remember(index, new ValueCorrelation(items, this.#value[index], oldItem))
  }

  isUnchanged(): boolean {
    this.#unchanged ??= this.#compare()
    return this.#unchanged
  }

  #compare(): boolean {
    const value = this.#value
    const oldValue = this.#oldValue
    if (Array.isArray(value)) {
      if (!Array.isArray(oldValue) || oldValue.length !== value.length) return false
      if (this.#node.schema['x-kubernetes-list-type'] !== 'map') return deepEqual(value, oldValue)
      return value.every((_, index) => this.item(index)?.isUnchanged() === true)
    }
    if (!isJsonObject(value)) return deepEqual(value, oldValue)
    const names = Object.keys(value)
    if (!isJsonObject(oldValue) || Object.keys(oldValue).length !== names.length) return false
    return names.every((name) => this.member(name)?.isUnchanged() === true)
  }

  #remember(key: string | number, child: Correlation): Correlation {
    this.#children.set(key, child)
    return child
  }

  #oldItemsByKey(): ReadonlyMap<string, unknown> {
    if (this.#oldItems === undefined) {
      const items = new Map<string, unknown>()
      const names = this.#node.schema['x-kubernetes-list-map-keys'] ?? []
      for (const item of Array.isArray(this.#oldValue) ? this.#oldValue : []) {
        const key = compositeKey(item, names)
        if (key !== undefined && !items.has(key)) items.set(key, item)
      }
      this.#oldItems = items
    }
    return this.#oldItems
  }
}

/** The values of the key fields as one text, or undefined when one is missing or not a scalar. */
function compositeKey(item: unknown, names: readonly string[]): string | undefined {
  if (!isJsonObject(item) || names.length === 0) return undefined
  let text = ''
  for (const name of names) {
    const value = item[name]
    if (value === null || value === undefined || typeof value === 'object') return undefined
    text += `\0${typeof value}:${String(value)}`
  }
  return text
}

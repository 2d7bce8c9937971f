/**
 * A scheme: the resource types that a program knows, to find one by `apiVersion` and `kind`. Nobody must fill one: a
 * descriptor carries its own facts.
 */
import type { GroupVersionKind } from './gvk.js'
import { apiVersionOf, gvkText, parseApiVersion } from './gvk.js'
import type { KubernetesObject } from './meta.js'
import type { AnyResourceType, ResourceOf } from './resource-type.js'

/** An object that a scheme decoded, with its type. */
export interface Decoded<Type extends AnyResourceType = AnyResourceType> {
  readonly type: Type
  readonly object: ResourceOf<Type>
}

/** A scheme has no type for an object's `apiVersion` and `kind`. */
export class NotRegisteredError extends Error {
  readonly code = 'KIND_NOT_REGISTERED'

  constructor(apiVersion: string, kind: string) {
    super(`no kind "${kind}" is registered for version "${apiVersion}" in the scheme`)
    this.name = 'NotRegisteredError'
  }
}

/** The set of resource types that a program knows. */
export class Scheme {
  readonly #types = new Map<string, AnyResourceType>()

  /** @param types those to begin with */
  constructor(...types: readonly AnyResourceType[]) {
    this.add(...types)
  }

  /**
   * Adds types. Adding a type again does nothing.
   *
   * @throws TypeError when another type has the same group, version and kind.
   */
  add(...types: readonly AnyResourceType[]): this {
    for (const type of types) {
      const key = keyOf(apiVersionOf(type), type.kind)
      const present = this.#types.get(key)
      if (present !== undefined && present !== type)
        throw new TypeError(`Cannot add ${gvkText(type)} to the scheme: another type of that name is in it`)
      this.#types.set(key, type)
    }
    return this
  }

  /** Whether the scheme has a type of this group, version and kind. */
  recognises(gvk: GroupVersionKind): boolean {
    return this.typeFor(apiVersionOf(gvk), gvk.kind) !== undefined
  }

  /** The type of objects with this `apiVersion` and `kind`. */
  typeFor(apiVersion: string, kind: string): AnyResourceType | undefined {
    return this.#types.get(keyOf(apiVersion, kind))
  }

  /** All types, in the order in which they were added. */
  types(): readonly AnyResourceType[] {
    return [...this.#types.values()]
  }

  /** The types of one group and kind, one for each version: who owns an object is told without its version. */
  versionsOf(group: string, kind: string): readonly AnyResourceType[] {
    return this.types().filter((type) => type.group === group && type.kind === kind)
  }

  /**
   * Finds the type of an object by what it says of itself. The object is not copied and not validated.
   *
   * @throws TypeError when it is no object, or has no `apiVersion`, `kind` or `metadata`.
   * @throws NotRegisteredError when the scheme has no such type.
   */
  decode(object: unknown): Decoded {
    const { apiVersion, kind, metadata } = (object ?? {}) as Partial<Readonly<Record<'apiVersion' | 'kind' | 'metadata', unknown>>>
    for (const [field, value] of Object.entries({ apiVersion, kind })) {
      if (typeof value !== 'string' || value === '') throw new TypeError(`Cannot decode an object: Object '${field}' is missing`)
    }
    if (typeof metadata !== 'object' || metadata === null) throw new TypeError(`Cannot decode a ${kind}: it has no metadata`)
    const type = this.typeFor(String(apiVersion), String(kind))
    if (type === undefined) throw new NotRegisteredError(String(apiVersion), String(kind))
    return { type, object: object as ResourceOf<AnyResourceType> }
  }

  /**
   * The type of an object that may not say it: the items of some lists do not.
   *
   * @throws NotRegisteredError when the scheme has no such type.
   */
  typeOf(object: KubernetesObject): AnyResourceType {
    const { apiVersion = '', kind = '' } = object
    const type = this.typeFor(apiVersion, kind)
    if (type === undefined) throw new NotRegisteredError(apiVersion, kind)
    return type
  }
}

function keyOf(apiVersion: string, kind: string): string {
  const { group, version } = parseApiVersion(apiVersion)
  return `${group}/${version}/${kind}`
}

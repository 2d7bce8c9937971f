import type { FieldRequirement, KubernetesList, KubernetesObject, ObjectKey } from '../api/index.js'
import { apiVersionOf, notFound, StatusError } from '../api/index.js'
import type { GetOptions, ListOptions } from '../client/index.js'
import type { AwaitedWrite, CachedKind } from './cache.js'
import { CacheError } from './errors.js'
import type { SharedInformer } from './informer.js'
import { kindLabel } from './key.js'
import type { Selection } from './scope.js'
import { fieldText, Scope, selectionOf } from './scope.js'

/** An informer and the part of its kind that it holds. */
export class InformedKind implements CachedKind {
  readonly informer: SharedInformer
  #scope: Scope

  constructor(informer: SharedInformer) {
    this.informer = informer
    this.#scope = new Scope(informer.type, informer.options)
  }

  get scope(): Scope {
    return this.#scope
  }

  /** Takes whole objects from now on. Returns whether that is still possible. */
  widenToWholeObjects(): boolean {
    if (!this.informer.widenToWholeObjects()) return false
    this.#scope = new Scope(this.informer.type, this.informer.options)
    return true
  }

  get isReadable(): boolean {
    return this.informer.hasSynced && !this.#scope.metadataOnly
  }

  find(key: ObjectKey): { readonly object: KubernetesObject | undefined } | undefined {
    if (!this.isReadable) return undefined
    const containment = this.#scope.containsKey(key)
    if (containment === 'outside') return undefined
    const object = this.informer.get(key)
    return object === undefined && containment === 'unknown' ? undefined : { object }
  }

  canList(options: ListOptions): boolean {
    if (!this.isReadable) return false
    const selection = selectionOf(this.informer.type, options)
    return this.#scope.containsList(selection) && whyNotListable(this, selection) === undefined
  }

  selects(object: KubernetesObject): boolean {
    return this.#scope.selects(object)
  }

  containsKey(key: ObjectKey): 'inside' | 'outside' | 'unknown' {
    return this.#scope.containsKey(key)
  }

  uidOf(key: ObjectKey): string | undefined {
    return this.informer.uidOf(key)
  }

  objects(namespace?: string): readonly KubernetesObject[] {
    return this.informer.list(namespace)
  }

  hasSeenWrite(write: AwaitedWrite): boolean {
    return this.informer.hasSeenWrite(write)
  }
}

/**
 * The object of a key from an informer's store.
 *
 * @throws {StatusError} NotFound. @throws {CacheError} when the key lies in another namespace. @throws {TypeError} for a key without its namespace.
 */
export function readObject({ informer, scope }: InformedKind, key: ObjectKey, options: GetOptions = {}): KubernetesObject {
  const { type } = informer
  if (type.scope === 'Namespaced' && !key.namespace) throw new TypeError(`Cannot get ${kindLabel(type)} "${key.name}": it has no namespace`)
  refuseVersion(informer, options.resourceVersion)
  if (scope.containsKey(key) === 'outside') {
    throw unsupported(informer, `${key.namespace ?? ''}/${key.name} lies outside of what is cached (${scope})`)
  }
  const object = informer.get(key)
  if (object === undefined) throw new StatusError(notFound(type, key.name))
  return object
}

/**
 * A list from an informer's store, in key order. A `limit` is not needed and ignored: the list is whole and costs no copies.
 *
 * @throws {CacheError} when the list cannot be answered from the store: see {@link whyNotListable}.
 */
export function readList(cached: InformedKind, options: ListOptions = {}): KubernetesList<KubernetesObject> {
  const { informer, scope } = cached
  const selection = selectionOf(informer.type, options)
  refuseVersion(informer, options.resourceVersion)
  if (options.continue) throw unsupported(informer, 'lists from the cache are whole and have no continue token')
  const problem = whyNotListable(cached, selection)
  if (problem !== undefined) throw unsupported(informer, problem)
  return Object.freeze({
    apiVersion: apiVersionOf(informer.type),
    kind: informer.type.listKind,
    metadata: Object.freeze({ resourceVersion: informer.resourceVersion ?? '' }),
    items: Object.freeze(select(informer, scope, selection)),
  })
}

/** Why the list cannot be answered from the store: another namespace, or a field that is neither the key's nor an index; else `undefined`. */
export function whyNotListable({ informer, scope }: InformedKind, selection: Selection): string | undefined {
  const { namespace } = selection
  if (scope.namespace !== undefined && namespace !== undefined && namespace !== scope.namespace) {
    return `namespace "${namespace}" lies outside of what is cached (${scope})`
  }
  for (const requirement of selection.fields.requirements) {
    const { field, operator } = requirement
    if (isKeyField(field) || scope.demandsField(fieldText(requirement))) continue
    if (operator !== '=') return `field selector ${fieldText(requirement)} needs the server: an index only finds equal values`
    if (!informer.hasIndex(field)) return `field selector ${fieldText(requirement)} needs an index: none is named "${field}"`
  }
  return undefined
}

function select(informer: SharedInformer, scope: Scope, { namespace, labels, fields }: Selection): readonly KubernetesObject[] {
  const name = fields.exactValue('metadata.name')
  const indexed = fields.requirements.filter((requirement) => !isKeyField(requirement.field) && !scope.demandsField(fieldText(requirement)))
  const [first, ...others] = indexed
  let objects: readonly KubernetesObject[]
  if (first !== undefined) objects = informer.byIndex(first.field, first.value, namespace)
  else if (name !== undefined && (namespace !== undefined || informer.type.scope === 'Cluster'))
    objects = found(informer, { namespace, name })
  else objects = informer.list(namespace)
  for (const { field, value } of others) {
    const keep = new Set(informer.byIndex(field, value, namespace))
    objects = objects.filter((object) => keep.has(object))
  }
  const keyed = fields.requirements.filter((requirement) => isKeyField(requirement.field))
  if (labels.isEmpty && keyed.length === 0) return objects
  return objects.filter((object) => labels.matches(object.metadata.labels) && keyed.every((requirement) => fitsKey(object, requirement)))
}

function found(
  informer: SharedInformer,
  { namespace, name }: { namespace: string | undefined; name: string },
): readonly KubernetesObject[] {
  const object = informer.get({ name, ...(namespace === undefined ? {} : { namespace }) })
  return object === undefined ? [] : [object]
}

function isKeyField(field: string): boolean {
  return field === 'metadata.name' || field === 'metadata.namespace'
}

function fitsKey({ metadata }: KubernetesObject, { field, operator, value }: FieldRequirement): boolean {
  const actual = field === 'metadata.name' ? metadata.name : metadata.namespace
  return ((actual ?? '') === value) === (operator === '=')
}

/** "0" asks for whatever is at hand, which is what a cache gives. */
function refuseVersion(informer: SharedInformer, resourceVersion: string | undefined): void {
  if (resourceVersion && resourceVersion !== '0')
    throw unsupported(informer, `a read at resourceVersion ${resourceVersion} needs the server`)
}

function unsupported(informer: SharedInformer, problem: string): CacheError {
  return new CacheError('CACHE_UNSUPPORTED_READ', `Cannot read ${kindLabel(informer.type)} from the cache: ${problem}`)
}

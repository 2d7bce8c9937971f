import type { AnyResourceType, KubernetesObject, ObjectKey } from '../api/index.js'
import type { Environment } from '../environment/index.js'
import type { AwaitedWrite, CachedKind } from './cache.js'
import { storeKeyOf, storeKeyOfObject } from './key.js'
import { compareResourceVersions } from './resource-version.js'

/** How many writes of one kind may wait to be seen; beyond that the whole kind is read live for a while. */
const maxPending = 10_000
/** How long a write of unknown outcome keeps reads live when no live read settles the matter before. */
const uncertainMs = 60_000

/** A write that the cache may not contain yet. */
export interface PendingWrite {
  readonly write: AwaitedWrite
  readonly writtenMs: number
  /** A read has waited for it in vain: the next ones do not wait. */
  isLate: boolean
}

interface Uncertainty {
  readonly namespace: string
  readonly untilMs: number
  /** Counts up, so that a live read settles only what was uncertain when it began. */
  readonly sequence: number
}

/**
 * The writes of one client to one cached kind that the cache may not contain yet.
 *
 * A write whose outcome is unknown (no answer, or an answer that does not tell) makes its key uncertain: reads of it go live until a live
 * read that began afterwards shows what became of it, or a minute has passed.
 */
export class OwnWrites {
  readonly #environment: Environment
  readonly #type: AnyResourceType
  /** In the order of the writes, so that pruning looks at the oldest first. */
  readonly #pending = new Map<string, PendingWrite>()
  /** Keys, and until when. */
  readonly #uncertainKeys = new Map<string, Uncertainty>()
  /** Namespaces (empty: all), and until when. */
  readonly #uncertainNamespaces = new Map<string, Uncertainty>()
  #uncertainties = 0

  constructor(environment: Environment, type: AnyResourceType) {
    this.#environment = environment
    this.#type = type
  }

  /** The server stored this object, or removed it when it was the last thing that kept it. */
  wrote(kind: CachedKind, key: ObjectKey, object: KubernetesObject): void {
    const { resourceVersion, uid } = object.metadata
    if (uid !== undefined && isGone(object)) {
      this.deleted(kind, key, uid)
      return
    }
    if (resourceVersion === undefined) {
      this.uncertain(key)
      return
    }
    const storeKey = storeKeyOf(this.#type, key)
    const before = this.#pending.get(storeKey)
    // What the selector hides is never waited for, unless something of it shows: then its leaving will show, too.
    if (before === undefined && kind.uidOf(key) === undefined && !kind.selects(object)) return
    this.#add(kind, storeKey, { key, resourceVersion: newer(before?.write.resourceVersion, resourceVersion) })
  }

  /** The server changed the object of this key and answered with another kind of object at this version, such as a Scale. */
  touched(kind: CachedKind, key: ObjectKey, resourceVersion: string | undefined): void {
    const storeKey = storeKeyOf(this.#type, key)
    if (resourceVersion === undefined) this.uncertain(key)
    else if (this.#shows(kind, key, storeKey))
      this.#add(kind, storeKey, { key, resourceVersion: newer(this.#pending.get(storeKey)?.write.resourceVersion, resourceVersion) })
  }

  /** The server removed the object. */
  deleted(kind: CachedKind, key: ObjectKey, uid: string): void {
    const storeKey = storeKeyOf(this.#type, key)
    if (!this.#shows(kind, key, storeKey)) return
    const resourceVersion = this.#pending.get(storeKey)?.write.resourceVersion
    this.#add(kind, storeKey, { key, deletedUid: uid, ...(resourceVersion === undefined ? {} : { resourceVersion }) })
  }

  /** Nobody knows whether the write of this key took place. */
  uncertain(key: ObjectKey): void {
    this.#dropOldUncertainty()
    if (this.#uncertainKeys.size >= maxPending) this.uncertainNamespace(undefined)
    else setLast(this.#uncertainKeys, storeKeyOf(this.#type, key), this.#uncertainty(this.#namespaceOf(key.namespace)))
  }

  /** Nobody knows what became of the objects of a namespace; absent: of all. */
  uncertainNamespace(namespace: string | undefined): void {
    this.#dropOldUncertainty()
    const name = this.#uncertainNamespaces.size >= maxPending ? '' : this.#namespaceOf(namespace)
    setLast(this.#uncertainNamespaces, name, this.#uncertainty(name))
  }

  isUncertain(key: ObjectKey): boolean {
    this.#dropOldUncertainty()
    return this.#uncertainKeys.has(storeKeyOf(this.#type, key)) || this.#isUncertainNamespace(this.#namespaceOf(key.namespace))
  }

  isUncertainList(namespace: string | undefined): boolean {
    this.#dropOldUncertainty()
    const name = this.#namespaceOf(namespace)
    if (name === '') return this.#uncertainKeys.size > 0 || this.#uncertainNamespaces.size > 0
    if (this.#isUncertainNamespace(name)) return true
    for (const entry of this.#uncertainKeys.values()) if (entry.namespace === name) return true
    return false
  }

  /** What a read of this key has to wait for. */
  pendingOf(kind: CachedKind, key: ObjectKey): PendingWrite | undefined {
    const storeKey = storeKeyOf(this.#type, key)
    const pending = this.#pending.get(storeKey)
    if (pending === undefined || !this.#isSettled(kind, pending)) return pending
    this.#pending.delete(storeKey)
    return undefined
  }

  /** What a list has to wait for. */
  pendingOfList(kind: CachedKind, namespace: string | undefined): readonly PendingWrite[] {
    const name = this.#namespaceOf(namespace)
    const pending: PendingWrite[] = []
    for (const [storeKey, entry] of this.#pending) {
      if (this.#isSettled(kind, entry)) this.#pending.delete(storeKey)
      else if (name === '' || entry.write.key.namespace === name) pending.push(entry)
    }
    return pending
  }

  /** To take before a live read and to give back with what it saw. */
  uncertaintyMark(): number {
    return this.#uncertainties
  }

  /** A live read of the key that began at the mark found this, or nothing. */
  sawObject(kind: CachedKind, key: ObjectKey, object: KubernetesObject | undefined, mark: number): void {
    const storeKey = storeKeyOf(this.#type, key)
    const uncertainty = this.#uncertainKeys.get(storeKey)
    if (uncertainty === undefined || uncertainty.sequence > mark) return
    this.#uncertainKeys.delete(storeKey)
    const uid = kind.uidOf(key)
    if (object !== undefined) this.wrote(kind, key, object)
    else if (uid !== undefined) this.deleted(kind, key, uid)
  }

  /** A live list of the whole namespace (absent: of everything) that began at the mark found these. */
  sawList(kind: CachedKind, namespace: string | undefined, items: readonly KubernetesObject[], mark: number): void {
    const name = this.#namespaceOf(namespace)
    for (const uncertain of [this.#uncertainKeys, this.#uncertainNamespaces]) {
      for (const [key, entry] of uncertain) {
        if (entry.sequence <= mark && (name === '' || entry.namespace === name)) uncertain.delete(key)
      }
    }
    const present = new Set<string>()
    for (const item of items) {
      present.add(storeKeyOfObject(item))
      const { resourceVersion } = item.metadata
      const key = keyOfObject(item)
      if (resourceVersion !== undefined && !kind.hasSeenWrite({ key, resourceVersion })) this.wrote(kind, key, item)
    }
    for (const cached of kind.objects(namespace)) {
      const { uid } = cached.metadata
      if (uid !== undefined && !present.has(storeKeyOfObject(cached))) this.deleted(kind, keyOfObject(cached), uid)
    }
  }

  #add(kind: CachedKind, storeKey: string, write: AwaitedWrite): void {
    this.#pending.delete(storeKey)
    for (const [oldest, entry] of this.#pending) {
      if (!this.#isSettled(kind, entry)) break
      this.#pending.delete(oldest)
    }
    if (this.#pending.size >= maxPending) {
      this.#pending.clear()
      this.uncertainNamespace(undefined)
    }
    this.#pending.set(storeKey, { write, writtenMs: this.#environment.monotonicMs(), isLate: false })
  }

  /** Whether a change of this key can be expected to reach the cache. */
  #shows(kind: CachedKind, key: ObjectKey, storeKey: string): boolean {
    return kind.containsKey(key) === 'inside' || kind.uidOf(key) !== undefined || this.#pending.has(storeKey)
  }

  #isSettled(kind: CachedKind, { write, writtenMs }: PendingWrite): boolean {
    if (kind.hasSeenWrite(write)) return true
    // An object that came and went before the informer's first list is never seen to be deleted.
    const { deletedUid, key } = write
    return deletedUid !== undefined && this.#environment.monotonicMs() - writtenMs > uncertainMs && kind.uidOf(key) !== deletedUid
  }

  #isUncertainNamespace(name: string): boolean {
    return this.#uncertainNamespaces.has(name) || this.#uncertainNamespaces.has('')
  }

  /** Entries are in the order of their end. */
  #dropOldUncertainty(): void {
    const now = this.#environment.monotonicMs()
    for (const uncertain of [this.#uncertainKeys, this.#uncertainNamespaces]) {
      for (const [key, { untilMs }] of uncertain) {
        if (untilMs > now) break
        uncertain.delete(key)
      }
    }
  }

  #uncertainty(namespace: string): Uncertainty {
    return { namespace, untilMs: this.#environment.monotonicMs() + uncertainMs, sequence: ++this.#uncertainties }
  }

  #namespaceOf(namespace: string | undefined): string {
    return this.#type.scope === 'Cluster' ? '' : (namespace ?? '')
  }
}

/** The key of an object that has a name. */
export function keyOfObject({ metadata }: KubernetesObject): ObjectKey {
  const { namespace, name = '' } = metadata
  return namespace === undefined ? { name } : { namespace, name }
}

/** A write that leaves a terminating object without finalizers and grace removes it, and is answered with the object all the same. */
function isGone({ metadata }: KubernetesObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = metadata
  return deletionTimestamp !== undefined && finalizers.length === 0 && deletionGracePeriodSeconds === 0
}

function setLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
}

function newer(before: string | undefined, after: string): string {
  return before !== undefined && (compareResourceVersions(before, after) ?? -1) > 0 ? before : after
}

import type { UnstructuredObject } from 'steersman/api'
import { isAlreadyExists, isConflict, isNotFound } from 'steersman/api'
import type { APIServiceSpec } from 'steersman/api/types/apiregistration/v1'
import { APIService } from 'steersman/api/types/apiregistration/v1'
import { deepCopy, deepEqual } from 'steersman/internal'
import type { ServedResource } from '../../contracts/index.js'
import { createObject } from '../create.js'
import { deleteObject } from '../delete.js'
import type { CommittedWrite, ObjectDraft, StoreContext } from '../store-context.js'
import { timestamp } from '../store-context.js'
import { systemWrite } from '../system-write.js'
import { updateObject } from '../update.js'
import { mainRules } from '../update-rules.js'
import { localCondition } from './api-service.js'
import { builtinPriorities, customPriority } from './priorities.js'

/** What is known of the group versions that are served. */
export interface ApiServiceHost {
  /** The store of services; `undefined` when they are not served. */
  readonly services: () => StoreContext | undefined
  readonly resources: () => readonly ServedResource[]
}

const managedLabel = 'kube-aggregator.kubernetes.io/automanaged'
const apiVersion = `${APIService.group}/${APIService.version}`

/**
 * Keeps an APIService for each group version that this server serves. Those of built-in kinds are made once, at the start, and may be changed and
 * deleted; those of custom resources come and go with them, and any change of them is taken back.
 */
export class LocalApiServices {
  readonly #host: ApiServiceHost
  /** The services of custom resources that should be there, by name. */
  readonly #custom = new Map<string, APIServiceSpec>()
  #isStarted = false

  constructor(host: ApiServiceHost) {
    this.#host = host
  }

  /** Makes what is missing, and follows from then on. */
  async start(): Promise<void> {
    if (this.#host.services() === undefined) return
    this.#isStarted = true
    for (const [name, spec] of this.#builtin()) await this.#settleAtStart(name, spec)
    await this.sync()
  }

  /** Brings the services of custom resources to what is served now. */
  async sync(): Promise<void> {
    if (!this.#isStarted) return
    const { served, missing } = this.#customServices()
    for (const name of [...this.#custom.keys()]) {
      if (served.has(name)) continue
      this.#custom.delete(name)
      await this.#remove(name)
    }
    for (const [name, spec] of missing) {
      if (this.#custom.has(name)) continue
      this.#custom.set(name, spec)
      await this.#settle(name, spec, 'true')
    }
  }

  /** Follows a write of a service. Resolves when it was taken back, if it has to be. */
  async follow({ type, object }: CommittedWrite): Promise<void> {
    const { name = '' } = object.metadata
    const spec = this.#custom.get(name)
    if (spec !== undefined && type !== 'create') await this.#settle(name, spec, 'true')
  }

  #builtin(): ReadonlyMap<string, APIServiceSpec> {
    const specs = new Map<string, APIServiceSpec>()
    for (const { type, builtIn } of this.#host.resources()) {
      const priority = builtinPriorities[`${type.group}/${type.version}`]
      if (builtIn && priority !== undefined) specs.set(`${type.version}.${type.group}`, specOf(type, priority))
    }
    return specs
  }

  /** The names of the services that custom resources have, and those that are not there yet. There may be many custom resources. */
  #customServices(): { served: ReadonlySet<string>; missing: readonly (readonly [string, APIServiceSpec])[] } {
    const served = new Set<string>()
    const missing = new Map<string, APIServiceSpec>()
    for (const { type, builtIn } of this.#host.resources()) {
      if (builtIn) continue
      const name = `${type.version}.${type.group}`
      served.add(name)
      if (!this.#custom.has(name)) missing.set(name, specOf(type, customPriority))
    }
    return { served, missing: [...missing].sort(([a], [b]) => (a < b ? -1 : 1)) }
  }

  /** There are many of them, and nothing can be wrong with them: they are stored as they are. */
  async #settleAtStart(name: string, spec: APIServiceSpec): Promise<void> {
    const store = this.#host.services()
    if (store === undefined) return
    if ((await store.storage.get(store.prefix + name)) !== undefined) return this.#settle(name, spec, 'onstart')
    const { environment, storage } = store
    const creationTimestamp = timestamp(environment.now())
    const metadata = { name, uid: environment.uuid(), creationTimestamp, labels: { [managedLabel]: 'onstart' } }
    const conditions = [localCondition(creationTimestamp)]
    await storage.create(store.prefix + name, { apiVersion, kind: APIService.kind, metadata, spec, status: { conditions } })
  }

  /** Makes a service what it should be, unless somebody else takes care of it. */
  async #settle(name: string, spec: APIServiceSpec, managed: 'true' | 'onstart'): Promise<void> {
    const store = this.#host.services()
    if (store === undefined) return
    const stored = await store.storage.get(store.prefix + name)
    if (stored === undefined) {
      const object = { apiVersion, kind: APIService.kind, metadata: { name, labels: { [managedLabel]: managed } }, spec }
      await ignoring(isAlreadyExists, createObject(store, object as UnstructuredObject, { ...systemWrite, namespace: '' }))
    } else if (stored.metadata.labels?.[managedLabel] !== undefined && !deepEqual(stored.spec, spec)) {
      const transform = (current: UnstructuredObject | undefined) => {
        const draft = deepCopy(current) as ObjectDraft
        draft.spec = deepCopy(spec)
        return draft as UnstructuredObject
      }
      await ignoring(isNotFound, updateObject(store, mainRules(store), { name }, transform, systemWrite))
    }
  }

  async #remove(name: string): Promise<void> {
    const store = this.#host.services()
    const stored = await store?.storage.get(store.prefix + name)
    if (store === undefined || stored?.metadata.labels?.[managedLabel] === undefined) return
    const { uid } = stored.metadata
    const preconditions = uid === undefined ? {} : { uid }
    await ignoring((error) => isNotFound(error) || isConflict(error), deleteObject(store, { name }, { ...systemWrite, preconditions }))
  }
}

function specOf(type: { readonly group: string; readonly version: string }, priority: { group: number; version: number }): APIServiceSpec {
  const group = type.group === '' ? {} : { group: type.group }
  return { ...group, version: type.version, groupPriorityMinimum: priority.group, versionPriority: priority.version }
}

/** Somebody else was faster. */
async function ignoring(isFine: (error: unknown) => boolean, write: Promise<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (!isFine(error)) throw error
  }
}

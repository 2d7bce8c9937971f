import type { UnstructuredObject } from 'steersman/api'
import type { CustomResourceDefinition } from 'steersman/api/types/apiextensions/v1'
import { deepCopy, deepEqual } from 'steersman/internal'
import type { CustomResourceDefinitionObject } from '../../schema/index.js'
import { customResourcesOf } from '../../schema/index.js'
import { deleteObject } from '../delete.js'
import type { CommittedWrite, ObjectDraft, StoreContext } from '../store-context.js'
import { isNamespaced, resourcePrefix, revisionOf, timestamp } from '../store-context.js'
import { systemWrite } from '../system-write.js'
import { updateObject } from '../update.js'
import type { UpdateRules } from '../update-rules.js'
import { hasCondition, withCondition } from './conditions.js'
import { cleanupFinalizer, establish } from './custom-resource-definition.js'
import { isEstablished } from './names.js'

/** Puts the resources of definitions into service and takes them out again. */
export interface DefinitionHost {
  /** The store of definitions themselves. */
  readonly definitions: () => StoreContext
  /** Serves exactly these versions of the definition. */
  serve(definition: CustomResourceDefinition): void
  /** Serves nothing of the definition any more and ends its watches. */
  withdraw(definition: CustomResourceDefinition): void
  /** The store of a served version of the definition, any of them; `undefined` when none is served. */
  anyStore(definition: CustomResourceDefinition): StoreContext | undefined
}

const anyRules: UpdateRules = { subresource: 'status', allowCreate: false, prepare: () => {}, validate: () => [] }

/** Follows the definitions that are written: serves their resources, and empties those that are deleted. */
export class Definitions {
  readonly #host: DefinitionHost
  readonly #byName = new Map<string, CustomResourceDefinition>()
  readonly #emptying = new Set<string>()

  constructor(host: DefinitionHost) {
    this.#host = host
  }

  /** All definitions as they are now. */
  all(): readonly CustomResourceDefinition[] {
    return [...this.#byName.values()]
  }

  /** Takes in a definition that was in storage before. */
  adopt(stored: UnstructuredObject): void {
    const definition = stored as unknown as CustomResourceDefinition
    this.#byName.set(definition.metadata.name, definition)
    if (isEstablished(definition)) this.#host.serve(definition)
  }

  /** Follows a write of a definition. Resolves when what it asks for is done. */
  async follow(write: CommittedWrite): Promise<void> {
    const definition = write.object as unknown as CustomResourceDefinition
    const { name } = definition.metadata
    const known = this.#byName.get(name)
    // Another write, committed later, may have been followed before.
    if (known !== undefined && revisionOf(known as unknown as UnstructuredObject) > revisionOf(write.object)) return
    if (write.type === 'delete') {
      this.#byName.delete(name)
      this.#host.withdraw(definition)
      await this.#reconsiderNames(definition)
      return
    }
    this.#byName.set(name, definition)
    if (isEstablished(definition) && (known === undefined || needsServing(known, definition))) this.#host.serve(definition)
    // Following the write of the status goes on from here.
    if (await this.#establish(definition)) return
    if (hasCondition(definition, 'Terminating')) await this.#empty(name)
  }

  /** Accepts the names and establishes the API, if there is something to say about that. Resolves to whether it wrote something. */
  async #establish(definition: CustomResourceDefinition): Promise<boolean> {
    if (definition.metadata.deletionTimestamp !== undefined) return false
    const now = timestamp(this.#host.definitions().environment.now())
    const draft = deepCopy(definition) as Parameters<typeof establish>[0]
    establish(draft, this.all(), now)
    if (deepEqual(draft.status, definition.status)) return false
    await this.#change(definition.metadata.name, (current) => {
      establish(current as unknown as Parameters<typeof establish>[0], this.all(), now)
    })
    return true
  }

  /** Whether new instances are refused. */
  isTerminating(name: string): boolean {
    const definition = this.#byName.get(name)
    return definition === undefined || hasCondition(definition, 'Terminating')
  }

  /** To be called when an instance is gone: the last one may have kept its definition. */
  async instanceRemoved(name: string): Promise<void> {
    if (this.isTerminating(name) && !this.#emptying.has(name)) await this.#releaseIfEmpty(name)
  }

  /** Deletes the instances of a definition that is being deleted. Those with finalizers stay until whoever set them is done. */
  async #empty(name: string): Promise<void> {
    const definition = this.#byName.get(name)
    if (definition === undefined || this.#emptying.has(name)) return
    this.#emptying.add(name)
    try {
      const now = timestamp(this.#host.definitions().environment.now())
      await this.#change(name, ({ status }) => {
        const { conditions } = status as { conditions: Parameters<typeof withCondition>[0] }
        Object.assign(status as object, { conditions: withCondition(conditions, deletionInProgress, now) })
      })
      const store = this.#host.anyStore(definition)
      if (store !== undefined) await deleteInstances(store)
    } finally {
      this.#emptying.delete(name)
    }
    await this.#releaseIfEmpty(name)
  }

  async #releaseIfEmpty(name: string): Promise<void> {
    const definition = this.#byName.get(name)
    if (definition === undefined || !(definition.metadata.finalizers ?? []).includes(cleanupFinalizer)) return
    const { storage } = this.#host.definitions()
    const { keys } = await storage.list(resourcePrefix(definition.spec.group, definition.spec.names.plural), { limit: 1 })
    if (keys.length > 0 || !this.#byName.has(name)) return
    await this.#change(name, (draft) => {
      const rest = (draft.metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer)
      if (rest.length === 0) delete draft.metadata.finalizers
      else draft.metadata.finalizers = rest
    })
  }

  /** A definition that is gone may have had names that others of its group wait for. */
  async #reconsiderNames(gone: CustomResourceDefinition): Promise<void> {
    for (const other of this.all()) {
      if (other.spec.group === gone.spec.group && !hasCondition(other, 'NamesAccepted')) await this.#establish(other)
    }
  }

  async #change(name: string, change: (draft: ObjectDraft) => void): Promise<void> {
    const transform = (current: UnstructuredObject | undefined) => {
      const draft = deepCopy(current) as ObjectDraft
      change(draft)
      return draft as UnstructuredObject
    }
    await updateObject(this.#host.definitions(), anyRules, { name }, transform, systemWrite)
  }
}

const deletionInProgress = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
}

/** Whether a change of a definition changes what is served. */
function needsServing(before: CustomResourceDefinition, after: CustomResourceDefinition): boolean {
  const names = (definition: CustomResourceDefinition) => definition.status?.acceptedNames
  return !isEstablished(before) || !deepEqual(before.spec, after.spec) || !deepEqual(names(before), names(after))
}

async function deleteInstances(store: StoreContext): Promise<void> {
  const { keys } = await store.storage.list(store.prefix)
  for (const key of keys) {
    const [first = '', second = ''] = key.slice(store.prefix.length).split('/')
    const name = isNamespaced(store) ? { namespace: first, name: second } : { name: first }
    const stored = await store.storage.get(key)
    if (stored === undefined || stored.metadata.deletionTimestamp !== undefined) continue
    await deleteObject(store, name, systemWrite)
  }
}

/** The served versions of a definition. */
export function servedVersions(definition: CustomResourceDefinition): ReturnType<typeof customResourcesOf> {
  return customResourcesOf(definition as CustomResourceDefinitionObject)
}

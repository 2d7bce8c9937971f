import { CustomResourceDefinition } from 'steersman/api/types/apiextensions/v1'
import type { Environment } from 'steersman/environment'
import { deepEqual } from 'steersman/internal'
import type { Storage } from '../../storage/index.js'
import type { ServedStores } from '../serving/served-stores.js'
import type { CommittedWrite } from '../store-context.js'
import { resourcePrefix } from '../store-context.js'
import { customServing, servingFacts } from './custom-serving.js'
import { Definitions, servedVersions } from './definitions.js'

/** What {@link CustomResources} work with. */
export interface CustomResourcesOptions {
  readonly storage: Storage
  readonly environment: Environment
  readonly stores: ServedStores
  /** Called after a change of what is served. */
  readonly changed: () => void
}

/** Serves the resources of the CustomResourceDefinitions that there are. */
export class CustomResources {
  readonly #options: CustomResourcesOptions
  readonly #definitions: Definitions

  constructor(options: CustomResourcesOptions) {
    const { stores } = options
    this.#options = options
    this.#definitions = new Definitions({
      definitions: () => stores.contextOf(CustomResourceDefinition)!,
      serve: (definition) => this.#serve(definition),
      withdraw: (definition) => this.#withdraw(definition),
      anyStore: (definition) => stores.anyOf(definition.metadata.name)?.context,
    })
  }

  /** Serves what the definitions in storage ask for. */
  async adopt(): Promise<void> {
    const { group, plural } = CustomResourceDefinition
    const { items } = await this.#options.storage.list(resourcePrefix(group, plural))
    for (const definition of items) this.#definitions.adopt(definition)
  }

  /** Follows a write of a definition. */
  follow(write: CommittedWrite): Promise<void> {
    return this.#definitions.follow(write)
  }

  #serve(definition: CustomResourceDefinition): void {
    const { storage, environment, stores, changed } = this.#options
    const resources = servedVersions(definition)
    stores.withdraw(
      definition.metadata.name,
      resources.map(({ type }) => type.version),
    )
    for (const resource of resources) {
      const { group, version, plural } = resource.type
      // A version that stays as it was keeps its watches.
      if (deepEqual(stores.find(group, version, plural)?.facts, servingFacts(definition, resource))) continue
      stores.enter(customServing(definition, resource, { storage, environment, definitions: this.#definitions }))
    }
    changed()
  }

  #withdraw(definition: CustomResourceDefinition): void {
    this.#options.stores.withdraw(definition.metadata.name)
    this.#options.changed()
  }
}

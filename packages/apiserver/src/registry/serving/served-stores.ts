import type { AnyResourceType } from 'steersman/api'
import type { ServedResource } from '../../contracts/index.js'
import type { SubresourceDefinition } from '../builtin.js'
import type { BuiltinKind } from '../builtin-kind.js'
import type { TablePrinter } from '../printers/printer.js'
import type { Decode } from '../store.js'
import { GenericStore } from '../store.js'
import type { StoreContext } from '../store-context.js'
import type { BuiltinObjects } from './builtin-objects.js'

/** A resource that goes into service. */
export interface Serving {
  readonly served: ServedResource
  readonly context: StoreContext
  /** Ends the service. */
  readonly end: AbortController
  readonly decode: Decode
  readonly subresources: readonly SubresourceDefinition[]
  readonly table: TablePrinter
  readonly createStore?: BuiltinKind['createStore']
  /** Name of the definition that asks for it. @default none: a built-in resource */
  readonly definition?: string
  /** What the store is made of, for a custom resource. */
  readonly facts?: unknown
}

interface Entry extends Serving {
  readonly store: GenericStore
}

/** The stores of the resources that are served now, one for each group, version and resource. */
export class ServedStores {
  readonly #objects: BuiltinObjects
  readonly #entries = new Map<string, Entry>()

  /** `objects` reads the bodies of subresources. */
  constructor(objects: BuiltinObjects) {
    this.#objects = objects
  }

  find(group: string, version: string, plural: string): Entry | undefined {
    return this.#entries.get(entryKey(group, version, plural))
  }

  contextOf({ group, version, plural }: Pick<AnyResourceType, 'group' | 'version' | 'plural'>): StoreContext | undefined {
    return this.find(group, version, plural)?.context
  }

  /** Everything that is served, in no particular order. */
  served(): ServedResource[] {
    return [...this.#entries.values()].map(({ served }) => served)
  }

  /** Any of the resources of a definition. */
  anyOf(definition: string): Entry | undefined {
    return [...this.#entries.values()].find((entry) => entry.definition === definition)
  }

  /** Puts a resource into service; one that is in its place ends. */
  enter(serving: Serving): void {
    const { served, context, decode, table } = serving
    const { group, version, kind, plural } = served.type
    const subresources = serving.subresources.map((subresource) => {
      const body = subresource.served
      const isOwnKind = body.group === group && body.version === version && body.kind === kind
      return subresource.create(context, isOwnKind ? decode : this.#objects.decoder(body))
    })
    const options = { served, context, decode, table, subresources }
    const store = serving.createStore?.(options) ?? new GenericStore(options)
    const key = entryKey(group, version, plural)
    this.#entries.get(key)?.end.abort()
    this.#entries.set(key, { ...serving, store })
  }

  /** Takes the resources of a definition out of service, except those of these versions. */
  withdraw(definition: string, keptVersions: readonly string[] = []): void {
    for (const [key, entry] of [...this.#entries]) {
      if (entry.definition !== definition || keptVersions.includes(entry.served.type.version)) continue
      this.#entries.delete(key)
      entry.end.abort()
    }
  }
}

function entryKey(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`
}

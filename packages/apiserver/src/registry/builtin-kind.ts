import type { ServedSubresource, SubresourceStore } from '../contracts/index.js'
import type { TablePrinter } from './printers/printer.js'
import type { Decode, GenericStore, GenericStoreOptions } from './store.js'
import type { StoreContext } from './store-context.js'
import type { ResourceKind } from './strategy.js'
import type { ScaleFields } from './subresources/scale.js'

/** What a built-in kind adds to the facts that discovery tells of it. */
export interface BuiltinKind {
  readonly kind: ResourceKind
  /** How `kubectl get` shows it. @default name and time of creation */
  readonly printer?: TablePrinter
  /** Where it keeps what its Scale shows; needed by a kind that discovery gives a scale. */
  readonly scale?: ScaleFields
  /** Its subresources beside status and scale, by name. One that is missing here is not served. */
  readonly subresources?: Readonly<Record<string, CreateSubresource>>
  /** A `Warning` for whoever asks for it. @default none */
  readonly deprecationWarning?: string
  /** Makes its store, where that does more than hold objects. @default a store of objects */
  readonly createStore?: (options: GenericStoreOptions) => GenericStore
  /** Present: the objects are stored as those of another resource, and this is a view of them. */
  readonly viewOf?: ViewDefinition
}

/** How objects of another resource show as those of this one. Both conversions are pure. */
export interface ViewDefinition {
  readonly group: string
  readonly plural: string
  readonly toServed: StoreContext['toServed']
  readonly toStored: StoreContext['toStored']
}

/** Makes the store of a subresource. `decode` reads a body of the kind that `served` names. */
export type CreateSubresource = (served: ServedSubresource, context: StoreContext, decode: Decode) => SubresourceStore

import type { Environment } from 'steersman/environment'
import type { ServedResource, TokenSigner } from '../../contracts/index.js'
import type { Storage } from '../../storage/index.js'
import type { ServedBuiltin } from '../builtin.js'
import { unconverted } from '../conversion.js'
import { plainPrinter } from '../printers/printer.js'
import type { StoreContext } from '../store-context.js'
import { resourcePrefix } from '../store-context.js'
import type { BuiltinObjects } from './builtin-objects.js'
import type { KindHooks } from './kind-hooks.js'
import type { Serving } from './served-stores.js'

/** What the stores of built-in kinds have in common. */
export interface BuiltinServingParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly tokenSigner: TokenSigner | undefined
  readonly objects: BuiltinObjects
  readonly hooks: KindHooks
}

/** A built-in resource as it goes into service. Tokens are made only where somebody signs them. */
export function builtinServing(builtin: ServedBuiltin, parts: BuiltinServingParts): Serving {
  const { kind, viewOf, createStore } = builtin
  const { type, strategy } = kind
  const { storage, environment, tokenSigner, objects, hooks } = parts
  const subresources = builtin.subresourceDefinitions.filter(({ served }) => served.name !== 'token' || tokenSigner !== undefined)
  const end = new AbortController()
  const decode = objects.decoder(type)
  const context: StoreContext = {
    type,
    strategy,
    storage,
    environment,
    prefix: resourcePrefix(viewOf?.group ?? type.group, viewOf?.plural ?? type.plural),
    decode,
    complete: objects.completer(type),
    toServed: viewOf?.toServed ?? unconverted,
    toStored: viewOf?.toStored ?? unconverted,
    unserved: end.signal,
    ...(tokenSigner === undefined ? {} : { tokenSigner }),
    ...hooks.of(type),
  }
  const served: ServedResource = {
    type,
    verbs: builtin.verbs,
    subresources: subresources.map((subresource) => subresource.served),
    builtIn: true,
    storageVersionHash: builtin.storageVersionHash,
    ...(builtin.deprecationWarning === undefined ? {} : { deprecationWarning: builtin.deprecationWarning }),
  }
  const table = builtin.printer ?? plainPrinter
  return { served, context, end, decode, subresources, table, ...(createStore === undefined ? {} : { createStore }) }
}

import type { AnyResourceType, KubernetesObject } from '../api/index.js'
import { apiVersionOf } from '../api/index.js'
import type { Logger } from '../internal/index.js'
import { storeKey } from './key.js'
import { LogThinner } from './log-thinner.js'
import type { Transform } from './transform.js'

/** An object that may enter a store. */
export interface DecodedObject {
  readonly key: string
  readonly resourceVersion: string
  readonly object: KubernetesObject
}

/**
 * Parses what a list or watch brings at the edge of the cache: the right kind, a name and a resourceVersion. What is not an object of the kind
 * is counted, logged and skipped, so that one bad object never stops an informer.
 */
export class Decoder {
  readonly #type: AnyResourceType
  readonly #metadataOnly: boolean
  readonly #apiVersion: string
  readonly #transform: Transform
  readonly #log: LogThinner
  #failures = 0

  constructor(type: AnyResourceType, metadataOnly: boolean, transform: Transform, log: Logger) {
    this.#type = type
    this.#metadataOnly = metadataOnly
    this.#apiVersion = apiVersionOf(type)
    this.#transform = transform
    this.#log = new LogThinner(log)
  }

  /** How many objects were skipped. */
  get failures(): number {
    return this.#failures
  }

  decode(raw: unknown): DecodedObject | undefined {
    const object = raw as KubernetesObject | null | undefined
    const metadata = object?.metadata
    const problem = this.#problemOf(object)
    if (problem !== undefined) return this.#skip(new TypeError(problem), metadata)
    const { namespace, name, resourceVersion } = metadata as { namespace?: string; name: string; resourceVersion: string }
    try {
      return { key: storeKey(namespace, name), resourceVersion, object: this.#transform(object as KubernetesObject) }
    } catch (error) {
      return this.#skip(error, metadata)
    }
  }

  #problemOf(object: KubernetesObject | null | undefined): string | undefined {
    if (typeof object !== 'object' || object === null) return `expected an object, got ${object === null ? 'null' : typeof object}`
    const { kind, apiVersion, metadata } = object
    // Items of built-in lists may come without kind and apiVersion.
    const isPartial = this.#metadataOnly && kind === 'PartialObjectMetadata'
    if (kind !== undefined && kind !== this.#type.kind && !isPartial) return `expected kind ${this.#type.kind}, got ${kind}`
    if (apiVersion !== undefined && apiVersion !== this.#apiVersion && !isPartial) {
      return `expected apiVersion ${this.#apiVersion}, got ${apiVersion}`
    }
    if (typeof metadata !== 'object' || metadata === null) return 'expected metadata, got none'
    if (typeof metadata.name !== 'string' || metadata.name === '') return 'expected metadata.name, got none'
    if (typeof metadata.resourceVersion !== 'string' || metadata.resourceVersion === '')
      return 'expected metadata.resourceVersion, got none'
    if (this.#type.scope === 'Namespaced' && !metadata.namespace) return 'expected metadata.namespace, got none'
    return undefined
  }

  #skip(error: unknown, metadata: KubernetesObject['metadata'] | undefined): undefined {
    this.#failures++
    this.#log.error(error, 'Object skipped: it cannot be decoded', {
      namespace: metadata?.namespace,
      name: metadata?.name,
      skipped: this.#failures,
    })
    return undefined
  }
}

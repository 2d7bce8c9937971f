import type { AnyResourceType, KubernetesObject } from '../api/index.js'
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
  readonly #kind: string
  readonly #apiVersion: string | undefined
  readonly #transform: Transform
  readonly #log: LogThinner
  #failures = 0

  constructor(type: AnyResourceType, metadataOnly: boolean, transform: Transform, log: Logger) {
    this.#type = type
    this.#kind = metadataOnly ? 'PartialObjectMetadata' : type.kind
    // The group and version of a metadata-only object are those of the metadata types and say nothing about the resource.
    this.#apiVersion = metadataOnly ? undefined : type.group === '' ? type.version : `${type.group}/${type.version}`
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
    if (kind !== undefined && kind !== this.#kind) return `expected kind ${this.#kind}, got ${kind}`
    if (apiVersion !== undefined && this.#apiVersion !== undefined && apiVersion !== this.#apiVersion) {
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

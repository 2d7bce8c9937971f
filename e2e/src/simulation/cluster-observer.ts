import type { AnyResourceType, Client, KubernetesObject } from 'steersman'
import { type Environment, TransportError } from 'steersman/environment'

/** One change that the server committed, as a watch told it. */
export interface Change {
  /** The server's revision: the order in which everything happened, over all kinds. */
  readonly revision: number
  /** Virtual wall clock when the observer learned of it. */
  readonly seenMs: number
  readonly kind: string
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: KubernetesObject
}

/** Something did not come true in time. */
export class ExpectationError extends Error {
  constructor(expected: string, deadlineMs: number, seen: readonly string[]) {
    super(`Expected within ${deadlineMs / 1000} s: ${expected}; seen: ${seen.length === 0 ? 'nothing' : seen.join('; ')}`)
    this.name = 'ExpectationError'
  }
}

interface Waiter {
  readonly holds: () => boolean
  readonly end: () => void
}

const RETRY_MS = 500

/**
 * Follows some kinds through plain watches that always go on where they ended: no change is missed and none is seen twice, whatever the network does.
 * So {@link changes}, sorted by revision, is the whole history of the cluster.
 */
export class ClusterObserver {
  readonly changes: Change[] = []
  readonly #environment: Environment
  readonly #client: Client
  readonly #objects = new Map<string, Map<string, KubernetesObject>>()
  readonly #waiters = new Set<Waiter>()

  constructor(environment: Environment, client: Client) {
    this.#environment = environment
    this.#client = client
  }

  /** Lists a kind, then follows it until the signal aborts. Resolves once the list is there; `ended` settles at the end. */
  async follow(type: AnyResourceType, signal: AbortSignal): Promise<{ readonly ended: Promise<void> }> {
    const list = await this.#client.list(type)
    const objects = new Map<string, KubernetesObject>(list.items.map((object) => [keyOf(object), object]))
    this.#objects.set(type.kind, objects)
    return { ended: this.#watch(type, objects, list.metadata.resourceVersion ?? '', signal) }
  }

  /** The present objects of a followed kind, in the order in which they appeared. */
  objects<Resource extends KubernetesObject>(kind: string): readonly Resource[] {
    return [...(this.#objects.get(kind)?.values() ?? [])] as Resource[]
  }

  /** All changes in the order of the server. */
  inOrder(): readonly Change[] {
    return [...this.changes].sort((one, other) => one.revision - other.revision)
  }

  /**
   * Resolves as soon as `holds` is true; it is asked after every change.
   *
   * @throws {ExpectationError} after the deadline, in virtual milliseconds.
   */
  until(expected: string, holds: () => boolean, deadlineMs = 300_000): Promise<void> {
    if (holds()) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        holds,
        end: () => {
          timer.cancel()
          this.#waiters.delete(waiter)
          resolve()
        },
      }
      const timer = this.#environment.timer(deadlineMs, () => {
        this.#waiters.delete(waiter)
        reject(new ExpectationError(expected, deadlineMs, this.describe()))
      })
      this.#waiters.add(waiter)
    })
  }

  /** A line of text for each object. */
  describe(): string[] {
    const lines: string[] = []
    for (const [kind, objects] of this.#objects) {
      for (const object of objects.values()) {
        const { name, generation, deletionTimestamp } = object.metadata
        const state = deletionTimestamp === undefined ? '' : ' terminating'
        lines.push(`${kind} ${name}${state} generation ${generation ?? 0} ${JSON.stringify((object as { status?: unknown }).status)}`)
      }
    }
    return lines
  }

  async #watch(type: AnyResourceType, objects: Map<string, KubernetesObject>, from: string, signal: AbortSignal): Promise<void> {
    let resourceVersion = from
    while (!signal.aborted) {
      try {
        for await (const batch of this.#client.watch(type, { resourceVersion, signal })) {
          for (const event of batch) {
            if (event.type === 'ERROR') throw new Error(`Cannot follow ${type.kind}: ${JSON.stringify(event.object)}`)
            const object = event.object as KubernetesObject
            resourceVersion = object.metadata.resourceVersion!
            if (event.type !== 'BOOKMARK') this.#record(type.kind, event.type, object, objects)
          }
        }
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof TransportError)) throw error
        await this.#environment.sleep(RETRY_MS)
      }
    }
  }

  #record(kind: string, type: Change['type'], object: KubernetesObject, objects: Map<string, KubernetesObject>): void {
    this.changes.push({ revision: Number(object.metadata.resourceVersion), seenMs: this.#environment.now(), kind, type, object })
    if (type === 'DELETED') objects.delete(keyOf(object))
    else objects.set(keyOf(object), object)
    for (const waiter of [...this.#waiters]) if (waiter.holds()) waiter.end()
  }
}

function keyOf({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`
}

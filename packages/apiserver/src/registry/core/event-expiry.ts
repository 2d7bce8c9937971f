import type { UnstructuredObject } from 'steersman/api'
import type { Environment, Timer } from 'steersman/environment'
import type { Storage } from '../../storage/index.js'
import { StorageError } from '../../storage/index.js'
import type { CommittedWrite } from '../store-context.js'
import { revisionOf } from '../store-context.js'

/**
 * Forgets events an hour after they were last written, so that they cannot fill the storage.
 *
 * One timer waits for the oldest. As all events live equally long, the order of their last writes is the order in which they go.
 */
export class EventExpiry {
  readonly #storage: Storage
  readonly #environment: Environment
  readonly #prefix: string
  readonly #lifetimeMs: number
  readonly #deadlines = new Map<string, number>()
  #timer: Timer | undefined

  /** @param lifetimeMs 0: events stay. */
  constructor(storage: Storage, environment: Environment, prefix: string, lifetimeMs: number) {
    this.#storage = storage
    this.#environment = environment
    this.#prefix = prefix
    this.#lifetimeMs = lifetimeMs
  }

  /** Takes in an event that was in storage before. */
  adopt(event: UnstructuredObject): void {
    this.follow({ type: 'update', object: event })
  }

  /** Follows a write of an event. */
  follow({ type, object }: CommittedWrite): void {
    if (this.#lifetimeMs === 0) return
    const key = `${this.#prefix}${object.metadata.namespace}/${object.metadata.name}`
    // Deleted first, so that a renewed event goes to the end of the queue.
    this.#deadlines.delete(key)
    if (type !== 'delete') this.#deadlines.set(key, this.#environment.monotonicMs() + this.#lifetimeMs)
    if (this.#timer === undefined) this.#schedule()
  }

  #schedule(): void {
    const [deadline] = this.#deadlines.values()
    if (deadline === undefined) return
    const wait = Math.max(0, deadline - this.#environment.monotonicMs())
    this.#timer = this.#environment.timer(wait, () => void this.#expire(), { unref: true })
  }

  async #expire(): Promise<void> {
    for (const [key, deadline] of this.#deadlines) {
      const now = this.#environment.monotonicMs()
      if (deadline > now) break
      this.#deadlines.delete(key)
      // Nobody waits for this: what cannot be removed now is tried again later.
      if (!(await this.#remove(key))) this.#deadlines.set(key, now + retryMs)
    }
    this.#timer = undefined
    this.#schedule()
  }

  /** Whether nothing is left to do about the event. */
  async #remove(key: string): Promise<boolean> {
    try {
      const event = await this.#storage.get(key)
      if (event !== undefined) await this.#storage.delete(key, event, revisionOf(event))
      return true
    } catch (error) {
      // Written or deleted meanwhile: it has a new deadline, or is gone. A closed storage needs no tidying.
      return error instanceof StorageError
    }
  }
}

const retryMs = 60_000

/** One kind of call: what RBAC would have to allow, and to whom. */
export interface CallKey {
  /** Who called, e.g. `controller/widget`; empty if nobody said. */
  readonly caller: string
  readonly group: string
  /** The plural. */
  readonly resource: string
  /** Empty for the resource itself. */
  readonly subresource: string
  /** As RBAC names it: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  readonly verb: string
  /** Empty for all namespaces and for cluster-scoped resources. */
  readonly namespace: string
}

/** How often a kind of call was made. */
export interface RecordedCall extends CallKey {
  readonly count: number
}

/** Options of a {@link CallRecorder}. */
export interface CallRecorderOptions {
  /** How many kinds of call are told apart; further ones are only counted. @default 10000 */
  readonly maxEntries?: number
}

/** Counts the calls of one or more clients, e.g. to infer the RBAC rules that a program needs. */
export class CallRecorder {
  readonly #maxEntries: number
  readonly #entries = new Map<string, { readonly key: CallKey; count: number }>()
  #dropped = 0

  constructor(options: CallRecorderOptions = {}) {
    this.#maxEntries = options.maxEntries ?? 10_000
  }

  record(key: CallKey): void {
    const id = JSON.stringify([key.caller, key.group, key.resource, key.subresource, key.verb, key.namespace])
    const entry = this.#entries.get(id)
    if (entry !== undefined) entry.count++
    else if (this.#entries.size < this.#maxEntries) this.#entries.set(id, { key: { ...key }, count: 1 })
    else this.#dropped++
  }

  /** What was recorded, in the order of first calls. */
  calls(): readonly RecordedCall[] {
    return [...this.#entries.values()].map(({ key, count }) => ({ ...key, count }))
  }

  /** Calls that were made after `maxEntries` kinds were known and are of none of them. */
  get dropped(): number {
    return this.#dropped
  }

  clear(): void {
    this.#entries.clear()
    this.#dropped = 0
  }
}

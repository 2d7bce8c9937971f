/**
 * The client's end of a stream: what arrived and was not read yet, or the reader that waits for it. Read once, by one reader.
 *
 * Ending the iteration, and an abort, tell the other end through `onClose`, once.
 */
export class ClientStream<T> implements AsyncIterableIterator<T> {
  readonly #onDemand: () => void
  readonly #onClose: () => void
  #arrived: T[] = []
  #readers: { readonly resolve: (result: IteratorResult<T>) => void; readonly reject: (error: unknown) => void }[] = []
  #dead = false
  #end: { readonly error?: unknown; readonly failed: boolean } | undefined

  /**
   * @param onDemand more may be sent: a reader waits, or took what had arrived.
   * @param onClose the reader will read no more.
   */
  constructor(onDemand: () => void, onClose: () => void) {
    this.#onDemand = onDemand
    this.#onClose = onClose
  }

  /** How much arrived and was not read. */
  get unread(): number {
    return this.#arrived.length
  }

  /** Whether a reader waits. */
  get isAwaited(): boolean {
    return this.#readers.length > 0
  }

  push(item: T): void {
    if (this.#end !== undefined) return
    const reader = this.#readers.shift()
    if (reader !== undefined) reader.resolve({ done: false, value: item })
    else this.#arrived.push(item)
  }

  /** No more will come. What arrived can still be read. */
  finish(): void {
    if (this.#end !== undefined) return
    this.#end = { failed: false }
    for (const reader of this.#readers.splice(0)) reader.resolve({ done: true, value: undefined })
  }

  /** The stream broke: the next read throws `error` once, later ones find the end. What arrived before can still be read. */
  fail(error: unknown): void {
    if (this.#end !== undefined) return
    const [reader, ...others] = this.#readers.splice(0)
    this.#end = { failed: reader === undefined, error }
    reader?.reject(error)
    for (const other of others) other.resolve({ done: true, value: undefined })
  }

  /** As `fail`, and what arrived is dropped. */
  abort(error: unknown): void {
    this.#arrived = []
    this.fail(error)
  }

  /** The reader died: nothing that it waits for, or asks for from now on, ever settles. */
  die(): void {
    this.#dead = true
    this.#readers = []
    this.#end = { failed: false }
  }

  next(): Promise<IteratorResult<T>> {
    if (this.#dead) return new Promise(() => {})
    const item = this.#arrived.shift()
    if (item !== undefined) {
      if (this.#end === undefined) this.#onDemand()
      return Promise.resolve({ done: false, value: item })
    }
    if (this.#end !== undefined) {
      const { failed, error } = this.#end
      this.#end = { failed: false }
      return failed ? Promise.reject(error) : Promise.resolve({ done: true, value: undefined })
    }
    return new Promise((resolve, reject) => {
      this.#readers.push({ resolve, reject })
      this.#onDemand()
    })
  }

  return(): Promise<IteratorResult<T>> {
    this.#arrived = []
    if (this.#end === undefined) {
      this.finish()
      this.#onClose()
    }
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

import type { Readable } from 'node:stream'
import type { Exchange } from './http-exchange.js'

/** How much of a body waits for a slow reader before the connection is told to wait. */
const maxQueuedBytes = 1024 * 1024
/** Small pieces that wait together are handed out as one, so that a burst of watch events costs one await. */
const maxJoinedBytes = 64 * 1024

/** A body as chunks. One reader; leaving the iteration closes the exchange. */
export class BodyStream implements AsyncIterableIterator<Uint8Array> {
  readonly #stream: Readable
  readonly #exchange: Exchange
  #chunks: Buffer[] = []
  #queuedBytes = 0
  #end: { readonly error?: unknown } | undefined
  #waiting: { readonly resolve: (result: IteratorResult<Uint8Array>) => void; readonly reject: (error: unknown) => void } | undefined

  /** @param wrap makes of a connection's error what the reader gets. */
  constructor(stream: Readable, exchange: Exchange, wrap: (cause: unknown) => Error) {
    this.#stream = stream
    this.#exchange = exchange
    exchange.whenCancelled(() => this.#finish({ error: exchange.cancelled?.reason }))
    onEnd(stream, (failure) => this.#finish(failure === undefined ? {} : { error: wrap(failure.cause) }))
    stream.on('data', (chunk: Buffer) => this.#push(chunk))
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#chunks.length > 0) return Promise.resolve({ done: false, value: this.#take() })
    if (this.#end === undefined) {
      return new Promise((resolve, reject) => {
        this.#waiting = { resolve, reject }
      })
    }
    if (!('error' in this.#end)) return Promise.resolve({ done: true, value: undefined })
    // An error is thrown once; after it the iteration is over, as with a generator.
    const { error } = this.#end
    this.#end = {}
    return Promise.reject(error)
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#chunks = []
    if (this.#end === undefined) this.#exchange.cancel(new Error('the reader left'))
    this.#end = {}
    return Promise.resolve({ done: true, value: undefined })
  }

  #push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#queuedBytes += chunk.length
    const waiting = this.#waiting
    if (waiting !== undefined) {
      this.#waiting = undefined
      waiting.resolve({ done: false, value: this.#take() })
    } else if (this.#queuedBytes >= maxQueuedBytes) {
      this.#stream.pause()
    }
  }

  #take(): Uint8Array {
    const total = this.#queuedBytes
    if (this.#chunks.length > 1 && total <= maxJoinedBytes) {
      const joined = Buffer.concat(this.#chunks, total)
      this.#chunks = []
      this.#queuedBytes = 0
      return joined
    }
    const chunk = this.#chunks.shift() as Buffer
    this.#queuedBytes -= chunk.length
    if (this.#queuedBytes < maxQueuedBytes && this.#stream.isPaused()) this.#stream.resume()
    return chunk
  }

  /** What is queued is still handed out, except after a cancellation. */
  #finish(end: { readonly error?: unknown }): void {
    if (this.#end !== undefined) return
    if (this.#exchange.cancelled !== undefined) this.#chunks = []
    this.#end = end
    this.#exchange.finish()
    const waiting = this.#waiting
    if (waiting === undefined) return
    this.#waiting = undefined
    this.next().then(waiting.resolve, waiting.reject)
  }
}

/** Reads a whole body. @throws what `wrap` makes of a failure, or the reason of the cancellation. */
export function readBody(stream: Readable, exchange: Exchange, wrap: (cause: unknown) => Error): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    exchange.whenCancelled(() => reject(exchange.cancelled?.reason))
    onEnd(stream, (failure) => {
      exchange.finish()
      if (failure !== undefined) reject(wrap(failure.cause))
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
    })
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  })
}

/** Calls back once: without argument when the whole body has been read, with the cause when it broke off. */
function onEnd(stream: Readable, callback: (failure?: { readonly cause: unknown }) => void): void {
  const lost = { cause: Object.assign(new Error('the connection was lost before the end of the body'), { code: 'ECONNRESET' }) }
  let isOver = false
  const once = (failure?: { readonly cause: unknown }) => {
    if (isOver) return
    isOver = true
    callback(failure)
  }
  // Node.js ends an HTTP/2 stream that was reset as it ends a complete one; only the code tells.
  stream.on('end', () => once(isReset(stream) ? lost : undefined))
  stream.on('error', (cause) => once({ cause }))
  stream.on('close', () => once(lost))
}

function isReset(stream: Readable): boolean {
  return 'rstCode' in stream && typeof stream.rstCode === 'number' && stream.rstCode !== 0
}

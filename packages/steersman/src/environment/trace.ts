import type { RequestBody, ResponseBody } from './transport.js'
import { RollingHash, ValueHasher } from './value-hash.js'

/** A request as the trace names it. */
export interface TracedRequest {
  /** Counts the requests of the world. */
  readonly id: number
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** The process that asked. */
  readonly client: { readonly name: string }
}

/**
 * Everything that was delivered in a virtual world, in order, as one rolling hash: requests and responses with their bodies, watch batches,
 * timers, other completions and deaths, each with the virtual time and the process. Two histories with the same hash took the same course.
 *
 * With a capacity it also keeps the last entries as text, for reports.
 */
export class TraceRecorder {
  readonly #hash = new RollingHash()
  readonly #values = new ValueHasher()
  readonly #names = new Map<string, RollingHash>()
  readonly #elapsedMs: () => number
  readonly #capacity: number
  readonly #entries: string[] = []
  #count = 0

  /**
   * @param elapsedMs virtual milliseconds since the world began.
   * @param capacity how many entries to keep as text; 0 for none, which is faster.
   */
  constructor(elapsedMs: () => number, capacity: number) {
    this.#elapsedMs = elapsedMs
    this.#capacity = capacity
  }

  /** 16 hexadecimal digits. The same seed and program give the same hash on every machine and version of Node. */
  get hash(): string {
    return this.#hash.digest()
  }

  /** How many events were recorded. */
  get count(): number {
    return this.#count
  }

  /** The last entries as text, oldest first; as many as the capacity. Bodies are not shown. */
  get entries(): readonly string[] {
    const start = this.#count % this.#capacity || 0
    return this.#count <= this.#capacity ? [...this.#entries] : [...this.#entries.slice(start), ...this.#entries.slice(0, start)]
  }

  /** A request reached `server`. */
  request(request: TracedRequest, server: string, body: RequestBody | undefined): void {
    this.#begin(KIND_REQUEST, server)
    this.#hash.word(request.id)
    this.#name(request.client.name)
    this.#hash.text(request.method)
    this.#hash.text(request.target)
    this.#body(body)
    if (this.#capacity > 0) this.#entry(`${server} <- ${request.client.name} ${describe(request)}`)
  }

  /** A response reached the client. */
  response(request: TracedRequest, status: number, body: ResponseBody): void {
    this.#begin(KIND_RESPONSE, request.client.name)
    this.#hash.word(request.id)
    this.#hash.word(status)
    this.#body(body)
    if (this.#capacity > 0) this.#entry(`${request.client.name} <- ${status} ${describe(request)}`)
  }

  /** A batch of events or a chunk of bytes reached the client. */
  batch(request: TracedRequest, batch: unknown): void {
    this.#begin(KIND_BATCH, request.client.name)
    this.#hash.word(request.id)
    if (batch instanceof Uint8Array) this.#hash.bytes(batch)
    else this.#values.add(this.#hash, batch)
    if (this.#capacity > 0) this.#entry(`${request.client.name} <- ${describeBatch(batch)} ${describe(request)}`)
  }

  /** A stream ended at the client. */
  end(request: TracedRequest): void {
    this.#begin(KIND_END, request.client.name)
    this.#hash.word(request.id)
    if (this.#capacity > 0) this.#entry(`${request.client.name} <- end ${describe(request)}`)
  }

  /** The client learned that there will be no answer. */
  failure(request: TracedRequest, code: string): void {
    this.#begin(KIND_FAILURE, request.client.name)
    this.#hash.word(request.id)
    this.#name(code)
    if (this.#capacity > 0) this.#entry(`${request.client.name} <- ${code} ${describe(request)}`)
  }

  /** The server learned that the client ended the exchange. */
  hangup(request: TracedRequest, server: string): void {
    this.#begin(KIND_HANGUP, server)
    this.#hash.word(request.id)
    if (this.#capacity > 0) this.#entry(`${server} <- ${request.client.name} hangs up ${describe(request)}`)
  }

  /** A timer or sleep of a process came due. Its number tells it from others of that instant. */
  timer(process: string, number: number): void {
    this.#begin(KIND_TIMER, process)
    this.#hash.integer(number)
    if (this.#capacity > 0) this.#entry(`${process} timer (${number})`)
  }

  /** A completion handed to `Environment.deliver` was delivered. */
  delivery(process: string, label: string, number: number): void {
    this.#begin(KIND_DELIVERY, process)
    this.#hash.integer(number)
    this.#hash.text(label)
    if (this.#capacity > 0) this.#entry(`${process} <- ${label}`)
  }

  /** A process began. */
  start(process: string): void {
    this.#begin(KIND_START, process)
    if (this.#capacity > 0) this.#entry(`${process} starts`)
  }

  /** A process was killed. */
  kill(process: string): void {
    this.#begin(KIND_KILL, process)
    if (this.#capacity > 0) this.#entry(`${process} is killed`)
  }

  /** Something the builder of a world wants in the hash and the report: a fault, a step of a scenario. */
  note(text: string): void {
    this.#begin(KIND_NOTE, '')
    this.#hash.text(text)
    if (this.#capacity > 0) this.#entry(text)
  }

  #begin(kind: number, process: string): void {
    this.#count++
    this.#hash.word(kind)
    this.#hash.integer(this.#elapsedMs())
    this.#name(process)
  }

  /** Few names recur in every entry, so their hashes are kept. */
  #name(name: string): void {
    let known = this.#names.get(name)
    if (known === undefined) {
      known = new RollingHash()
      known.text(name)
      this.#names.set(name, known)
    }
    this.#hash.word(known.high)
    this.#hash.word(known.low)
  }

  #body(body: RequestBody | ResponseBody | undefined): void {
    switch (body?.kind) {
      case 'value':
        this.#hash.word(KIND_VALUE_BODY)
        this.#values.add(this.#hash, body.value)
        break
      case 'bytes':
        this.#hash.word(KIND_BYTES_BODY)
        this.#hash.bytes(body.bytes)
        break
      default:
        this.#hash.word(0)
    }
  }

  #entry(text: string): void {
    this.#entries[(this.#count - 1) % this.#capacity] = `+${this.#elapsedMs()} ms ${text}`
  }
}

const KIND_REQUEST = 1
const KIND_RESPONSE = 2
const KIND_BATCH = 3
const KIND_END = 4
const KIND_FAILURE = 5
const KIND_HANGUP = 6
const KIND_TIMER = 7
const KIND_DELIVERY = 8
const KIND_START = 9
const KIND_KILL = 10
const KIND_NOTE = 11
const KIND_VALUE_BODY = 12
const KIND_BYTES_BODY = 13

function describe(request: TracedRequest): string {
  return `${request.method} ${request.target} (${request.id})`
}

function describeBatch(batch: unknown): string {
  return Array.isArray(batch) ? `${batch.length} events` : `${(batch as Uint8Array).length} bytes`
}

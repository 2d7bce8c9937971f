import type { GroupResource } from '../api/index.js'
import { genericResponse, isStatus, parseJson, StatusError } from '../api/index.js'
import type { Environment, ResponseBody, Transport, TransportResponse } from '../environment/index.js'
import type { Logger } from '../internal/index.js'
import { deepFreeze } from '../internal/index.js'
import { WarningLog } from './warnings.js'

/** One call of the API, without what all calls of a client share. */
export interface ApiCall {
  readonly method: string
  readonly path: string
  readonly query?: URLSearchParams
  readonly accept?: string
  /** A plain JSON value; the transport encodes it if it must. */
  readonly body?: unknown
  /** @default `application/json` */
  readonly contentType?: string
  readonly signal?: AbortSignal | undefined
  /** For the message of an answer that is not a Status. */
  readonly resource?: GroupResource
  readonly name?: string
}

/** What all calls of a client share. */
export interface RequesterOptions {
  readonly environment: Environment
  readonly transport: Transport
  /** @default `steersman/<version>` */
  readonly userAgent?: string
  /** Gets the server's warnings, each text once. @default none */
  readonly logger?: Logger
  /** How often a request is sent again because the server asked to come back later. @default 10, as in client-go */
  readonly maxRetries?: number
}

/** What an API server never sends: a success whose body cannot be read. */
export class UnexpectedResponseError extends Error {
  readonly code = 'UNEXPECTED_RESPONSE'

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnexpectedResponseError'
  }
}

const defaultUserAgent = 'steersman/0.1.0'
const maxErrorBodyBytes = 1024 * 1024
/** As in client-go: of a text that is not a Status, so much is worth showing. */
const maxErrorTextLength = 2048

/** Sends calls, waits and repeats when the server asks for it, and turns refusals into {@link StatusError}. */
export class Requester {
  readonly #environment: Environment
  readonly #transport: Transport
  readonly #userAgent: string
  readonly #maxRetries: number
  readonly #warnings: WarningLog | undefined

  constructor({ environment, transport, userAgent, logger, maxRetries }: RequesterOptions) {
    this.#environment = environment
    this.#transport = transport
    this.#userAgent = userAgent ?? defaultUserAgent
    this.#maxRetries = maxRetries ?? 10
    this.#warnings = logger && new WarningLog(logger)
  }

  /**
   * Resolves to a successful answer, not decoded.
   *
   * @throws {StatusError} the server refused. @throws {TransportError} no answer came. @throws `call.signal.reason`.
   */
  async send(call: ApiCall): Promise<TransportResponse> {
    const headers: Record<string, string> = { accept: call.accept ?? 'application/json', 'user-agent': this.#userAgent }
    if (call.body !== undefined) headers['content-type'] = call.contentType ?? 'application/json'
    const request = {
      method: call.method,
      path: call.path,
      headers,
      ...(call.query !== undefined && { query: call.query }),
      ...(call.body !== undefined && { body: { kind: 'value' as const, value: call.body } }),
      ...(call.signal !== undefined && { signal: call.signal }),
    }
    for (let retries = 0; ; retries++) {
      const response = await this.#transport.request(request)
      this.#warnings?.add(response.headers.warning)
      if (response.status < 400) return response
      const retryAfter = retryAfterSeconds(response)
      if (retryAfter === undefined || retries >= this.#maxRetries) throw await statusError(call, response)
      await discard(response.body)
      await this.#environment.sleep(retryAfter * 1000, call.signal)
    }
  }

  /** As {@link send}, and decodes the body. */
  async json(call: ApiCall): Promise<unknown> {
    const response = await this.send(call)
    const value = await decodeBody(response.body, call)
    // An aggregated server may say so with a success code.
    if (isStatus(value) && value.status === 'Failure') throw new StatusError(deepFreeze(value))
    return value
  }
}

/** Only a server that names a time wants the request again (RFC 9110, 10.2.3); dates are not used by API servers. */
function retryAfterSeconds({ status, headers }: TransportResponse): number | undefined {
  if (status !== 429 && status < 500) return undefined
  const header = headers['retry-after']
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : undefined
}

async function statusError(call: ApiCall, response: TransportResponse): Promise<StatusError> {
  const text = response.body.kind === 'value' ? undefined : new TextDecoder().decode(await collect(response.body, maxErrorBodyBytes))
  const value = response.body.kind === 'value' ? response.body.value : tryParse(text ?? '')
  if (isStatus(value)) return new StatusError(deepFreeze(value))
  const status = genericResponse(response.status, {
    method: call.method,
    ...(call.resource && { resource: call.resource }),
    ...(call.name && { name: call.name }),
    serverMessage: text?.trim().slice(0, maxErrorTextLength) || 'unknown',
    retryAfterSeconds: retryAfterSeconds(response) ?? 0,
    unexpected: true,
  })
  return new StatusError(deepFreeze(status))
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    // A proxy's page, for example: its text is shown instead.
    return undefined
  }
}

/** The JSON value of a body. @throws {UnexpectedResponseError} */
export async function decodeBody(body: ResponseBody, { method, path }: Pick<ApiCall, 'method' | 'path'>): Promise<unknown> {
  if (body.kind === 'value') return body.value
  const expected = `Cannot read the answer to ${method} ${path}`
  if (body.kind === 'value-stream') throw new UnexpectedResponseError(`${expected}: it is a stream of events, expected one object`)
  const bytes = await collect(body)
  if (bytes.length === 0) throw new UnexpectedResponseError(`${expected}: it is empty, expected JSON`)
  try {
    return parseJson(bytes)
  } catch (cause) {
    throw new UnexpectedResponseError(`${expected}: it is not JSON`, { cause })
  }
}

/** A body's bytes, of a stream no more than `maxBytes`. */
async function collect(body: ResponseBody, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  if (body.kind === 'bytes') return body.bytes
  const chunks: Uint8Array[] = []
  let size = 0
  if (body.kind === 'byte-stream') {
    for await (const chunk of body.chunks) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= maxBytes) break
    }
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)
}

/** Lets go of a body that nobody wants. */
async function discard(body: ResponseBody): Promise<void> {
  if (body.kind === 'byte-stream') await collect(body, 1)
  if (body.kind === 'value-stream') await body.batches[Symbol.asyncIterator]().return?.()
}

import { request as httpRequestOf, type IncomingMessage } from 'node:http'
import { Agent, request as httpsRequestOf } from 'node:https'

/** One request, as it goes over the wire. Nothing is added but `Host` and the length of the body. */
export interface HttpRequest {
  readonly url: string
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly agent?: Agent
  /** Ends a request that has no answer. @default 60000 */
  readonly timeoutMs?: number
}

/** A whole answer. */
export interface HttpAnswer {
  readonly status: number
  /** By lower-case name; a header that was sent twice has two values. */
  readonly headers: Readonly<Record<string, readonly string[]>>
  readonly body: string
}

/** Connections that are used again. The certificate is not checked: both servers make theirs at start, and live as long as the test. */
export function createAgent(): Agent {
  return new Agent({ keepAlive: true, rejectUnauthorized: false })
}

/** Sends a request and reads the whole answer. */
export async function httpRequest(options: HttpRequest): Promise<HttpAnswer> {
  const response = await open(options)
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { status: response.statusCode ?? 0, headers: headersOf(response), body: Buffer.concat(chunks).toString() }
}

/** An answer whose body comes line by line. */
export interface HttpStream {
  readonly status: number
  readonly headers: HttpAnswer['headers']
  readonly lines: AsyncIterableIterator<string>
  close(): void
}

/** Sends a request and resolves when the head of the answer is there. */
export async function httpStream(options: HttpRequest): Promise<HttpStream> {
  const response = await open({ ...options, timeoutMs: 0 })
  return { status: response.statusCode ?? 0, headers: headersOf(response), lines: linesOf(response), close: () => response.destroy() }
}

function open({ url, method, headers = {}, body, agent, timeoutMs = 60_000 }: HttpRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const isPlain = url.startsWith('http:')
    const options = { method, headers: { ...length, ...headers } }
    const outgoing = isPlain
      ? httpRequestOf(url, options, resolve)
      : httpsRequestOf(url, { ...options, rejectUnauthorized: false, ...(agent ? { agent } : {}) }, resolve)
    if (timeoutMs > 0)
      outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error(`No answer to ${method} ${url} within ${timeoutMs} ms`)))
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function headersOf(response: IncomingMessage): HttpAnswer['headers'] {
  return response.headersDistinct as HttpAnswer['headers']
}

async function* linesOf(response: IncomingMessage): AsyncIterableIterator<string> {
  let rest = ''
  response.setEncoding('utf8')
  try {
    for await (const chunk of response) {
      const lines = (rest + (chunk as string)).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch (error) {
    // A stream that is closed on purpose ends like one that is cut.
    if (!response.destroyed) throw error
  }
  if (rest !== '') yield rest
}

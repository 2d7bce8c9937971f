import { connect } from 'node:http2'
import { Agent, request as httpsRequest } from 'node:https'
import type { Transport } from 'steersman/environment'
import type { RawAnswer, SendSuiteRequest, SuiteRequest } from '../endpoints/requests.suite.js'

/** How a test reaches a server on a socket. */
export interface SocketTarget {
  readonly url: string
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string; readonly rejectUnauthorized?: boolean }
  readonly headers?: Readonly<Record<string, string>>
}

/** A way to send requests, and its end. */
export interface Sender {
  readonly send: SendSuiteRequest
  close(): void
}

function headersOf(request: SuiteRequest, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { 'user-agent': 'suite/1', ...more, ...request.headers }
}

function bytesOf({ body }: SuiteRequest): Buffer | undefined {
  if (body === undefined) return undefined
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

export function http1Sender({ url, tls, headers }: SocketTarget): Sender {
  const agent = new Agent({ keepAlive: true, ...tls })
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        const bytes = bytesOf(request)
        // Node says no length of a DELETE's body by itself.
        const length: Record<string, string> = bytes === undefined ? {} : { 'content-length': String(bytes.length) }
        const options = { agent, method: request.method, headers: { ...headersOf(request, headers), ...length }, ...tls }
        const outgoing = httpsRequest(url + request.target, options, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const warning = response.headers.warning?.split(/, (?=299 )/)
            resolve({
              status: response.statusCode ?? 0,
              headers: { ...response.headers, warning },
              body: { kind: 'text', text: Buffer.concat(chunks).toString() },
            })
          })
        })
        // A server that refuses a large body may close before it was sent whole.
        outgoing.on('error', reject)
        outgoing.end(bytes)
      }),
    close: () => agent.destroy(),
  }
}

export function http2Sender({ url, tls, headers }: SocketTarget): Sender {
  const session = connect(url, { ...tls })
  const failed = new Promise<never>((_, reject) => {
    session.on('error', reject)
  })
  failed.catch(() => {})
  const send = (request: SuiteRequest): Promise<RawAnswer> =>
    new Promise((resolve, reject) => {
      const bytes = bytesOf(request)
      const requestHead = { ':method': request.method, ':path': request.target, ...headersOf(request, headers) }
      const stream = session.request(requestHead, { endStream: bytes === undefined })
      let head: Record<string, string | string[] | number | undefined> = {}
      const chunks: Buffer[] = []
      stream.on('response', (received) => {
        head = received as typeof head
      })
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', reject)
      stream.on('end', () => {
        const { warning } = head
        const warnings = typeof warning === 'string' ? warning.split(/, (?=299 )/) : (warning as string[] | undefined)
        resolve({
          status: Number(head[':status']),
          headers: { 'content-type': String(head['content-type'] ?? ''), warning: warnings },
          body: { kind: 'text', text: Buffer.concat(chunks).toString() },
        })
      })
      if (bytes !== undefined) stream.end(bytes)
    })
  return { send: (request) => Promise.race([send(request), failed]), close: () => session.destroy() }
}

/** Sends over a transport inside the process. `asValue`: JSON bodies are handed over as values, where they can be. */
export function transportSender(transport: Transport, asValue: boolean): Sender {
  return {
    async send(request) {
      const [path = '', query = ''] = request.target.split('?')
      const bytes = bytesOf(request)
      const isValue = asValue && typeof request.body === 'object' && !Array.isArray(request.body)
      const response = await transport.request({
        method: request.method,
        path,
        query: new URLSearchParams(query),
        headers: headersOf(request),
        ...(bytes === undefined ? {} : { body: isValue ? { kind: 'value', value: request.body } : { kind: 'bytes', bytes } }),
      })
      const { status, headers, body } = response
      switch (body.kind) {
        case 'value':
          return { status, headers, body: { kind: 'value', value: body.value } }
        case 'value-stream': {
          const events: unknown[] = []
          for await (const batch of body.batches) events.push(...batch)
          return { status, headers, body: { kind: 'lines', value: events } }
        }
        case 'bytes':
          return { status, headers, body: { kind: 'text', text: Buffer.from(body.bytes).toString() } }
        default:
          return { status, headers, body: { kind: 'text', text: '' } }
      }
    },
    close: () => {},
  }
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { httpStream } from '../src/http-client.js'
import type { Json, JsonObject } from './language/index.js'
import type { Target } from './run/index.js'

/** What a proxy does wrong. What a function does not change it returns. */
export interface Fault {
  /** Changes the object that a request is answered with. */
  answer?(body: JsonObject, request: { readonly method: string; readonly path: string }): JsonObject
  /** Changes the events of a watch; called with all that came together. */
  events?(events: readonly JsonObject[]): readonly JsonObject[]
  /** How many events must have come before `events` is called. @default 1 */
  readonly together?: number
}

/** A server that is right in everything but its fault. */
export async function startFaultProxy(target: Target, fault: Fault): Promise<Target & { stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    forward(target, fault, request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    patienceMs: 1000,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function forward(target: Target, fault: Fault, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { method = 'GET', url: path = '/' } = request
  const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers as Record<string, string>
  const body = Buffer.concat(chunks).toString()
  const stream = await httpStream({ url: target.url + path, method, headers, ...(body === '' ? {} : { body }) })
  response.on('close', () => stream.close())
  response.writeHead(stream.status, { 'content-type': stream.headers['content-type']?.[0] ?? 'text/plain' })
  if (path.includes('watch=true')) await forwardEvents(stream.lines, fault, response)
  else {
    let text = ''
    for await (const line of stream.lines) text += line
    response.end(changed(text, (json) => fault.answer?.(json, { method, path }) ?? json))
  }
}

async function forwardEvents(lines: AsyncIterable<string>, { events, together = 1 }: Fault, response: ServerResponse): Promise<void> {
  response.flushHeaders()
  let waiting: JsonObject[] = []
  for await (const line of lines) {
    waiting.push(JSON.parse(line) as JsonObject)
    if (waiting.length < together) continue
    for (const event of events?.(waiting) ?? waiting) response.write(`${JSON.stringify(event)}\n`)
    waiting = []
  }
  response.end()
}

function changed(text: string, change: (json: JsonObject) => Json): string {
  try {
    return JSON.stringify(change(JSON.parse(text) as JsonObject))
  } catch {
    // What is not JSON has no fault.
    return text
  }
}

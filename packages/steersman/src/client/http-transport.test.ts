import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import type { Environment, Transport, TransportResponse } from '../environment/index.js'
import { systemEnvironment, TransportError } from '../environment/index.js'
import type { ClientConfig, HttpTransportOptions } from './index.js'
import { createHttpTransport } from './index.js'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface TestServer {
  readonly server: Server
  readonly url: string
  readonly sockets: Set<Socket>
}

async function serve(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener)
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets }
}

function connect(config: ClientConfig, options: Partial<HttpTransportOptions> = {}): Transport {
  const transport = createHttpTransport({ environment: systemEnvironment, config, ...options })
  cleanups.push(() => transport.close())
  return transport
}

const get = (path = '/', more: object = {}) => ({ method: 'GET', path, headers: {}, ...more })

async function text(response: TransportResponse): Promise<string> {
  const { body } = response
  if (body.kind === 'bytes') return Buffer.from(body.bytes).toString()
  const chunks: Uint8Array[] = []
  if (body.kind === 'byte-stream') for await (const chunk of body.chunks) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const chunksOf = (response: TransportResponse): AsyncIterator<Uint8Array> => {
  if (response.body.kind !== 'byte-stream') throw new Error(`not a stream but ${response.body.kind}`)
  return response.body.chunks[Symbol.asyncIterator]()
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it should have been rejected'),
    (reason: unknown) => reason,
  )

/** The system's environment, but its timers fire only on demand and its clock only moves by hand. */
function manualEnvironment() {
  const timers = new Map<() => void, number>()
  const clock = { ms: 0 }
  const environment: Environment = {
    ...systemEnvironment,
    now: () => clock.ms,
    monotonicMs: () => clock.ms,
    timer: (milliseconds, callback) => {
      timers.set(callback, milliseconds)
      return { cancel: () => timers.delete(callback) }
    },
  }
  return { environment, timers, clock }
}

describe('HTTP transport', () => {
  test('sends method, path under the server prefix, query, headers and value bodies, and returns whole small bodies', async () => {
    const { url } = await serve(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      response.setHeader('warning', ['299 - "a"', '299 - "b"'])
      const seen = JSON.stringify([request.method, request.url, request.headers['x-a'], Buffer.concat(chunks).toString()])
      response.setHeader('x-seen', encodeURIComponent(seen))
      response.writeHead(201, { 'content-length': 2 }).end('ok')
    })
    const transport = connect({ server: `${url}/k8s/cluster/` })
    const response = await transport.request({
      method: 'POST',
      path: '/api/v1/pods',
      query: new URLSearchParams([
        ['a', '1 2'],
        ['a', '3'],
      ]),
      headers: { 'x-a': 'y' },
      body: { kind: 'value', value: { ä: 1 } },
    })
    expect(response.status).toBe(201)
    expect(response.body).toEqual({ kind: 'bytes', bytes: Buffer.from('ok') })
    expect(JSON.parse(decodeURIComponent(response.headers['x-seen'] as string))).toEqual([
      'POST',
      '/k8s/cluster/api/v1/pods?a=1+2&a=3',
      'y',
      '{"ä":1}',
    ])
    expect(response.headers.warning).toBe('299 - "a", 299 - "b"')
  })

  test('keeps one connection for requests that follow each other', async () => {
    const { url, sockets } = await serve((_, response) => response.end('x'))
    const seen = new Set<Socket>()
    const transport = connect({ server: url })
    for (let index = 0; index < 5; index++) {
      await transport.request(get())
      for (const socket of sockets) seen.add(socket)
    }
    expect(seen.size).toBe(1)
  })

  test('hands out a body of unknown size as it comes', async () => {
    const { url } = await serve(async (_, response) => {
      response.write('one')
      await barrier
      response.end('two')
    })
    let release = () => undefined as undefined
    const barrier = new Promise<void>((resolve) => {
      release = () => void resolve()
    })
    const chunks = chunksOf(await connect({ server: url }).request(get()))
    expect(Buffer.from((await chunks.next()).value).toString()).toBe('one')
    release()
    expect(Buffer.from((await chunks.next()).value).toString()).toBe('two')
    expect((await chunks.next()).done).toBe(true)
  })

  test('makes a server wait whose reader is slow', async () => {
    const chunk = Buffer.alloc(1024 * 1024)
    let sent = 0
    let stalled: () => void = () => undefined
    const stall = new Promise<void>((resolve) => {
      stalled = resolve
    })
    const { url } = await serve(async (_, response) => {
      for (; sent < 200; sent++) {
        if (response.write(chunk)) continue
        const drained = once(response, 'drain')
        // A reader that takes everything lets the write drain within milliseconds.
        const timer = setTimeout(stalled, 500)
        await drained
        clearTimeout(timer)
      }
      response.end()
    })
    const chunks = chunksOf(await connect({ server: url }).request(get()))
    await chunks.next()
    await stall
    expect(sent).toBeLessThan(60)
    let received = chunk.length === 0 ? 1 : 0
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) received += next.value.length
    expect(received).toBeGreaterThan(190 * chunk.length)
  })

  test('closes the exchange when the reader leaves', async () => {
    const { url, sockets } = await serve((_, response) => response.write('x'))
    const response = await connect({ server: url }).request(get())
    const [socket] = sockets
    const closed = once(socket as Socket, 'close')
    if (response.body.kind !== 'byte-stream') throw new Error('not a stream')
    for await (const _ of response.body.chunks) break
    await closed
  })

  test('rejects with the reason of an abort before, during and after the head', async () => {
    let arrived: (request: IncomingMessage) => void = () => undefined
    const { url } = await serve((request, response) => {
      if (request.url === '/stream') response.write('x')
      arrived(request)
    })
    const transport = connect({ server: url })
    const reason = { not: 'an error' }
    expect(await rejection(transport.request(get('/', { signal: AbortSignal.abort(reason) })))).toBe(reason)

    const during = new AbortController()
    const seen = new Promise<IncomingMessage>((resolve) => {
      arrived = resolve
    })
    const pending = rejection(transport.request(get('/', { signal: during.signal })))
    const request = await seen
    const closed = once(request.socket, 'close')
    during.abort(reason)
    expect(await pending).toBe(reason)
    await closed

    const after = new AbortController()
    const chunks = chunksOf(await transport.request(get('/stream', { signal: after.signal })))
    await chunks.next()
    const next = rejection(chunks.next())
    after.abort(reason)
    expect(await next).toBe(reason)
    expect((await chunks.next()).done).toBe(true)
  })

  test('gives up after the time for the head', async () => {
    const { environment, timers } = manualEnvironment()
    let arrived: () => void = () => undefined
    const seen = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const { url } = await serve(() => arrived())
    const pending = rejection(connect({ server: url }, { environment, headTimeoutMs: 7000 }).request(get('/slow')))
    await seen
    expect([...timers.values()]).toEqual([7000])
    for (const fire of timers.keys()) fire()
    const error = (await pending) as TransportError
    expect(error).toBeInstanceOf(TransportError)
    expect(error).toMatchObject({ code: 'ETIMEDOUT', message: expect.stringContaining(`Cannot complete GET /slow at ${url}:`) })
    expect(timers.size).toBe(0)
  })

  test('says that the connection was refused', async () => {
    const { url, server } = await serve(() => undefined)
    await new Promise((resolve) => server.close(resolve))
    const error = await rejection(connect({ server: url }).request(get('/api')))
    expect(error).toBeInstanceOf(TransportError)
    expect(error).toMatchObject({ code: 'ECONNREFUSED', message: expect.stringContaining(`Cannot complete GET /api at ${url}: `) })
  })

  test('reports a body that breaks off, after what came', async () => {
    const { url } = await serve((_, response) => {
      response.write('x', () => response.destroy())
    })
    const chunks = chunksOf(await connect({ server: url }).request(get()))
    expect((await chunks.next()).done).toBe(false)
    expect(await rejection(chunks.next())).toMatchObject({ name: 'TransportError', code: 'ECONNRESET' })
    expect((await chunks.next()).done).toBe(true)
  })

  test('sends a read again when a kept connection is dead, once, and a write not at all', async () => {
    const requests: string[] = []
    let isDead = false
    const { url } = await serve((request, response: ServerResponse) => {
      requests.push(`${request.method} ${request.url}`)
      if (isDead && !request.url?.includes('alive')) request.socket.destroy()
      else response.end('x')
      if (request.url === '/alive-again') isDead = false
    })
    const transport = connect({ server: url })
    await transport.request(get('/1'))
    isDead = true
    expect(await rejection(transport.request(get('/2')))).toMatchObject({ code: 'ECONNRESET' })
    expect(requests.splice(0)).toEqual(['GET /1', 'GET /2', 'GET /2'])

    await transport.request(get('/alive'))
    expect(await rejection(transport.request({ method: 'POST', path: '/3', headers: {} }))).toMatchObject({ code: 'ECONNRESET' })
    expect(requests).toEqual(['GET /alive', 'POST /3'])
  })

  test('fails what is under way when it is closed, refuses what comes later, and leaves no connection', async () => {
    let arrived: () => void = () => undefined
    const seen = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const { url, server, sockets } = await serve((request, response) => {
      if (request.url === '/idle') response.end('x')
      else if (request.url === '/stream') response.write('x')
      else arrived()
    })
    const transport = connect({ server: url })
    const chunks = chunksOf(await transport.request(get('/stream')))
    await chunks.next()
    await transport.request(get('/idle'))
    const head = rejection(transport.request(get('/never')))
    const body = rejection(chunks.next())
    await seen
    const gone = Promise.all([...sockets].map((socket) => once(socket, 'close')))
    await transport.close()
    const message = expect.stringContaining(`the transport to ${url} was closed`)
    expect(await head).toMatchObject({ name: 'TransportError', code: 'ECONNABORTED', message })
    expect(await body).toMatchObject({ name: 'TransportError', code: 'ECONNABORTED' })
    expect(await rejection(transport.request(get()))).toMatchObject({ code: 'ECONNABORTED', message })
    await gone
    server.close()
    await once(server, 'close')
  })

  test('asks for gzip from other hosts only, and unpacks it', async () => {
    const seen: (string | undefined)[] = []
    const { url } = await serve((request, response) => {
      seen.push(request.headers['accept-encoding'] as string | undefined)
      const body = gzipSync('unpacked')
      if (seen.length === 1) response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length }).end(body)
      else response.end('plain')
    })
    // Linux and macOS connect 0.0.0.0 to this host, and it is not a loopback address.
    const elsewhere = url.replace('127.0.0.1', '0.0.0.0')
    expect(await text(await connect({ server: elsewhere }).request(get()))).toBe('unpacked')
    await connect({ server: url }).request(get())
    await connect({ server: elsewhere, disableCompression: true }).request(get())
    expect(seen).toEqual(['gzip', undefined, undefined])
  })

  test('presents impersonation as headers, with keys that a header may hold', async () => {
    const { url } = await serve((request, response) => response.end(JSON.stringify(request.headersDistinct)))
    const impersonate = { user: 'jane', uid: '7', groups: ['a', 'b'], extra: { 'acme.com/Scope': ['x'] } }
    const headers = JSON.parse(await text(await connect({ server: url, impersonate }).request(get())))
    expect(headers).toMatchObject({
      'impersonate-user': ['jane'],
      'impersonate-uid': ['7'],
      'impersonate-group': ['a', 'b'],
      'impersonate-extra-acme.com%2fscope': ['x'],
    })
  })

  test('refuses a server that is no URL', () => {
    expect(() => connect({ server: 'somewhere' })).toThrow('expected e.g. https://host:6443')
  })
})

describe('credentials', () => {
  let folder: string | undefined
  afterEach(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true })
    folder = undefined
  })

  const authorization = (response: TransportResponse) => response.headers['x-authorization']

  /** Answers 401 to the tokens in `rejected`. */
  async function tokenServer(rejected: Set<string> = new Set()): Promise<string> {
    const { url } = await serve((request, response) => {
      const { authorization = 'none' } = request.headers
      response.setHeader('x-authorization', authorization)
      response.statusCode = rejected.has(authorization) ? 401 : 200
      response.end('{}')
    })
    return url
  }

  test('presents basic authentication, a token, and what the request itself says', async () => {
    const server = await tokenServer()
    expect(authorization(await connect({ server, username: 'u', password: 'p' }).request(get()))).toBe('Basic dTpw')
    const transport = connect({ server, token: 't' })
    expect(authorization(await transport.request(get()))).toBe('Bearer t')
    expect(authorization(await transport.request(get('/', { headers: { authorization: 'Bearer mine' } })))).toBe('Bearer mine')
  })

  test('reads a token file again after 60 s, and at once after a 401', async () => {
    folder = await mkdtemp(join(tmpdir(), 'steersman-token-'))
    const tokenFile = join(folder, 'token')
    const rejected = new Set<string>()
    const { environment, clock } = manualEnvironment()
    const transport = connect({ server: await tokenServer(rejected), tokenFile }, { environment })
    await writeFile(tokenFile, 'one\n')
    expect(authorization(await transport.request(get()))).toBe('Bearer one')
    await writeFile(tokenFile, 'two\n')
    clock.ms = 59_999
    expect(authorization(await transport.request(get()))).toBe('Bearer one')
    clock.ms = 60_000
    expect(authorization(await transport.request(get()))).toBe('Bearer two')
    await writeFile(tokenFile, 'three')
    rejected.add('Bearer two')
    const response = await transport.request(get())
    expect([response.status, authorization(response)]).toEqual([200, 'Bearer three'])
    // The same token again would be rejected again.
    rejected.add('Bearer three')
    expect((await transport.request(get())).status).toBe(401)
    // The file is gone for a moment, e.g. while it is replaced.
    rejected.clear()
    clock.ms += 60_000
    await rm(tokenFile)
    expect(authorization(await transport.request(get()))).toBe('Bearer three')
  })

  test('names the token file that cannot be read', async () => {
    const transport = connect({ server: await tokenServer(), tokenFile: '/no/such/token' })
    expect(await rejection(transport.request(get()))).toMatchObject({
      name: 'ClientConfigError',
      code: 'CONFIG_UNREADABLE',
      message: 'Cannot read token file /no/such/token: ENOENT',
    })
  })

  test('runs a credential plugin once for many requests, again before its token expires and after a 401', async () => {
    folder = await mkdtemp(join(tmpdir(), 'steersman-plugin-'))
    const counter = join(folder, 'runs')
    const script = `
      const fs = require('node:fs')
      fs.appendFileSync(${JSON.stringify(counter)}, 'x')
      const token = 'run' + fs.readFileSync(${JSON.stringify(counter)}).length
      const expirationTimestamp = new Date(token === 'run1' ? 100_000 : 100_000_000).toISOString()
      process.stdout.write(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token, expirationTimestamp } }))`
    const rejected = new Set<string>()
    const { environment, clock } = manualEnvironment()
    const server = await tokenServer(rejected)
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1' as const,
      command: process.execPath,
      args: ['-e', script],
      interactiveMode: 'Never' as const,
    }
    const transport = connect({ server, exec }, { environment })
    const first = await Promise.all([transport.request(get()), transport.request(get()), transport.request(get())])
    expect(first.map(authorization)).toEqual(['Bearer run1', 'Bearer run1', 'Bearer run1'])
    clock.ms = 80_000
    expect(authorization(await transport.request(get()))).toBe('Bearer run1')
    clock.ms = 95_000
    expect(authorization(await transport.request(get()))).toBe('Bearer run2')
    rejected.add('Bearer run2')
    const many = await Promise.all([transport.request(get()), transport.request(get())])
    expect(many.map(authorization)).toEqual(['Bearer run3', 'Bearer run3'])
    // A token in the configuration makes the plugin unnecessary.
    expect(authorization(await connect({ server, exec, token: 't' }, { environment }).request(get()))).toBe('Bearer t')
  })
})

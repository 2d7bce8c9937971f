import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { Http2SecureServer, SecureServerOptions, ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import { constants, createSecureServer } from 'node:http2'
import { createServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import type { Environment, Transport, TransportResponse } from '../environment/index.js'
import { systemEnvironment } from '../environment/index.js'
import { CertificateAuthority } from '../internal/index.js'
import type { ClientConfig, HttpTransportOptions } from './index.js'
import { createHttpTransport } from './index.js'

const validity = { notBefore: Date.UTC(2000, 0, 1), notAfter: Date.UTC(2049, 0, 1) }
const randomBytes = (length: number) => new Uint8Array(length).fill(7)
const authority = new CertificateAuthority({ commonName: 'test authority', randomBytes, ...validity })
const serverPair = authority.issueServerCertificate({
  commonName: 'server',
  dnsNames: ['api.example'],
  ipAddresses: ['127.0.0.1'],
  ...validity,
})
const clientPair = (commonName: string) => authority.issueClientCertificate({ commonName, ...validity })

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface TestServer {
  readonly server: Http2SecureServer
  readonly url: string
  readonly sessions: ServerHttp2Session[]
}

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('secureConnection', (socket: TLSSocket) => {
    sockets.add(socket)
    // Whoever is told that the client hung up is not what these tests are about.
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function serve(onStream: (stream: ServerHttp2Stream, path: string) => void, options: SecureServerOptions = {}): Promise<TestServer> {
  const server = createSecureServer({ cert: serverPair.certificate, key: serverPair.privateKey, ...options })
  const sessions: ServerHttp2Session[] = []
  server.on('session', (session) => sessions.push(session))
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined)
    onStream(stream, String(headers[':path']))
  })
  return { server, url: await listen(server), sessions }
}

const answer = (stream: ServerHttp2Stream, text = 'ok') => {
  stream.respond({ ':status': 200, 'content-length': text.length })
  stream.end(text)
}

function connect(config: ClientConfig, options: Partial<HttpTransportOptions> = {}): Transport {
  const tls = { certificateAuthority: { data: authority.pair.certificate }, ...config.tls }
  const transport = createHttpTransport({ environment: systemEnvironment, ...options, config: { ...config, tls } })
  cleanups.push(() => transport.close())
  return transport
}

const get = (path = '/', more: object = {}) => ({ method: 'GET', path, headers: {}, ...more })
const post = (path: string) => ({ method: 'POST', path, headers: {}, body: { kind: 'value' as const, value: {} } })

const textOf = ({ body }: TransportResponse) => (body.kind === 'bytes' ? Buffer.from(body.bytes).toString() : body.kind)

const chunksOf = (response: TransportResponse): AsyncIterator<Uint8Array> => {
  if (response.body.kind !== 'byte-stream') throw new Error(`not a stream but ${response.body.kind}`)
  return response.body.chunks[Symbol.asyncIterator]()
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it should have been rejected'),
    (reason: unknown) => reason,
  )

describe('HTTP transport over TLS', () => {
  test('speaks HTTP/2 when the server does, all requests on one connection', async () => {
    const { url, sessions } = await serve((stream, path) => answer(stream, path))
    const transport = connect({ server: url })
    const responses = await Promise.all(
      ['/a', '/b?c=d', '/e'].map((path) => transport.request(get(path.split('?')[0], { query: new URLSearchParams(path.split('?')[1]) }))),
    )
    expect(responses.map(textOf)).toEqual(['/a', '/b?c=d', '/e'])
    expect(responses[0]?.headers).toEqual(expect.not.objectContaining({ ':status': expect.anything() }))
    expect(sessions.length).toBe(1)
  })

  test('speaks HTTP/1.1 when the server does not speak HTTP/2, on the connection that asked, and when told to', async () => {
    const server = createServer({ cert: serverPair.certificate, key: serverPair.privateKey }, (request, response) =>
      response.end(request.httpVersion),
    )
    let connections = 0
    server.on('secureConnection', () => connections++)
    const transport = connect({ server: await listen(server) })
    expect(textOf(await transport.request(get()))).toBe('1.1')
    expect(textOf(await transport.request(get()))).toBe('1.1')
    expect(connections).toBe(1)

    const both = createSecureServer({ cert: serverPair.certificate, key: serverPair.privateKey, allowHTTP1: true }, (request, response) =>
      response.end(request.httpVersion),
    )
    expect(textOf(await connect({ server: await listen(both) }, { protocol: 'http1' }).request(get()))).toBe('1.1')
  })

  test('opens another connection when the streams of the first are used up', async () => {
    const { url, sessions } = await serve(
      (stream) => {
        stream.respond({ ':status': 200 })
        stream.write('x')
      },
      { settings: { maxConcurrentStreams: 2 } },
    )
    const transport = connect({ server: url })
    const responses = await Promise.all(Array.from({ length: 5 }, () => transport.request(get())))
    expect(responses.length).toBe(5)
    expect(sessions.length).toBe(3)
  })

  test('opens another connection when the server says to go away, and finishes what was begun on the first', async () => {
    const { url, sessions } = await serve((stream, path) => {
      if (path !== '/watch') return answer(stream)
      stream.respond({ ':status': 200 })
      stream.write('one')
      stream.session?.goaway()
      release = () => stream.end('two')
    })
    let release: () => void = () => undefined
    const transport = connect({ server: url })
    const chunks = chunksOf(await transport.request(get('/watch')))
    await chunks.next()
    const responses = [await transport.request(post('/a')), await transport.request(get('/b'))]
    expect(responses.map(textOf)).toEqual(['ok', 'ok'])
    expect(sessions.length).toBe(2)
    release()
    expect(Buffer.from((await chunks.next()).value).toString()).toBe('two')
    expect((await chunks.next()).done).toBe(true)
  })

  test('sends again what the server refused without looking at it, once, writes too', async () => {
    const paths: string[] = []
    const { url } = await serve((stream, path) => {
      paths.push(path)
      const isFirst = paths.filter((seen) => seen === path).length === 1
      if (path === '/never' || (path === '/once' && isFirst)) stream.close(constants.NGHTTP2_REFUSED_STREAM)
      else answer(stream)
    })
    const transport = connect({ server: url })
    await transport.request(get('/'))
    expect(textOf(await transport.request(post('/once')))).toBe('ok')
    expect(await rejection(transport.request(post('/never')))).toMatchObject({ name: 'TransportError' })
    expect(paths).toEqual(['/', '/once', '/once', '/never', '/never'])
  })

  test('sends a read again when a used connection is lost before the answer, and a write not', async () => {
    const paths: string[] = []
    const { url, sessions } = await serve((stream, path) => {
      paths.push(path)
      if (path === '/ok' || paths.filter((seen) => seen === path).length > 1) answer(stream)
      else sessions.at(-1)?.destroy()
    })
    const transport = connect({ server: url })
    await transport.request(get('/ok'))
    expect(textOf(await transport.request(get('/read')))).toBe('ok')
    expect(await rejection(transport.request(post('/write')))).toMatchObject({ name: 'TransportError', code: 'ECONNRESET' })
    expect(paths).toEqual(['/ok', '/read', '/read', '/write'])
  })

  test('ends only the stream on abort', async () => {
    const closed: string[] = []
    const { url, sessions } = await serve((stream, path) => {
      if (path === '/short') return answer(stream)
      stream.once('close', () => {
        closed.push(path)
        left()
      })
      stream.respond({ ':status': 200 })
      stream.write('x')
    })
    let left: () => void = () => undefined
    const gone = new Promise<void>((resolve) => {
      left = resolve
    })
    const transport = connect({ server: url })
    const controller = new AbortController()
    const chunks = chunksOf(await transport.request(get('/watch', { signal: controller.signal })))
    await chunks.next()
    const next = rejection(chunks.next())
    const reason = new Error('enough')
    controller.abort(reason)
    expect(await next).toBe(reason)
    await gone
    expect(textOf(await transport.request(get('/short')))).toBe('ok')
    expect(closed).toEqual(['/watch'])
    expect(sessions.length).toBe(1)
  })

  test.each([
    ['a stream that the server resets', (stream: ServerHttp2Stream) => stream.destroy(new Error('internal'))],
    ['a connection that is lost', (stream: ServerHttp2Stream) => stream.session?.destroy()],
  ])('reports %s in the middle of a body', async (_, breakOff) => {
    const { url } = await serve((stream) => {
      stream.respond({ ':status': 200 })
      stream.write('x')
      release = () => breakOff(stream)
    })
    let release: () => void = () => undefined
    const chunks = chunksOf(await connect({ server: url }).request(get()))
    expect((await chunks.next()).done).toBe(false)
    const next = rejection(chunks.next())
    release()
    expect(await next).toMatchObject({ name: 'TransportError', code: 'ECONNRESET' })
  })

  test('makes a server wait whose reader is slow', async () => {
    let stalled: () => void = () => undefined
    const stall = new Promise<void>((resolve) => {
      stalled = resolve
    })
    let sent = 0
    const { url } = await serve(async (stream) => {
      stream.respond({ ':status': 200 })
      for (; sent < 100; sent++) {
        if (stream.write(Buffer.alloc(1024 * 1024))) continue
        const timer = setTimeout(stalled, 500)
        await once(stream, 'drain')
        clearTimeout(timer)
      }
      stream.end()
    })
    const chunks = chunksOf(await connect({ server: url }).request(get()))
    await chunks.next()
    await stall
    expect(sent).toBeLessThan(30)
    let received = 0
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) received += next.value.length
    expect(received).toBeGreaterThan(90 * 1024 * 1024)
  })

  test('gives up a connection that does not answer a ping, and asks none that speaks', async () => {
    const timers: { readonly milliseconds: number; readonly fire: () => void }[] = []
    const environment: Environment = {
      ...systemEnvironment,
      timer: (milliseconds, fire) => {
        const entry = { milliseconds, fire }
        timers.push(entry)
        return { cancel: () => timers.includes(entry) && timers.splice(timers.indexOf(entry), 1) }
      },
    }
    const { url } = await serve((stream) => {
      stream.respond({ ':status': 200 })
      stream.write('x')
    })
    const chunks = chunksOf(await connect({ server: url }, { environment }).request(get()))
    await chunks.next()
    const next = rejection(chunks.next())
    // The first check sees the bytes of the head.
    timers.at(-1)?.fire()
    expect(timers.at(-1)?.milliseconds).toBe(30_000)
    timers.at(-1)?.fire()
    // The answer is on its way, but the time is over.
    expect(timers.at(-1)?.milliseconds).toBe(15_000)
    timers.at(-1)?.fire()
    expect(await next).toMatchObject({ name: 'TransportError', code: 'ETIMEDOUT' })
  })

  test('leaves no connection after close', async () => {
    const { url, server } = await serve((stream) => {
      stream.respond({ ':status': 200 })
      stream.write('x')
    })
    const transport = connect({ server: url })
    const chunks = chunksOf(await transport.request(get()))
    await chunks.next()
    const next = rejection(chunks.next())
    await transport.close()
    expect(await next).toMatchObject({ code: 'ECONNABORTED' })
    await new Promise((resolve) => server.close(resolve))
  })

  test('refuses a certificate of an unknown authority or for another name, unless told not to care', async () => {
    const { url } = await serve((stream) => answer(stream))
    const other = new CertificateAuthority({ commonName: 'other authority', randomBytes, ...validity })
    const untrusted = connect({ server: url, tls: { certificateAuthority: { data: other.pair.certificate } } })
    expect(await rejection(untrusted.request(get()))).toMatchObject({
      name: 'TransportError',
      code: expect.stringMatching(/CERT|SIGNATURE/),
    })
    const misnamed = connect({ server: url, tls: { serverName: 'other.example' } })
    expect(await rejection(misnamed.request(get()))).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    expect(textOf(await connect({ server: url, tls: { serverName: 'api.example' } }).request(get()))).toBe('ok')
    expect(textOf(await connect({ server: url, tls: { serverName: 'x', insecureSkipVerify: true } }).request(get()))).toBe('ok')
  })

  test('presents a client certificate, and the new one after its files have changed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'steersman-certificate-'))
    cleanups.push(() => rm(folder, { recursive: true }))
    const write = async (name: string) => {
      const pair = clientPair(name)
      await writeFile(join(folder, 'tls.crt'), pair.certificate)
      await writeFile(join(folder, 'tls.key'), pair.privateKey)
    }
    const names: string[] = []
    const { url } = await serve(
      (stream) => {
        const socket = stream.session?.socket as TLSSocket | undefined
        names.push(String(socket?.getPeerCertificate().subject.CN))
        answer(stream)
      },
      { requestCert: true, ca: authority.pair.certificate },
    )
    let now = 0
    const environment = { ...systemEnvironment, monotonicMs: () => now }
    const tls = { certificate: { file: join(folder, 'tls.crt') }, key: { file: join(folder, 'tls.key') } }
    const transport = connect({ server: url, tls }, { environment })
    await write('jane')
    await transport.request(get())
    await write('june')
    await transport.request(get())
    now = 60_000
    await transport.request(get())
    expect(names).toEqual(['jane', 'jane', 'june'])
  })
})

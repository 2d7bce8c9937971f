import { randomBytes } from 'node:crypto'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:tls'
import { systemEnvironment } from 'steersman/environment'
import { discardLogger } from 'steersman/internal'
import { afterEach, expect, test } from 'vitest'
import { type HttpsListener, serveHttps } from './http.js'
import { makeServingCertificates } from './http-certificates.js'

let listener: HttpsListener | undefined
afterEach(() => listener?.close())

async function listen(silenceMs: number): Promise<number> {
  const { server } = makeServingCertificates(Date.now(), 'localhost')
  listener = await serveHttps({
    handler: async () => ({ status: 200, headers: {}, body: { kind: 'empty' } }),
    environment: systemEnvironment,
    logger: discardLogger,
    host: '127.0.0.1',
    port: 0,
    ...server,
    clientAuthority: '',
    silenceMs,
  })
  return listener.port
}

/** Of settings, and of data for a stream that nobody opened. */
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const settings = Buffer.from('000000040000000000', 'hex')
const brokenFrames: Readonly<Record<string, Buffer>> = {
  'data for no stream': Buffer.concat([Buffer.from('000005000000000001', 'hex'), randomBytes(5)]),
  'headers that are none': Buffer.concat([Buffer.from('000014010400000001', 'hex'), Buffer.alloc(20, 0xff)]),
  'a ping of three bytes': Buffer.from('000003060000000000aaaaaa', 'hex'),
}

test.each(Object.keys(brokenFrames))('a connection with %s is closed, though Node reads no more of it', async (name) => {
  const port = await listen(50)
  await new Promise<void>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['h2'] }, () =>
      socket.write(Buffer.concat([preface, settings, brokenFrames[name] as Buffer])),
    )
    socket.on('data', () => {})
    socket.on('error', () => {})
    socket.on('close', () => resolve())
  })
})

test('a silent connection of a peer that is there stays open', async () => {
  const port = await listen(20)
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  let pings = 0
  await new Promise<void>((resolve) => {
    session.on('ping', () => {
      if (++pings === 3) resolve()
    })
  })
  expect(session.closed).toBe(false)
  session.destroy()
})

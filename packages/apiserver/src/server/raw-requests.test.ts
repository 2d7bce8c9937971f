import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { type ControlPlane, startControlPlane } from './control-plane.js'

const started: ControlPlane[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((controlPlane) => controlPlane.stop()))
})

/** Starts a server where a token makes an administrator of who has it. */
async function start(): Promise<ControlPlane> {
  const tokens = new Map([['admin', { name: 'admin', groups: ['system:masters'] }]])
  const controlPlane = await startControlPlane({ controllers: 'none', port: 0, tokens })
  started.push(controlPlane)
  return controlPlane
}

/** Everything the server says to these bytes until it closes the connection. */
function exchange({ url = '' }: ControlPlane, text: string): Promise<string> {
  const { port, hostname } = new URL(url)
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => socket.write(text, 'latin1'))
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1')
    })
    // What is left to send when the server closes is nobody's concern.
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })
}

const request = (target: string, headers = '') =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\nConnection: close\r\n${headers}\r\n`

const statusOf = (answer: string) => answer.split(' ', 2)[1]

// The statuses are those of a real kube-apiserver, which answers a method that nobody knows with 405 and a bad chunk with 500.
describe('bytes that are no proper request', () => {
  test.each([
    ['garbage', '\x00\x01\x02 garbage\r\n\r\n', '400'],
    ['a header without a colon', 'GET /healthz HTTP/1.1\r\nHost: x\r\nBad Header\r\n\r\n', '400'],
    ['a length that is no number', 'POST /api/v1/namespaces HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n', '400'],
    ['a method that nobody knows', 'FOO /api/v1/namespaces HTTP/1.1\r\nHost: x\r\n\r\n', '400'],
    ['a bad chunk', 'POST /api/v1/namespaces HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', '400'],
    ['more headers than a megabyte', request('/healthz', `X-A: ${'a'.repeat(1_500_000)}\r\n`), '431'],
  ])('%s are answered, and the connection is closed', async (_what, text, status) => {
    expect(statusOf(await exchange(await start(), text))).toBe(status)
  })
})

describe('unusual requests are understood', () => {
  test.each([
    ['a URL of its own', request('https://x/api/v1/namespaces/default'), '200'],
    ['a query of 200 KB', request(`/api/v1/namespaces/default?x=${'a'.repeat(200_000)}`), '200'],
    ['a header of 40 KB', request('/api/v1/namespaces/default', `X-A: ${'a'.repeat(40_000)}\r\n`), '200'],
    ['a slash that is percent-encoded', request('/api/v1/namespaces%2Fdefault/configmaps'), '200'],
    ['a slash at the end', request('/api/v1/namespaces/default//'), '200'],
    ['two slashes at the beginning', request('//api/v1/namespaces/default'), '404'],
    ['a check of health with a slash at the end', request('/healthz/'), '404'],
    ['the old path of a watch with another method', request('/api/v1/watch/namespaces').replace('GET', 'DELETE'), '405'],
  ])('%s', async (_what, text, status) => {
    expect(statusOf(await exchange(await start(), text))).toBe(status)
  })

  test('headers of 40 KB over HTTP/2, and a method that is a member of every object', async () => {
    const { url = '' } = await start()
    const session = connectHttp2(url, { rejectUnauthorized: false })
    const status = (headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        const stream = session.request({ ':path': '/api/v1/namespaces', authorization: 'Bearer admin', ...headers })
        stream.on('response', (head) => resolve(head[':status'])).on('error', reject)
        stream.resume()
      })
    expect(await status({ 'x-a': 'a'.repeat(40_000) })).toBe(200)
    for (const method of ['constructor', '__proto__', 'FOO']) expect(await status({ ':method': method }), method).toBe(405)
    session.destroy()
  })
})

/** Who a real server says that asks with these headers. */
describe('credentials in headers are read', () => {
  const bearer = 'Authorization: Bearer admin'
  const user = (name: string, rest: object = {}) => ({ username: name, ...rest })
  const admin = user('admin', { groups: ['system:masters', 'system:authenticated'] })
  const bob = (extra: object) => user('bob', { groups: ['system:authenticated'], extra })
  test.each([
    ['whose first word is in small letters', 'authorization: bearer admin', admin],
    ['up to the second word', `${bearer} extra`, admin],
    ['of the first of two headers', `${bearer}\r\nAuthorization: Bearer wrong`, admin],
    ['and refused for their second word', 'Authorization: Bearer wrong extra', 401],
    ['as none when there are two spaces', 'Authorization: Bearer  admin', 403],
    ['as none when there is a tab', 'Authorization: Bearer\tadmin', 403],
    ['as none when there is no token', 'Authorization: Bearer ', 403],
    [
      'with what else is known of a user, whatever it is called',
      `${bearer}\r\nImpersonate-User: bob\r\nImpersonate-Extra-__proto__: x`,
      bob(JSON.parse('{"__proto__":["x"]}') as object),
    ],
    [
      'with everything that is known under one name',
      `${bearer}\r\nImpersonate-User: bob\r\nImpersonate-Extra-a: x\r\nImpersonate-Extra-%61: y`,
      bob({ a: ['x', 'y'] }),
    ],
  ])('%s', async (_how, headers, expected) => {
    const head = 'POST /apis/authentication.k8s.io/v1/selfsubjectreviews HTTP/1.1\r\nHost: x\r\nContent-Type: application/json'
    const answer = await exchange(await start(), `${head}\r\n${headers}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`)
    const { code, status } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as { code?: number; status?: { userInfo?: object } }
    expect(code ?? status?.userInfo).toEqual(expected)
  })
})

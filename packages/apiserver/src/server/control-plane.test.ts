import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type ClientHttp2Stream, connect, type SecureClientSessionOptions } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createHttpTransport, loadClientConfig } from 'steersman/client'
import { createLocalNetwork, systemEnvironment, VirtualWorld } from 'steersman/environment'
import { CertificateAuthority } from 'steersman/internal'
import { afterEach, describe, expect, test } from 'vitest'
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from './control-plane.js'
import { http1Sender, http2Sender } from './senders.testing.js'

const started: ControlPlane[] = []
const folders: string[] = []

async function start(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const controlPlane = await startControlPlane({ controllers: 'none', ...options })
  started.push(controlPlane)
  return controlPlane
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'steersman-test-'))
  folders.push(path)
  return path
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((controlPlane) => controlPlane.stop()))
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true })
})

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly bytes: Buffer
}

function httpsGet(url: string, options: object = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    httpsRequest(url, { rejectUnauthorized: false, agent: false, ...options }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }))
    })
      .on('error', reject)
      .end()
  })
}

function credentialsOf({ clientConfig }: ControlPlane): { ca: string; cert: string; key: string } {
  const tls = clientConfig?.tls as Record<string, { readonly data: string }>
  return { ca: tls.certificateAuthority?.data ?? '', cert: tls.certificate?.data ?? '', key: tls.key?.data ?? '' }
}

const statusOf = ({ bytes }: Answer) => JSON.parse(bytes.toString()) as { reason?: string; message?: string }

describe('credentials', () => {
  test('a client certificate of the server’s authority proves user and groups', async () => {
    const controlPlane = await start({ port: 0 })
    expect((await httpsGet(`${controlPlane.url}/api/v1/namespaces`, credentialsOf(controlPlane))).status).toBe(200)
  })

  test('without credentials only health and version are answered', async () => {
    const { url } = await start({ port: 0 })
    for (const path of ['/healthz', '/livez', '/readyz', '/version']) expect((await httpsGet(url + path)).status, path).toBe(200)
    const refused = await httpsGet(`${url}/api/v1/namespaces/default/pods`)
    expect(refused.status).toBe(403)
    expect(statusOf(refused).message).toBe(
      'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" in the namespace "default"',
    )
    expect(statusOf(await httpsGet(`${url}/api`)).message).toBe('forbidden: User "system:anonymous" cannot get path "/api"')
  })

  test('a token that nobody has is refused everywhere', async () => {
    const { url } = await start({ port: 0, tokens: new Map([['right', { name: 'root', groups: ['system:masters'] }]]) })
    const wrong = { headers: { authorization: 'Bearer wrong' } }
    for (const path of ['/healthz', '/api/v1/pods']) {
      const refused = await httpsGet(url + path, wrong)
      expect(refused.status).toBe(401)
      expect(statusOf(refused)).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      })
    }
    expect((await httpsGet(`${url}/api/v1/pods`, { headers: { authorization: 'Bearer right' } })).status).toBe(200)
  })

  test('a certificate of another authority is refused', async () => {
    const { url } = await start({ port: 0 })
    const validity = { notBefore: Date.now() - 1000, notAfter: Date.now() + 60_000 }
    const foreign = new CertificateAuthority({ commonName: 'steersman-ca', randomBytes: (length) => new Uint8Array(length), ...validity })
    const { certificate, privateKey } = foreign.issueClientCertificate({
      commonName: 'kubernetes-admin',
      organizations: ['system:masters'],
      ...validity,
    })
    const refused = await httpsGet(`${url}/api/v1/pods`, { cert: certificate, key: privateKey })
    expect(refused.status).toBe(401)
  })

  test('a known user who is no master may discover and nothing else', async () => {
    const controlPlane = await start({ port: 0, tokens: new Map([['t', { name: 'bob', groups: [] }]]) })
    const headers = { authorization: 'Bearer t' }
    expect((await httpsGet(`${controlPlane.url}/apis`, { headers })).status).toBe(200)
    const refused = await httpsGet(`${controlPlane.url}/apis/apps/v1/deployments`, { headers })
    expect(statusOf(refused).message).toBe(
      'deployments.apps is forbidden: User "bob" cannot list resource "deployments" in API group "apps" at the cluster scope',
    )
  })

  test('a master may act as somebody else, and is then that user', async () => {
    const controlPlane = await start({ port: 0 })
    const admin = credentialsOf(controlPlane)
    const asBob = { ...admin, headers: { 'impersonate-user': 'bob' } }
    const refused = await httpsGet(`${controlPlane.url}/api/v1/namespaces/default/configmaps/x`, asBob)
    expect(statusOf(refused).message).toBe(
      'configmaps "x" is forbidden: User "bob" cannot get resource "configmaps" in API group "" in the namespace "default"',
    )
    const asMaster = { ...admin, headers: { 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' } }
    expect((await httpsGet(`${controlPlane.url}/api/v1/pods`, asMaster)).status).toBe(200)
    const nobody = await httpsGet(`${controlPlane.url}/api/v1/pods`, { ...admin, headers: { 'impersonate-group': 'g' } })
    expect(nobody.status).toBe(400)
  })

  test('who is no master may not act as somebody else', async () => {
    const { url } = await start({ port: 0, tokens: new Map([['t', { name: 'bob' }]]) })
    const refused = await httpsGet(`${url}/apis`, { headers: { authorization: 'Bearer t', 'impersonate-user': 'alice' } })
    expect(refused.status).toBe(403)
    expect(statusOf(refused).message).toBe('forbidden: User "bob" cannot impersonate-on:user-info:get path "/apis"')
  })

  test('always-allow lets everybody in, when it is asked for', async () => {
    const { url } = await start({ port: 0, authorization: 'always-allow' })
    expect((await httpsGet(`${url}/api/v1/pods`)).status).toBe(200)
  })
})

describe('listening', () => {
  test('a port in use is said with the port and what to do', async () => {
    const { url } = await start({ port: 0 })
    const port = Number(new URL(url ?? '').port)
    await expect(startControlPlane({ port, controllers: 'none' })).rejects.toMatchObject({
      name: 'ListenError',
      code: 'CANNOT_LISTEN',
      message: `Cannot listen on 127.0.0.1:${port}: the port is in use; stop what uses it or choose another port (0: one that is free)`,
    })
  })

  test('the kubeconfig is readable by its owner only and leads to the server', async () => {
    const kubeconfigPath = join(folder(), 'kubeconfig')
    writeFileSync(kubeconfigPath, 'old', { mode: 0o644 })
    const controlPlane = await start({ kubeconfigPath })
    expect(statSync(kubeconfigPath).mode & 0o777).toBe(0o600)
    expect(readFileSync(kubeconfigPath, 'utf8')).toBe(controlPlane.kubeconfig)
    const config = await loadClientConfig({ kubeconfig: kubeconfigPath })
    expect(config.server).toBe(controlPlane.url)
    const transport = createHttpTransport({ environment: systemEnvironment, config })
    const response = await transport.request({ method: 'GET', path: '/api/v1/namespaces', headers: {} })
    expect(response.status).toBe(200)
    await transport.close()
  })

  test('a kubeconfig that cannot be written is an error, and nothing stays open', async () => {
    const kubeconfigPath = join(folder(), 'missing', 'kubeconfig')
    await expect(startControlPlane({ kubeconfigPath, controllers: 'none' })).rejects.toMatchObject({
      code: 'CANNOT_WRITE_KUBECONFIG',
      message: `Cannot write the kubeconfig ${kubeconfigPath}: no such file or directory; choose a file in a folder that exists and is writable`,
    })
  })

  test('in a network of the environment it listens there', async () => {
    const network = createLocalNetwork(systemEnvironment)
    const environment = { ...systemEnvironment, network }
    const controlPlane = await start({ environment, host: 'cluster' })
    expect(controlPlane.url).toBe('https://cluster:6443')
    const transport = network.connect('https://cluster:6443', { user: { name: 'a', groups: ['system:masters'] } })
    const response = await transport.request({ method: 'GET', path: '/api/v1/namespaces', headers: {} })
    expect(response.status).toBe(200)
    const anonymous = await network.connect('https://cluster:6443').request({ method: 'GET', path: '/api/v1/pods', headers: {} })
    expect(anonymous.status).toBe(403)
  })

  test('it starts and answers in virtual time', async () => {
    const world = new VirtualWorld({ seed: 1 })
    const process = world.process('server')
    const status = await world.run(
      (async () => {
        const controlPlane = await startControlPlane({ environment: process, controllers: 'none' })
        const response = await controlPlane.transport().request({ method: 'GET', path: '/api/v1/namespaces', headers: {} })
        await controlPlane.stop()
        return response.status
      })(),
    )
    expect(status).toBe(200)
  })

  test('options that make no sense are refused before anything starts', async () => {
    await expect(startControlPlane({ nodes: -1 })).rejects.toThrow(RangeError)
    await expect(startControlPlane({ controllers: ['nothing'] })).rejects.toThrow(/Cannot start controller "nothing"/)
    await expect(startControlPlane({ runtimeConfig: { 'example.com/v1': true } })).rejects.toThrow('unknown api groups example.com/v1')
  })
})

describe('runtimeConfig', () => {
  const statusesOf = async (controlPlane: ControlPlane, ...paths: readonly string[]) => {
    const transport = controlPlane.transport()
    return Promise.all(paths.map(async (path) => (await transport.request({ method: 'GET', path, headers: {} })).status))
  }
  const deviceClasses = (version: string) => `/apis/resource.k8s.io/${version}/deviceclasses`

  test('turns a version on, and the others stay as they are', async () => {
    const controlPlane = await start({ runtimeConfig: { 'resource.k8s.io/v1beta1': true } })
    const services = '/apis/apiregistration.k8s.io/v1/apiservices'
    expect(await statusesOf(controlPlane, ...['v1', 'v1beta2', 'v1beta1'].map(deviceClasses))).toEqual([200, 404, 200])
    expect(await statusesOf(controlPlane, `${services}/v1beta1.resource.k8s.io`, `${services}/v1beta2.resource.k8s.io`)).toEqual([200, 404])
  })

  test('can turn off all but the core', async () => {
    const controlPlane = await start({ runtimeConfig: { 'api/all': false, '/v1': true } })
    expect(await statusesOf(controlPlane, '/api/v1/namespaces/default', '/apis/apps/v1', deviceClasses('v1'))).toEqual([200, 404, 404])
  })

  test('can turn off a single resource', async () => {
    const controlPlane = await start({ runtimeConfig: { 'apps/v1/deployments': false } })
    expect(await statusesOf(controlPlane, '/apis/apps/v1/deployments', '/apis/apps/v1/replicasets')).toEqual([404, 200])
  })
})

describe('watches over HTTP', () => {
  function openWatch(
    session: ReturnType<typeof connect>,
    path: string,
  ): { stream: ClientHttp2Stream; head: Promise<number>; text: () => string } {
    const stream = session.request({ ':path': path })
    let text = ''
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    const head = new Promise<number>((resolve) => stream.on('response', (headers) => resolve(Number(headers[':status']))))
    return { stream, head, text: () => text }
  }

  test('a stop ends open watches properly and within a second', async () => {
    const controlPlane = await start({ port: 0 })
    const session = connect(controlPlane.url ?? '', credentialsOf(controlPlane) as SecureClientSessionOptions)
    session.on('error', () => {})
    const watches = Array.from({ length: 20 }, () => openWatch(session, '/api/v1/namespaces/default/pods?watch=1'))
    expect(new Set(await Promise.all(watches.map(({ head }) => head)))).toEqual(new Set([200]))
    const ended = Promise.all(
      watches.map(({ stream }) => new Promise<number>((resolve) => stream.on('close', () => resolve(stream.rstCode)))),
    )
    const before = performance.now()
    await controlPlane.stop()
    expect(performance.now() - before).toBeLessThan(1000)
    expect(new Set(await ended)).toEqual(new Set([0]))
    session.destroy()
  })

  test('a stop does not wait for idle connections, nor for a client that reads nothing', async () => {
    const controlPlane = await start({ port: 0 })
    const session = connect(controlPlane.url ?? '', credentialsOf(controlPlane) as SecureClientSessionOptions)
    session.on('error', () => {})
    const { stream, head } = openWatch(session, '/api/v1/namespaces?watch=1')
    await head
    stream.pause()
    const before = performance.now()
    await controlPlane.stop()
    await controlPlane.stop()
    expect(performance.now() - before).toBeLessThan(1000)
    session.destroy()
  })

  test('warnings quote text beyond ASCII as UTF-8, over both versions of HTTP', async () => {
    const controlPlane = await start({ port: 0 })
    const tls = credentialsOf(controlPlane)
    for (const open of [http1Sender, http2Sender]) {
      const sender = open({ url: controlPlane.url ?? '', tls })
      const body = { metadata: { generateName: 'w-' }, größe: 1 }
      const { status, headers } = await sender.send({ method: 'POST', target: '/api/v1/namespaces/default/configmaps', body })
      sender.close()
      expect(status).toBe(201)
      expect(Buffer.from(String(headers.warning), 'latin1').toString()).toBe('299 - "unknown field \\"größe\\""')
    }
  })

  test('large lists are compressed when the client asks for it', async () => {
    const controlPlane = await start({ port: 0 })
    const transport = controlPlane.transport()
    const value = 'x'.repeat(100_000)
    for (const name of ['a', 'b']) {
      const body = { kind: 'value' as const, value: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } } }
      await transport.request({ method: 'POST', path: '/api/v1/namespaces/default/configmaps', headers: {}, body })
    }
    const target = `${controlPlane.url}/api/v1/namespaces/default/configmaps`
    const plain = await httpsGet(target, credentialsOf(controlPlane))
    expect(plain.headers['content-encoding']).toBeUndefined()
    const compressed = await httpsGet(target, { ...credentialsOf(controlPlane), headers: { 'accept-encoding': 'gzip' } })
    expect(compressed.headers['content-encoding']).toBe('gzip')
    expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 10)
    expect(gunzipSync(compressed.bytes)).toEqual(plain.bytes)
  })
})

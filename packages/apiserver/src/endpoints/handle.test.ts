import { systemEnvironment, type TransportRequest, type TransportResponse } from 'steersman/environment'
import { discardLogger, type Logger } from 'steersman/internal'
import { describe, expect, test } from 'vitest'
import type { Registry, ResourceStore, ServedResource } from '../contracts/index.js'
import { createRequestHandler } from './handle.js'
import { version } from './version.js'

const served: ServedResource = {
  type: {
    group: '',
    version: 'v1',
    kind: 'ConfigMap',
    plural: 'configmaps',
    singular: 'configmap',
    listKind: 'ConfigMapList',
    shortNames: ['cm'],
    categories: [],
    scope: 'Namespaced',
  },
  verbs: ['get', 'list', 'watch'],
  subresources: [],
  builtIn: true,
  deprecationWarning: 'v1 ConfigMap is "old"',
}

interface Setup {
  readonly store?: Partial<ResourceStore>
  readonly logger?: Logger
}

/** A handler of one resource for a user who may do everything. */
function setUp({ store = {}, logger = discardLogger }: Setup = {}) {
  let resources = [served]
  const registry: Registry = {
    resource: (group, _version, plural) => (group === '' && plural === 'configmaps' ? ({ served, ...store } as ResourceStore) : undefined),
    resources: () => resources,
    onResourcesChanged: () => () => {},
  }
  const handle = createRequestHandler({
    registry,
    environment: systemEnvironment,
    logger,
    version,
    authenticator: { authenticate: async () => ({ name: 'u', groups: [] }) },
    authorizer: { authorize: async () => ({ allowed: true }) },
    admission: { name: 'none' },
    openapi: {
      groupVersion: (groupVersion) => ({ openapi: '3.0.0', info: { title: `${groupVersion.group}/${groupVersion.version}` } }),
      root: (name) => ({ openapi: '3.0.0', info: { title: name } }),
      swagger: (groupVersions) => ({ value: { swagger: '2.0', of: groupVersions.length }, encode: () => new Uint8Array([1]) }),
    },
  })
  const get = (target: string, headers: Readonly<Record<string, string>> = {}, more: Partial<TransportRequest> = {}) => {
    const [path = '', query = ''] = target.split('?')
    return handle({ method: 'GET', path, query: new URLSearchParams(query), headers, ...more })
  }
  const serveMore = (resource: ServedResource) => {
    resources = [...resources, resource]
  }
  return { get, serveMore }
}

const textOf = ({ body }: TransportResponse) => (body.kind === 'bytes' ? new TextDecoder().decode(body.bytes) : '')
const answerOf = ({ body }: TransportResponse) => (body.kind === 'value' ? body.value : undefined) as Record<string, unknown>

describe('createRequestHandler', () => {
  test('answers what goes wrong inside with 500, without the stack, and logs it', async () => {
    const logged: unknown[] = []
    const failure = new Error('disk on fire')
    const logger: Logger = { ...discardLogger, error: (...parts) => void logged.push(parts) }
    const list = async () => {
      throw failure
    }
    const response = await setUp({ store: { list }, logger }).get('/api/v1/configmaps')
    expect(response.status).toBe(500)
    expect(answerOf(response)).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Internal error occurred: disk on fire',
      reason: 'InternalError',
      details: { causes: [{ message: 'disk on fire' }] },
      code: 500,
    })
    expect(logged).toEqual([[failure, 'Cannot answer a request', { method: 'GET', path: '/api/v1/configmaps' }]])
  })

  test('rejects with the reason of an abort', async () => {
    const controller = new AbortController()
    const reason = new Error('gone')
    const list: ResourceStore['list'] = async ({ signal }) => {
      controller.abort(reason)
      signal?.throwIfAborted()
      throw new Error('not aborted')
    }
    const response = setUp({ store: { list } }).get('/api/v1/configmaps', {}, { signal: controller.signal })
    await expect(response).rejects.toBe(reason)
  })

  test('says that a version is deprecated', async () => {
    const list = async () => ({ items: [], resourceVersion: '7' })
    const response = await setUp({ store: { list } }).get('/api/v1/configmaps')
    expect(response.headers.warning).toEqual(['299 - "v1 ConfigMap is \\"old\\""'])
    expect(answerOf(response)).toEqual({ kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '7' }, items: [] })
  })
})

describe('discovery', () => {
  const aggregated = (v: string) => `application/json;g=apidiscovery.k8s.io;v=${v};as=APIGroupDiscoveryList`

  test('is aggregated for those who ask, in both versions, with a tag', async () => {
    const { get } = setUp()
    for (const v of ['v2', 'v2beta1']) {
      const response = await get('/api', { accept: `${aggregated(v)},application/json` })
      expect(response.headers).toMatchObject({ 'content-type': aggregated(v), vary: 'Accept', 'cache-control': 'public' })
      expect(answerOf(response)).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: `apidiscovery.k8s.io/${v}` })
      const again = await get('/api', { accept: aggregated(v), 'if-none-match': String(response.headers.etag) })
      expect(again).toMatchObject({ status: 304, body: { kind: 'empty' } })
    }
    expect(answerOf(await get('/api', { accept: 'application/json' }))).toMatchObject({ kind: 'APIVersions', versions: ['v1'] })
    expect((await get('/api', { accept: aggregated('v9') })).status).toBe(406)
  })

  test('follows what the registry serves', async () => {
    const { get, serveMore } = setUp()
    const before = await get('/apis', { accept: aggregated('v2') })
    expect((await get('/apis/example.com/v1')).status).toBe(404)
    serveMore({ ...served, builtIn: false, type: { ...served.type, group: 'example.com', kind: 'Widget', plural: 'widgets' } })
    const after = await get('/apis', { accept: aggregated('v2') })
    expect(after.headers.etag).not.toBe(before.headers.etag)
    expect(answerOf(await get('/apis/example.com/v1'))).toMatchObject({ groupVersion: 'example.com/v1', resources: [{ name: 'widgets' }] })
  })
})

describe('OpenAPI', () => {
  const pathsOf = (response: TransportResponse) =>
    (JSON.parse(textOf(response)) as { readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>> }).paths

  test('documents are listed with a hash, which makes them immutable', async () => {
    const { get } = setUp()
    const index = await get('/openapi/v3')
    expect(index.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(Object.keys(pathsOf(index))).toEqual(['.well-known/openid-configuration', 'api', 'api/v1', 'apis', 'openid/v1/jwks', 'version'])
    const url = pathsOf(index)['api/v1']?.serverRelativeURL ?? ''
    expect(url).toMatch(/^\/openapi\/v3\/api\/v1\?hash=[0-9A-F]{128}$/)
    const document = await get(url)
    expect(document).toMatchObject({ status: 200, headers: { 'cache-control': 'public, immutable', 'content-type': 'application/json' } })
    expect(document.headers.expires).toMatch(/ UTC$/)
    const etag = String(document.headers.etag)
    expect((await get(url, { 'if-none-match': `"x", ${etag}` })).status).toBe(304)
    expect(await get('/openapi/v3/api/v1?hash=old')).toMatchObject({ status: 301, headers: { location: url } })
    expect((await get('/openapi/v3/api/v1')).headers['cache-control']).toBe('no-cache, private')
    expect((await get('/openapi/v3/api/v1?hash=old', { accept: 'text/html' })).status).toBe(406)
    expect(textOf(await get('/openapi/v3/version'))).toContain('"title":"version"')
    expect(await get('/openapi/v3/')).toMatchObject({ status: 404, body: { kind: 'empty' } })
  })

  test('the hash changes with what is served', async () => {
    const { get, serveMore } = setUp()
    const before = pathsOf(await get('/openapi/v3'))
    const { etag } = (await get('/openapi/v2')).headers
    serveMore({ ...served, builtIn: false, type: { ...served.type, kind: 'Widget', plural: 'widgets' }, schema: { type: 'object' } })
    expect(pathsOf(await get('/openapi/v3'))).not.toEqual(before)
    expect((await get('/openapi/v2', { 'if-none-match': String(etag) })).status).toBe(200)
  })

  test('version 2 is JSON, or the protobuf message that kubectl asks for', async () => {
    const { get } = setUp()
    const json = await get('/openapi/v2')
    expect(json).toMatchObject({ status: 200, headers: { 'content-type': 'application/json', vary: ['Accept-Encoding', 'Accept'] } })
    expect(textOf(json)).toBe('{"swagger":"2.0","of":1}')
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
    const protobuf = await get('/openapi/v2', { accept })
    expect(protobuf.headers).toMatchObject({
      'content-type': 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
      etag: json.headers.etag,
    })
    expect(protobuf.body).toEqual({ kind: 'bytes', bytes: new Uint8Array([1]) })
    expect((await get('/openapi/v2', { accept, 'if-none-match': String(json.headers.etag) })).status).toBe(304)
    expect((await get('/openapi/v2', { accept: 'application/yaml' })).status).toBe(406)
  })
})

test('health tells its checks when asked for', async () => {
  const { get } = setUp()
  expect(textOf(await get('/readyz'))).toBe('ok')
  expect(textOf(await get('/readyz?verbose'))).toBe('[+]ping ok\n[+]log ok\n[+]storage ok\nreadyz check passed\n')
})

test('version can be parsed by clients', async () => {
  const { major, minor, gitVersion } = answerOf(await setUp().get('/version')) as Record<string, string>
  expect([major, minor]).toEqual(['1', '37'])
  expect(gitVersion).toMatch(/^v1\.37\.\d+\+steersman$/)
})

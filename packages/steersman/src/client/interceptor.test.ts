import { expect, test } from 'vitest'
import type { ResourceType } from '../api/index.js'
import type { Transport, TransportRequest } from '../environment/index.js'
import { systemEnvironment, TransportError } from '../environment/index.js'
import type { ClientInterceptor } from './index.js'
import { createClient, interceptClient, interceptTransport } from './index.js'

const ConfigMap: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  singular: 'configmap',
  listKind: 'ConfigMapList',
  shortNames: [],
  categories: [],
  scope: 'Namespaced',
}
const key = { namespace: 'shop', name: 'a' }

function setup() {
  const paths: string[] = []
  let closed = 0
  const transport: Transport = {
    async request({ method, path, query }: TransportRequest) {
      paths.push(`${method} ${path}`)
      const body = query?.has('watch')
        ? { kind: 'value-stream' as const, batches: (async function* () {})() }
        : { kind: 'value' as const, value: { metadata: { name: 'a' }, items: [] } }
      return { status: 200, headers: {}, body }
    },
    async close() {
      closed++
    },
  }
  return { transport, paths, client: createClient({ environment: systemEnvironment, transport }), closed: () => closed }
}

test('interceptTransport passes requests on, changes them or fails instead', async () => {
  const { transport, paths, closed } = setup()
  const intercepted = interceptTransport(transport, {
    request: (request, next) => {
      if (request.method === 'DELETE') return Promise.reject(new TransportError('ECONNRESET', 'injected'))
      return next({ ...request, path: `${request.path}/more` })
    },
  })
  const client = createClient({ environment: systemEnvironment, transport: intercepted })
  await client.get(ConfigMap, key)
  await expect(client.delete(ConfigMap, key)).rejects.toThrow('injected')
  expect(paths).toEqual(['GET /api/v1/namespaces/shop/configmaps/a/more'])
  await interceptTransport(intercepted, {}).request({ method: 'GET', path: '/x', headers: {} })
  expect(paths.at(-1)).toBe('GET /x/more')
  await intercepted.close()
  expect(closed()).toBe(1)
})

test('interceptClient replaces methods, hands over the client behind, and leaves the others alone', async () => {
  const { client, paths } = setup()
  const seen: string[] = []
  const intercepted = interceptClient(client, {
    get: (behind, type, asked, options) => {
      seen.push(`get ${asked.name}`)
      return behind.get(type, { ...asked, name: 'other' }, options)
    },
    create: () => Promise.reject(new Error('injected')),
  })
  await intercepted.get(ConfigMap, key)
  await intercepted.with({ caller: 'x' }).get(ConfigMap, key)
  await expect(intercepted.create(ConfigMap, { metadata: key })).rejects.toThrow('injected')
  await intercepted.list(ConfigMap)
  await intercepted.rawList?.(ConfigMap)
  expect(seen).toEqual(['get a', 'get a'])
  expect(paths).toEqual([
    'GET /api/v1/namespaces/shop/configmaps/other',
    'GET /api/v1/namespaces/shop/configmaps/other',
    'GET /api/v1/configmaps',
    'GET /api/v1/configmaps',
  ])
})

test('interceptClient reaches every method, and an empty one changes nothing', async () => {
  const exercise = async (interceptor: ClientInterceptor) => {
    const { client, paths } = setup()
    const intercepted = interceptClient(client, interceptor)
    const patch = { type: 'application/merge-patch+json', body: {} } as const
    await intercepted.get(ConfigMap, key)
    await intercepted.list(ConfigMap)
    await intercepted.create(ConfigMap, { metadata: key })
    await intercepted.update(ConfigMap, { metadata: key })
    await intercepted.patch(ConfigMap, key, patch)
    await intercepted.delete(ConfigMap, key)
    await intercepted.deleteCollection(ConfigMap, key)
    for await (const _ of intercepted.watch(ConfigMap)) expect.fail('no events')
    await intercepted.metadata.list(ConfigMap)
    for await (const _ of intercepted.metadata.watch(ConfigMap)) expect.fail('no events')
    const scale = intercepted.subresource('scale')
    await scale.get(ConfigMap, key)
    await scale.create(ConfigMap, key, {})
    await scale.update(ConfigMap, { metadata: key })
    await intercepted.status.patch(ConfigMap, key, patch)
    return { calls: paths.length, hasRawList: intercepted.rawList !== undefined }
  }
  expect(await exercise({})).toEqual({ calls: 14, hasRawList: true })

  const answers: string[] = []
  const interceptor = new Proxy({} as ClientInterceptor, {
    get: (_, name: string) => () => {
      answers.push(name)
      return name.toLowerCase().endsWith('watch') ? (async function* () {})() : Promise.resolve({ metadata: {}, items: [] })
    },
  })
  expect(await exercise(interceptor)).toEqual({ calls: 0, hasRawList: false })
  expect(answers).toEqual([
    'get',
    'list',
    'create',
    'update',
    'patch',
    'delete',
    'deleteCollection',
    'watch',
    'metadataList',
    'metadataWatch',
    'subresourceGet',
    'subresourceCreate',
    'subresourceUpdate',
    'subresourcePatch',
  ])
})

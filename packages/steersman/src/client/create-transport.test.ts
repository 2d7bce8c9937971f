import { expect, test } from 'vitest'
import type { ResourceType } from '../api/index.js'
import type { TransportResponse, TransportUser } from '../environment/index.js'
import { createLocalNetwork, systemEnvironment, VirtualWorld } from '../environment/index.js'
import { createClient, createTransport, retryOnConflict } from './index.js'

test('createTransport goes through the network of the environment, as the configured or impersonated user', async () => {
  const environment = { ...systemEnvironment, network: createLocalNetwork(systemEnvironment) }
  const users: (TransportUser | undefined)[] = []
  environment.network.listen('https://api', async ({ user }) => {
    users.push(user)
    return { status: 200, headers: {}, body: { kind: 'value', value: {} } }
  })
  const request = { method: 'GET', path: '/', headers: {} }
  const user = { name: 'jane', groups: ['dev'] }
  await createTransport(environment, { server: 'https://api', user }).request(request)
  await createTransport(environment, { server: 'https://api', user, impersonate: { user: 'june', uid: '7' } }).request(request)
  await createTransport(environment, { server: 'https://api' }).request(request)
  expect(users).toEqual([user, { name: 'june', uid: '7' }, undefined])
  expect(() => createTransport(environment, { server: 'api' })).toThrow('expected e.g. https://host:6443')
})

test('createTransport uses sockets without a network, and closing an unused transport is enough', async () => {
  const transport = createTransport(systemEnvironment, { server: 'http://127.0.0.1:1' })
  await transport.close()
  await expect(transport.request({ method: 'GET', path: '/', headers: {} })).rejects.toMatchObject({ code: 'ECONNABORTED' })
  const other = createTransport(systemEnvironment, { server: 'http://127.0.0.1:1' })
  await expect(other.request({ method: 'GET', path: '/', headers: {} })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await other.close()
})

test('a client waits, retries and watches in virtual time, and the same seed takes the same course', async () => {
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
  const refusal = (code: number, reason: string) => ({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason })
  const answers: (readonly [status: number, value: unknown, headers?: TransportResponse['headers']])[] = [
    [503, refusal(503, 'ServiceUnavailable'), { 'retry-after': '60' }],
    [200, { metadata: { name: 'a' } }],
    [409, refusal(409, 'Conflict')],
    [200, { metadata: { name: 'b' } }],
  ]

  async function course() {
    const world = new VirtualWorld({ seed: 7 })
    const server = world.process('server')
    const left = [...answers]
    server.network?.listen('https://api', async ({ query }) => {
      if (query?.has('watch')) {
        const events = [{ type: 'ADDED', object: { metadata: { name: 'c' } } }]
        return {
          status: 200,
          headers: {},
          body: {
            kind: 'value-stream',
            batches: (async function* () {
              yield events
            })(),
          },
        }
      }
      const [status, value, headers = {}] = left.shift() ?? [500, refusal(500, 'InternalError')]
      return { status, headers, body: { kind: 'value', value } }
    })
    const environment = world.process('operator')
    const client = createClient({ environment, transport: createTransport(environment, { server: 'https://api' }) })
    const started = environment.monotonicMs()
    const seen: unknown[] = []
    await world.run(
      (async () => {
        seen.push((await client.get(ConfigMap, { namespace: 'n', name: 'a' })).metadata.name)
        const write = () => client.update(ConfigMap, { metadata: { namespace: 'n', name: 'b' } })
        seen.push((await retryOnConflict(environment, write)).metadata.name)
        for await (const batch of client.watch(ConfigMap)) seen.push(batch)
      })(),
    )
    return { seen, elapsedMs: Math.floor(environment.monotonicMs() - started), hash: world.trace.hash }
  }

  const first = await course()
  expect(first.seen).toEqual(['a', 'b', [{ type: 'ADDED', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } } }]])
  expect(first.elapsedMs).toBeGreaterThanOrEqual(60_010)
  expect(first.elapsedMs).toBeLessThanOrEqual(60_011)
  expect(await course()).toEqual(first)
})

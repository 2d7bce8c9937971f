import { describe, expect, test } from 'vitest'
import type { KubernetesObject, ResourceType, WatchEvent } from '../api/index.js'
import { StatusError } from '../api/index.js'
import type { Environment, ResponseBody, Transport, TransportRequest, TransportResponse } from '../environment/index.js'
import { systemEnvironment } from '../environment/index.js'
import type { LogFacts, Logger } from '../internal/index.js'
import { discardLogger } from '../internal/index.js'
import type { Client, CreateClientOptions } from './index.js'
import { CallRecorder, createClient, listPages, retryOnConflict, retryOnError, UnexpectedResponseError } from './index.js'

interface ConfigMapObject extends KubernetesObject {
  readonly metadata: KubernetesObject['metadata'] & {
    readonly name: string
    readonly uid: string
    readonly resourceVersion: string
    readonly creationTimestamp: string
  }
  readonly data?: Readonly<Record<string, string>>
}

function resource<Resource extends KubernetesObject>(
  group: string,
  kind: string,
  scope: ResourceType['scope'] = 'Namespaced',
): ResourceType<Resource> {
  const singular = kind.toLowerCase()
  return { group, version: 'v1', kind, plural: `${singular}s`, singular, listKind: `${kind}List`, shortNames: [], categories: [], scope }
}

const ConfigMap = resource<ConfigMapObject>('', 'ConfigMap')
const Deployment = resource<ConfigMapObject>('apps', 'Deployment')
const Node = resource<ConfigMapObject>('', 'Node', 'Cluster')

const stored = (name: string) => ({
  metadata: { name, namespace: 'shop', uid: `uid-${name}`, resourceVersion: '5', creationTimestamp: '2026-01-01T00:00:00Z' },
})
const key = { namespace: 'shop', name: 'a' }

/** What a scripted server answers; `events` make a watch. */
interface Answer {
  readonly status?: number
  readonly headers?: TransportResponse['headers']
  readonly value?: unknown
  readonly text?: string
  readonly events?: readonly (readonly unknown[])[]
}

type Form = 'bytes' | 'byte-stream' | 'value'

/** A server of scripted answers, over HTTP or in process as far as a client can tell. */
class ScriptedServer implements Transport {
  readonly requests: TransportRequest[] = []
  left = 0
  readonly #form: Form
  readonly #answer: (request: TransportRequest, count: number) => Answer

  constructor(form: Form, answer: (request: TransportRequest, count: number) => Answer) {
    this.#form = form
    this.#answer = answer
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    if (request.signal?.aborted) throw request.signal.reason
    this.requests.push(request)
    const answer = this.#answer(request, this.requests.length)
    return { status: answer.status ?? 200, headers: answer.headers ?? {}, body: this.#body(answer, request.signal) }
  }

  async close(): Promise<void> {}

  #body({ value, text, events }: Answer, signal: AbortSignal | undefined): ResponseBody {
    if (events !== undefined && this.#form === 'value') return { kind: 'value-stream', batches: this.#stream(events, signal) }
    if (events !== undefined) {
      const lines = events.map((batch) => encode(batch.map((event) => `${JSON.stringify(event)}\n`).join('')))
      return { kind: 'byte-stream', chunks: this.#stream(lines, signal) }
    }
    if (text === undefined && this.#form === 'value') return { kind: 'value', value: structuredClone(value) }
    const bytes = encode(text ?? JSON.stringify(value))
    // In two pieces, to see them joined.
    const half = Math.floor(bytes.length / 2)
    if (this.#form === 'byte-stream')
      return { kind: 'byte-stream', chunks: this.#stream([bytes.subarray(0, half), bytes.subarray(half)], signal) }
    return { kind: 'bytes', bytes }
  }

  async *#stream<Item>(items: readonly Item[], signal: AbortSignal | undefined): AsyncGenerator<Item, void> {
    try {
      for (const item of items) {
        if (signal?.aborted) throw signal.reason
        yield item
      }
    } finally {
      this.left++
    }
  }
}

const encode = (text: string) => new TextEncoder().encode(text)

function setup(form: Form, answer: (request: TransportRequest, count: number) => Answer, options: Partial<CreateClientOptions> = {}) {
  const server = new ScriptedServer(form, answer)
  const sleeps: number[] = []
  const environment: Environment = {
    ...systemEnvironment,
    sleep: async (milliseconds, signal) => {
      if (signal?.aborted) throw signal.reason
      sleeps.push(milliseconds)
    },
  }
  const client = createClient({ environment, transport: server, ...options })
  return { server, client, sleeps, environment }
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it should have been rejected'),
    (reason: unknown) => reason,
  )

async function collect<Item>(batches: AsyncIterable<readonly Item[]>): Promise<(readonly Item[])[]> {
  const all: (readonly Item[])[] = []
  for await (const batch of batches) all.push(batch)
  return all
}

const isDeeplyFrozen = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen))

/** Method, path with query, content type and body. */
const wire = ({ method, path, query, headers, body }: TransportRequest) => [
  `${method} ${path}${query ? `?${query}` : ''}`,
  ...(body ? [headers['content-type'], body.kind === 'value' ? body.value : 'bytes'] : []),
]

describe.each<Form>(['bytes', 'byte-stream', 'value'])('client over %s', (form) => {
  test('get returns a frozen object that says what it is', async () => {
    const { client, server } = setup(form, () => ({ value: { ...stored('a'), data: { x: 'ü' } } }))
    const object = await client.get(ConfigMap, key, { resourceVersion: '0' })
    expect(object).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', ...stored('a'), data: { x: 'ü' } })
    expect(isDeeplyFrozen(object)).toBe(true)
    expect(server.requests.map(wire)).toEqual([['GET /api/v1/namespaces/shop/configmaps/a?resourceVersion=0']])
    expect(server.requests[0]?.headers).toEqual({ accept: 'application/json', 'user-agent': expect.stringMatching(/^steersman\//) })
  })

  test('list stamps items, keeps metadata and treats null items as none', async () => {
    const list = {
      kind: 'DeploymentList',
      apiVersion: 'apps/v1',
      metadata: { resourceVersion: '7', continue: 'c' },
      items: [stored('a'), stored('b')],
    }
    const { client, server } = setup(form, (_, count) => ({ value: count === 1 ? list : { ...list, items: null } }))
    const options = {
      namespace: 'shop',
      labelSelector: 'app in (a,b)',
      fieldSelector: 'metadata.name=x',
      limit: 2,
      continue: 'z',
      resourceVersion: '3',
    }
    const got = await client.list(Deployment, { ...options, resourceVersionMatch: 'Exact' })
    const stamp = { apiVersion: 'apps/v1', kind: 'Deployment' }
    expect(got).toEqual({ ...list, items: list.items.map((item) => ({ ...stamp, ...item })) })
    expect(isDeeplyFrozen(got)).toBe(true)
    expect((await client.list(Deployment)).items).toEqual([])
    expect(server.requests.map(wire)).toEqual([
      [
        'GET /apis/apps/v1/namespaces/shop/deployments?labelSelector=app+in+%28a%2Cb%29&fieldSelector=metadata.name%3Dx&limit=2&continue=z&resourceVersion=3&resourceVersionMatch=Exact',
      ],
      ['GET /apis/apps/v1/deployments'],
    ])
  })

  test('writes say what they send, with field manager, validation and dry run', async () => {
    const { client, server } = setup(form, () => ({ value: stored('a') }))
    const options = { fieldManager: 'me', fieldValidation: 'Strict', dryRun: true } as const
    await client.create(ConfigMap, { metadata: { generateName: 'a-', namespace: 'shop' }, data: { x: 'y' } }, options)
    await client.update(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', namespace: '' } })
    await client.patch(ConfigMap, key, { type: 'application/strategic-merge-patch+json', body: { data: null } })
    await client.status.update(Deployment, { metadata: { namespace: 'shop', name: 'a' } })
    await client.status.patch(Deployment, key, { type: 'application/json-patch+json', body: [{ op: 'test', path: '/x', value: 1 }] })
    await client.subresource('eviction').create(ConfigMap, key, { kind: 'Eviction' })
    await client.subresource('scale').update(Deployment, { metadata: { namespace: 'shop', name: 'a' } }, { body: { kind: 'Scale' } })
    await client.subresource('scale').get(Deployment, key)
    const identity = { apiVersion: 'apps/v1', kind: 'Deployment' }
    expect(server.requests.map(wire)).toEqual([
      [
        'POST /api/v1/namespaces/shop/configmaps?fieldManager=me&fieldValidation=Strict&dryRun=All',
        'application/json',
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-', namespace: 'shop' }, data: { x: 'y' } },
      ],
      ['PUT /api/v1/nodes/n', 'application/json', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', namespace: '' } }],
      ['PATCH /api/v1/namespaces/shop/configmaps/a', 'application/strategic-merge-patch+json', { data: null }],
      [
        'PUT /apis/apps/v1/namespaces/shop/deployments/a/status',
        'application/json',
        { ...identity, metadata: { namespace: 'shop', name: 'a' } },
      ],
      ['PATCH /apis/apps/v1/namespaces/shop/deployments/a/status', 'application/json-patch+json', [{ op: 'test', path: '/x', value: 1 }]],
      ['POST /api/v1/namespaces/shop/configmaps/a/eviction', 'application/json', { kind: 'Eviction' }],
      ['PUT /apis/apps/v1/namespaces/shop/deployments/a/scale', 'application/json', { kind: 'Scale' }],
      ['GET /apis/apps/v1/namespaces/shop/deployments/a/scale'],
    ])
  })

  test('delete sends its options as a body and returns the Status or the object that is still there', async () => {
    const success = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'a', kind: 'configmaps', uid: 'u' },
    }
    const { client, server } = setup(form, (_, count) => ({ value: count === 1 ? success : stored('a') }))
    expect(await client.delete(ConfigMap, key)).toEqual(success)
    const options = { propagationPolicy: 'Foreground', gracePeriodSeconds: 0, preconditions: { uid: 'u' }, dryRun: true } as const
    expect(await client.delete(ConfigMap, key, options)).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'a' } })
    await client.deleteCollection(ConfigMap, { namespace: 'shop', labelSelector: 'a=b', propagationPolicy: 'Orphan' })
    const path = 'DELETE /api/v1/namespaces/shop/configmaps'
    const body = { kind: 'DeleteOptions', apiVersion: 'v1' }
    expect(server.requests.map(wire)).toEqual([
      [`${path}/a`],
      [
        `${path}/a`,
        'application/json',
        { ...body, propagationPolicy: 'Foreground', gracePeriodSeconds: 0, preconditions: { uid: 'u' }, dryRun: ['All'] },
      ],
      [`${path}?labelSelector=a%3Db`, 'application/json', { ...body, propagationPolicy: 'Orphan' }],
    ])
  })

  test('a refusal is a StatusError with the Status of the server', async () => {
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'configmaps "a" not found',
      reason: 'NotFound',
      details: { name: 'a', kind: 'configmaps' },
      code: 404,
    }
    const { client } = setup(form, () => ({ status: 404, value: status }))
    const error = await rejection(client.get(ConfigMap, key))
    expect(error).toBeInstanceOf(StatusError)
    expect(error).toMatchObject({ message: 'configmaps "a" not found', status })
    expect((error as StatusError).status).toEqual(status)
    expect(await rejection(collect(client.watch(ConfigMap)))).toMatchObject({ status })
    expect(await rejection(client.rawList?.(ConfigMap) ?? Promise.resolve())).toMatchObject({ status })
  })

  test('a Failure with a success code is a StatusError too', async () => {
    const { client } = setup(form, () => ({ value: { kind: 'Status', status: 'Failure', reason: 'Unknown' } }))
    expect(await rejection(client.get(ConfigMap, key))).toBeInstanceOf(StatusError)
  })

  test('watch yields batches in order, bookmarks and ERROR events included, frozen', async () => {
    const gone = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'too old', reason: 'Expired', code: 410 }
    const identity = { kind: 'ConfigMap', apiVersion: 'v1' }
    const events = [
      [
        { type: 'ADDED', object: { ...identity, ...stored('ä') } },
        { type: 'MODIFIED', object: stored('ä') },
      ],
      [{ type: 'BOOKMARK', object: { ...identity, metadata: { resourceVersion: '9', creationTimestamp: null } } }],
      [{ type: 'ERROR', object: gone }],
    ]
    const { client, server } = setup(form, () => ({ events }))
    const options = {
      namespace: 'shop',
      labelSelector: 'a=b',
      resourceVersion: '5',
      allowWatchBookmarks: true,
      sendInitialEvents: true,
      timeoutSeconds: 7,
    }
    const got = await collect(client.watch(ConfigMap, { ...options, resourceVersionMatch: 'NotOlderThan' }))
    expect(got.map((batch) => batch.map(({ type }) => type))).toEqual([['ADDED', 'MODIFIED'], ['BOOKMARK'], ['ERROR']])
    expect(got[0]?.[1]?.object).toEqual({ ...identity, ...stored('ä') })
    expect(got[2]?.[0]).toEqual({ type: 'ERROR', object: gone })
    expect(got.flat().every(isDeeplyFrozen)).toBe(true)
    expect(server.requests.map(wire)).toEqual([
      [
        'GET /api/v1/namespaces/shop/configmaps?watch=true&labelSelector=a%3Db&resourceVersion=5&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&sendInitialEvents=true&timeoutSeconds=7',
      ],
    ])
  })

  test('leaving a watch closes it', async () => {
    const { client, server } = setup(form, () => ({ events: [[{ type: 'ADDED', object: stored('a') }], []] }))
    for await (const _ of client.watch(ConfigMap)) break
    expect(server.left).toBe(1)
  })

  test('metadata lists and watches ask for metadata, and answers carry the kind of the resource', async () => {
    const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', ...stored('a'), data: { dropped: 'x' } }
    const { client, server } = setup(form, ({ query }) =>
      query?.has('watch')
        ? { events: [[{ type: 'ADDED', object: partial }]] }
        : {
            value: {
              kind: 'PartialObjectMetadataList',
              apiVersion: 'meta.k8s.io/v1',
              metadata: { resourceVersion: '1' },
              items: [partial],
            },
          },
    )
    const expected = { apiVersion: 'apps/v1', kind: 'Deployment', ...stored('a') }
    const list = await client.metadata.list(Deployment, { namespace: 'shop' })
    expect(list).toEqual({ apiVersion: 'apps/v1', kind: 'DeploymentList', metadata: { resourceVersion: '1' }, items: [expected] })
    expect(await collect(client.metadata.watch(Deployment))).toEqual([[{ type: 'ADDED', object: expected }]])
    await client.rawList?.(Deployment, { metadataOnly: true })
    const list1 = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'
    const watch1 = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json'
    expect(server.requests.map(({ headers }) => headers.accept)).toEqual([list1, watch1, list1])
  })

  test('rawList hands out the body as it is', async () => {
    const { client, server } = setup(form, () => ({ value: { items: [] } }))
    expect((await client.rawList?.(ConfigMap, { limit: 3 }))?.kind).toBe(form)
    expect(server.requests.map(wire)).toEqual([['GET /api/v1/configmaps?limit=3']])
  })
})

describe('client', () => {
  test('refuses a call without the name or namespace it needs', async () => {
    const { client, server } = setup('value', () => ({ value: {} }))
    await expect(client.get(ConfigMap, { namespace: 'shop', name: '' })).rejects.toThrow(
      new TypeError('Cannot get ConfigMap: the name is missing or empty'),
    )
    await expect(client.get(ConfigMap, { name: 'a' })).rejects.toThrow(
      'Cannot get ConfigMap: the namespace is missing or empty, and the kind is namespaced',
    )
    await expect(client.create(ConfigMap, { metadata: { name: 'a' } })).rejects.toThrow(TypeError)
    await expect(client.deleteCollection(ConfigMap)).rejects.toThrow(TypeError)
    expect(server.requests).toEqual([])
  })

  test.each<[name: string, answer: Answer]>([
    ['no object', { value: [] }],
    ['no JSON', { text: '{"metadata":' }],
    ['nothing', { text: '' }],
  ])('get refuses an answer that is %s', async (_, answer) => {
    const { client } = setup('bytes', () => answer)
    expect(await rejection(client.get(ConfigMap, key))).toBeInstanceOf(UnexpectedResponseError)
    expect(await rejection(client.list(ConfigMap))).toBeInstanceOf(UnexpectedResponseError)
  })

  test('watch refuses what is no event, after the events before it', async () => {
    const chunk = encode(`${JSON.stringify({ type: 'ADDED', object: stored('a') })}\n{"type":"ADDED"}\n`)
    const { client, server } = setup('bytes', () => ({ text: new TextDecoder().decode(chunk) }))
    const watch = client.watch(ConfigMap)[Symbol.asyncIterator]()
    expect((await watch.next()).value).toHaveLength(1)
    expect(await rejection(watch.next())).toBeInstanceOf(UnexpectedResponseError)
    expect(server.requests).toHaveLength(1)
  })

  // Messages: k8s.io/apimachinery pkg/api/errors NewGenericServerResponse.
  test.each([
    [
      502,
      '<html>bad gateway</html>',
      'InternalError',
      'an error on the server ("<html>bad gateway</html>") has prevented the request from succeeding (get deployments.apps a)',
    ],
    [503, '', 'ServiceUnavailable', 'the server is currently unable to handle the request (get deployments.apps a)'],
    [401, 'Unauthorized', 'Unauthorized', 'the server has asked for the client to provide credentials (get deployments.apps a)'],
  ])('a refusal %i that is no Status becomes one', async (code, text, reason, message) => {
    const { client } = setup('bytes', () => ({ status: code, text }))
    const error = (await rejection(client.get(Deployment, key))) as StatusError
    expect(error.status).toMatchObject({ kind: 'Status', status: 'Failure', code, reason, message })
  })

  test('waits and asks again as long as the server says when, at most 10 times', async () => {
    const busy = {
      status: 429,
      headers: { 'retry-after': '3' },
      value: { kind: 'Status', status: 'Failure', code: 429, reason: 'TooManyRequests' },
    }
    const once = setup('byte-stream', (_, count) => (count <= 2 ? { ...busy, status: count === 1 ? 503 : 429 } : { value: stored('a') }))
    expect((await once.client.create(ConfigMap, { metadata: { namespace: 'shop' } })).metadata.name).toBe('a')
    expect(once.sleeps).toEqual([3000, 3000])
    expect(once.server.left).toBe(3)

    const ever = setup('value', () => busy)
    expect(await rejection(ever.client.get(ConfigMap, key))).toBeInstanceOf(StatusError)
    expect(ever.server.requests).toHaveLength(11)
  })

  test.each([
    [429, {}],
    [500, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }],
    [404, { 'retry-after': '1' }],
  ])('does not ask again after %i %j', async (status, headers) => {
    const { client, server } = setup('value', () => ({ status, headers, value: { kind: 'Status', status: 'Failure', code: status } }))
    expect(await rejection(client.get(ConfigMap, key))).toBeInstanceOf(StatusError)
    expect(server.requests).toHaveLength(1)
  })

  test('logs each warning of the server once', async () => {
    const lines: [string, LogFacts | undefined][] = []
    const logger: Logger = { ...discardLogger, warn: (message, facts) => lines.push([message, facts]) }
    const headers = [
      { warning: '299 - "unknown field \\"spec.x\\""' },
      { warning: ['299 - "b, c"', '299 kube "d"'] },
      { warning: '299 - "b, c", 199 - "not for us", 299 - "e"' },
    ]
    const { client } = setup('value', (_, count) => ({ headers: headers[count - 1] ?? {}, value: stored('a') }), { logger })
    for (let index = 0; index < 3; index++) await client.get(ConfigMap, key)
    expect(lines.map(([message, facts]) => [message, facts?.warning])).toEqual(
      ['unknown field "spec.x"', 'b, c', 'd', 'e'].map((text) => ['API server warning', text]),
    )
  })

  test('aborts by the call, by the binding, and between retries, with the reason as it is', async () => {
    const { client, server } = setup('value', () => ({ value: stored('a') }))
    const reason = { stopped: true }
    const signal = AbortSignal.abort(reason)
    expect(await rejection(client.get(ConfigMap, key, { signal }))).toBe(reason)
    const bound = client.with({ signal: () => signal })
    expect(await rejection(bound.get(ConfigMap, key))).toBe(reason)
    expect(await rejection(bound.create(ConfigMap, { metadata: { namespace: 'shop' } }, { signal: new AbortController().signal }))).toBe(
      reason,
    )
    expect(await rejection(bound.with({ signal: () => new AbortController().signal }).list(ConfigMap))).toBe(reason)
    expect(await rejection(collect(bound.watch(ConfigMap)))).toBe(reason)
    expect(server.requests).toEqual([])

    const controller = new AbortController()
    const busy = setup('value', () => {
      controller.abort(reason)
      return { status: 503, headers: { 'retry-after': '1' }, value: {} }
    })
    expect(await rejection(busy.client.get(ConfigMap, key, { signal: controller.signal }))).toBe(reason)
  })

  test('does not touch the bound signal before the first call', async () => {
    let created = 0
    const { client } = setup('value', () => ({ value: stored('a') }))
    const bound = client.with({
      signal: () => {
        created++
        return new AbortController().signal
      },
    })
    expect(created).toBe(0)
    await bound.get(ConfigMap, key)
    expect(created).toBe(1)
  })

  test('the field manager is that of the call, the binding, the client, or the name of the caller', async () => {
    const managers: (string | null | undefined)[] = []
    const answer = ({ query }: TransportRequest) => {
      managers.push(query?.get('fieldManager'))
      return { value: stored('a') }
    }
    const write = (client: Client, options = {}) => client.create(ConfigMap, { metadata: { namespace: 'shop' } }, options)
    const plain = setup('value', answer).client
    const named = setup('value', answer, { fieldManager: 'client' }).client
    await write(plain)
    await write(plain.with({ caller: 'controller/widget' }))
    await write(named.with({ caller: 'controller/widget' }))
    await write(named.with({ fieldManager: 'bound' }))
    await write(named.with({ fieldManager: 'bound' }), { fieldManager: 'call' })
    expect(managers).toEqual([undefined, 'widget', 'client', 'bound', 'call'])
  })

  test('every call is recorded with its caller, and no more kinds than allowed', async () => {
    const recorder = new CallRecorder({ maxEntries: 6 })
    const { client } = setup('value', ({ query }) => (query?.has('watch') ? { events: [] } : { value: { ...stored('a'), items: [] } }), {
      recorder,
    })
    const bound = client.with({ caller: 'controller/widget' })
    await bound.get(Deployment, key)
    await bound.get(Deployment, { ...key, name: 'b' })
    await bound.list(Deployment)
    await collect(bound.watch(Node))
    await client.status.patch(Deployment, key, { type: 'application/merge-patch+json', body: {} })
    await bound.deleteCollection(Deployment, { namespace: 'shop' })
    await bound.rawList?.(Deployment)
    await client.delete(Node, key)
    await client.update(Node, stored('a'))
    const facts = { caller: 'controller/widget', group: 'apps', resource: 'deployments', subresource: '', namespace: 'shop', count: 1 }
    expect(recorder.calls()).toEqual([
      { ...facts, verb: 'get', count: 2 },
      { ...facts, verb: 'list', namespace: '', count: 2 },
      { ...facts, verb: 'watch', group: '', resource: 'nodes', namespace: '' },
      { ...facts, verb: 'patch', caller: '', subresource: 'status' },
      { ...facts, verb: 'deletecollection' },
      { ...facts, verb: 'delete', caller: '', group: '', resource: 'nodes', namespace: '' },
    ])
    expect(recorder.dropped).toBe(1)
    recorder.clear()
    expect([recorder.calls(), recorder.dropped]).toEqual([[], 0])
  })

  test('a frozen value of an in-process server is handed out as it is', async () => {
    const object = Object.freeze({ apiVersion: 'v1', kind: 'ConfigMap', metadata: Object.freeze({ name: 'a' }) })
    const event = Object.freeze({ type: 'ADDED', object })
    const transport: Transport = {
      request: async ({ query }) =>
        query?.has('watch')
          ? {
              status: 200,
              headers: {},
              body: {
                kind: 'value-stream',
                batches: (async function* () {
                  yield [event]
                })(),
              },
            }
          : { status: 200, headers: {}, body: { kind: 'value', value: object } },
      close: async () => undefined,
    }
    const client = createClient({ environment: systemEnvironment, transport })
    expect(await client.get(ConfigMap, key)).toBe(object)
    const [batch] = await collect<WatchEvent<KubernetesObject>>(client.watch(ConfigMap))
    expect(batch?.[0]).toBe(event)
  })

  test('listPages follows the continue token and then leaves the resourceVersion to it', async () => {
    const { client, server } = setup('value', (_, count) => ({
      value: { metadata: count < 3 ? { continue: `c${count}` } : {}, items: [stored(`${count}`)] },
    }))
    const names: string[] = []
    for await (const page of listPages(client, ConfigMap, { labelSelector: 'a', resourceVersion: '5', resourceVersionMatch: 'Exact' })) {
      names.push(...page.items.map(({ metadata }) => metadata.name))
    }
    expect(names).toEqual(['1', '2', '3'])
    expect(server.requests.map(({ query }) => String(query))).toEqual([
      'labelSelector=a&limit=500&resourceVersion=5&resourceVersionMatch=Exact',
      'labelSelector=a&limit=500&continue=c1',
      'labelSelector=a&limit=500&continue=c2',
    ])
  })
})

describe('retry', () => {
  const conflict = new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Conflict', code: 409 })

  // client-go util/retry DefaultRetry: 5 steps of 10 ms, factor 1, jitter 0.1.
  test('retryOnConflict tries 5 times, 10 to 11 ms apart, and then throws the conflict', async () => {
    const { environment, sleeps } = setup('value', () => ({}))
    let tries = 0
    const attempt = async () => {
      tries++
      throw conflict
    }
    expect(await rejection(retryOnConflict({ ...environment, random: () => 0.5 }, attempt))).toBe(conflict)
    expect(tries).toBe(5)
    expect(sleeps).toEqual([10.5, 10.5, 10.5, 10.5])
  })

  test('retryOnConflict returns the first success and throws other errors at once', async () => {
    const { environment } = setup('value', () => ({}))
    let tries = 0
    const attempt = async () => {
      if (++tries < 3) throw conflict
      return tries
    }
    expect(await retryOnConflict(environment, attempt)).toBe(3)
    const other = new Error('other')
    expect(await rejection(retryOnConflict(environment, () => Promise.reject(other)))).toBe(other)
    expect(tries).toBe(3)
  })

  test('retryOnError grows its waits and stops on abort', async () => {
    const { environment, sleeps } = setup('value', () => ({}))
    const controller = new AbortController()
    const attempt = () => {
      if (sleeps.length === 2) controller.abort('enough')
      return Promise.reject(new Error('x'))
    }
    const options = { steps: 9, initialMs: 100, factor: 2, jitter: 0, signal: controller.signal }
    expect(await rejection(retryOnError(environment, () => true, attempt, options))).toBe('enough')
    expect(sleeps).toEqual([100, 200])
  })
})

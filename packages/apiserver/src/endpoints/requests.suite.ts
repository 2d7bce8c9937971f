/**
 * Requests and what a real kube-apiserver answers to them: `golden/requests.json`, recorded with the same table. The suite knows no transport: it runs
 * over whatever sends its requests, so that every way into the server gives the same answers.
 */

/** A request of the suite. `{ns}` and `{group}` stand for a namespace and an API group of the run's own. */
export interface SuiteRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** Names in lower case. JSON is sent and accepted unless they say otherwise. */
  readonly headers?: Readonly<Record<string, string>>
  /** Text, or a value that is sent as JSON. */
  readonly body?: unknown
  /** Why our answer is not that of kube-apiserver. `answer` is then ours; what `ignore` names of the body is not compared. */
  readonly differs?: { readonly why: string; readonly answer?: Partial<SuiteAnswer>; readonly ignore?: readonly string[] }
  /** A resource that a definition has just asked for: a real server needs a moment. */
  readonly awaits?: 'served'
}

/** An answer, free of what differs between two runs. */
export interface SuiteAnswer {
  readonly status: number
  readonly contentType: string
  readonly warnings: readonly string[]
  /** A JSON value, the values of a stream's lines, or text. */
  readonly body: unknown
}

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: { readonly kind: 'text'; readonly text: string } | { readonly kind: 'value' | 'lines'; readonly value: unknown }
}

/** Names of one run. */
export interface SuiteNames {
  readonly ns: string
  readonly group: string
}

/** Sends a request of the suite whose names are filled in. */
export type SendSuiteRequest = (request: SuiteRequest) => Promise<RawAnswer>

/** Sends every request, in order. */
export async function runSuite(send: SendSuiteRequest, names: SuiteNames): Promise<SuiteAnswer[]> {
  const answers: SuiteAnswer[] = []
  for (const request of suiteRequests) answers.push(normalize(await send(fillNames(request, names)), names))
  return answers
}

function fillNames(request: SuiteRequest, names: SuiteNames): SuiteRequest {
  const { differs: _differs, ...rest } = request
  return JSON.parse(JSON.stringify(rest).replaceAll('{ns}', names.ns).replaceAll('{group}', names.group)) as SuiteRequest
}

function normalize({ status, headers, body }: RawAnswer, names: SuiteNames): SuiteAnswer {
  const warning = headers.warning ?? []
  const restore = (text: string) => text.replaceAll(names.ns, '{ns}').replaceAll(names.group, '{group}')
  const contentType = [headers['content-type'] ?? ''].flat()[0] ?? ''
  const warnings = [warning].flat().map(restore)
  const value = body.kind === 'text' ? parseText(body.text, contentType) : body.value
  return { status, contentType, warnings, body: JSON.parse(restore(JSON.stringify(scrub(value)))) }
}

function parseText(text: string, contentType: string): unknown {
  if (!contentType.startsWith('application/json') || text === '') return text
  const lines = text.trimEnd().split('\n')
  return text.startsWith('{"type":') ? lines.map((line) => JSON.parse(line) as unknown) : JSON.parse(text)
}

const changing: Readonly<Record<string, string>> = {
  uid: '<uid>',
  resourceVersion: '<version>',
  creationTimestamp: '<time>',
  deletionTimestamp: '<time>',
  lastTransitionTime: '<time>',
  continue: '<token>',
}

/** Replaces what no two runs share and drops what one of the servers does not keep or words in its own way. */
function scrub(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return scrubText(value, key)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => (key === 'items' ? scrub(withoutType(item)) : scrub(item)))
  const result: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))) {
    if (name === 'managedFields' || name === 'description' || name === 'storageVersionHash') continue
    // Lists of custom resources carry an empty token.
    if (name === 'continue' && member === '') continue
    result[name] = scrub(member, name)
  }
  return result
}

function scrubText(text: string, key: string): string {
  if (key in changing) return /^(?:0|)$/.test(text) ? text : (changing[key] as string)
  return (
    text
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
      .replace(/("?creationTimestamp"?: ?\\?"?)[^"\\,}\n]+/g, '$1<time>')
      .replace(/("?resourceVersion"?: ?\\?"?)[^"\\,}\n]+/g, '$1<version>')
      .replace(/(ResourceVersion in record \()\d+/g, '$1<version>')
      .replace(/current: \d+/g, 'current: <version>')
      .replace(/^\d+(?:s|m|m\d+s)$/, '<age>')
      .replace(/^ *managedFields:\n(?: +- .*\n| {4,}.*\n)*/gm, '')
      // Refusals of patches quote the object, whose members no two servers write in the same order.
      .replace(/(Invalid value: )"\{.*\}"(?=: )/, '$1<object>')
  )
}

/** In process items of built-in kinds carry what the wire leaves out. */
function withoutType(item: unknown): unknown {
  const { apiVersion: _apiVersion, kind: _kind, ...rest } = item as Record<string, unknown>
  return rest
}

const json = { 'content-type': 'application/json' }
const yaml = { 'content-type': 'application/yaml' }
const merge = { 'content-type': 'application/merge-patch+json' }
const jsonPatch = { 'content-type': 'application/json-patch+json' }
const table = (version: string) => ({ accept: `application/json;as=Table;v=${version};g=meta.k8s.io` })
const partial = (kind: string) => ({ accept: `application/json;as=${kind};v=v1;g=meta.k8s.io` })

const maps = '/api/v1/namespaces/{ns}/configmaps'
const widgets = '/apis/{group}/v1/namespaces/{ns}/widgets'
const deployments = '/apis/apps/v1/namespaces/{ns}/deployments'
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

const statusBody = (code: number, reason: string, message: string) => ({
  apiVersion: 'v1',
  code,
  kind: 'Status',
  message,
  metadata: {},
  reason,
  status: 'Failure',
})
const unsupportedPatchBody = statusBody(
  415,
  'UnsupportedMediaType',
  'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json',
)

const definition = (name: string, spec: object) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name },
  spec,
})

const widgetSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['image'],
      properties: { image: { type: 'string', minLength: 1 }, size: { type: 'integer', minimum: 0, default: 1 } },
    },
    status: { type: 'object', properties: { ready: { type: 'boolean' } } },
  },
}

const widget = (name: string, spec: object, more: object = {}) => ({
  apiVersion: '{group}/v1',
  kind: 'Widget',
  metadata: { name },
  spec,
  ...more,
})

const get = (target: string, headers?: Readonly<Record<string, string>>): SuiteRequest =>
  headers === undefined ? { method: 'GET', target } : { method: 'GET', target, headers }
const post = (target: string, body: unknown, headers: Readonly<Record<string, string>> = json): SuiteRequest => ({
  method: 'POST',
  target,
  headers,
  body,
})
const put = (target: string, body: unknown): SuiteRequest => ({ method: 'PUT', target, headers: json, body })
const patch = (target: string, headers: Readonly<Record<string, string>>, body: unknown): SuiteRequest => ({
  method: 'PATCH',
  target,
  headers,
  body,
})
const remove = (target: string, body?: unknown): SuiteRequest =>
  body === undefined ? { method: 'DELETE', target } : { method: 'DELETE', target, headers: json, body }
const differing = (request: SuiteRequest, why: string, answer: Partial<SuiteAnswer>): SuiteRequest => ({
  ...request,
  differs: { why, answer },
})
const ignoring = (request: SuiteRequest, why: string, ...ignore: readonly string[]): SuiteRequest => ({
  ...request,
  differs: { why, ignore },
})

/** The table. Later requests see what earlier ones did. */
export const suiteRequests: readonly SuiteRequest[] = [
  // Paths.
  get('/healthz'),
  get('/livez/ping'),
  get('/livez/nothing'),
  get('/nothing'),
  get('/apis/nothing.example.com'),
  get('/apis/nothing.example.com/v1/things'),
  get('/apis/apps/v9'),
  get('/apis/apps/v1/things'),
  get('/apis/coordination.k8s.io'),
  get('/apis/coordination.k8s.io/v1'),
  get('/apis/apps'),
  { method: 'POST', target: '/version' },
  { method: 'POST', target: '/apis/apps/v1' },
  { method: 'OPTIONS', target: '/api/v1/configmaps' },
  get('/api/v1/configmaps/a/b/c'),
  get('/api/v1//configmaps'),
  get('/openapi/v3/apis/nothing/v1'),

  // Create, and bodies that cannot be objects.
  post('/api/v1/namespaces', { metadata: { name: '{ns}' } }),
  post('/api/v1/namespaces', { metadata: { name: '{ns}' } }),
  post(maps, '{bad'),
  post(maps, '[]'),
  post(maps, {}),
  post(maps, { kind: 'ConfigMap' }),
  post(maps, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }),
  post(maps, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } }),
  post(maps, { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'a' } }),
  post(maps, { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' } }),
  post(maps, { metadata: { name: 'a', namespace: 'other' } }),
  post(maps, { metadata: { name: 'a' }, data: { x: 1 } }),
  post(maps, { metadata: { name: 'a' }, data: 'text' }),
  post(maps, { metadata: { name: 'Bad_Name' } }),
  post(maps, { metadata: { name: 'a', labels: { 'a b': 'c' } } }),
  post(maps, { metadata: { name: 'a', labels: { ok: 'c d' } } }),
  post(`${maps}?fieldValidation=Strict`, '{"metadata":{"name":"a","nome":"b"},"foo":1,"data":{"x":"1","x":"2"}}'),
  post(`${maps}?fieldValidation=Warn`, '{"metadata":{"name":"warned","nome":"b"},"foo":1,"data":{"x":"1","x":"2"}}'),
  post(`${maps}?fieldValidation=Ignore`, '{"metadata":{"name":"ignored","nome":"b"},"foo":1,"data":{"x":"1","x":"2"}}'),
  post(`${maps}?fieldValidation=Sometimes`, { metadata: { name: 'a' } }),
  post(`${maps}?dryRun=Some`, { metadata: { name: 'a' } }),
  post(`${maps}?dryRun=All`, { metadata: { name: 'dry' } }),
  post(maps, 'metadata: {name: from-yaml}\nfoo: 1\ndata: {a: b}\ndata: {a: c}\n', yaml),
  post(maps, 'x', { 'content-type': 'text/plain' }),
  post('/api/v1/configmaps', { metadata: { name: 'a' } }),
  post('/api/v1/namespaces/{ns}-not/configmaps', { metadata: { name: 'a' } }),
  post(`${maps}/warned`, {}),
  post(maps, { metadata: { name: 'warned' } }),
  post(maps, `{"metadata":{"name":"large"},"data":{"a":"${'x'.repeat(3 * 1024 * 1024)}"}}`),

  // Read.
  get(`${maps}/warned`),
  get(`${maps}/absent`),
  get(`${maps}/warned/things`),
  get('/api/v1/namespaces/{ns}/deployments'),
  get('/api/v1/namespaces/{ns}-not/configmaps'),
  get(`${maps}/warned`, { accept: 'application/yaml' }),
  get(`${maps}/warned`, { accept: 'application/json;q=0.5, application/yaml' }),
  get(`${maps}/warned`, table('v1')),
  get(`${maps}/warned?includeObject=None`, table('v1')),
  get(`${maps}/warned?includeObject=Some`, table('v1')),
  get(`${maps}/warned`, partial('PartialObjectMetadata')),
  get(`${maps}/warned`, partial('PartialObjectMetadataList')),
  get(`${maps}/warned`, table('v2')),
  get(`${maps}/warned`, { accept: 'application/json;as=Table;v=v2;g=meta.k8s.io, application/json' }),
  get(maps),
  get(maps, table('v1beta1')),
  get(`${maps}?includeObject=Object&limit=1`, table('v1')),
  get(`${maps}?limit=1`, partial('PartialObjectMetadataList')),
  get(`${maps}?limit=2`),
  get(`${maps}?fieldSelector=metadata.name%3Dignored`),
  get(`${maps}?labelSelector=a%20in%20(b)`),
  get(`${maps}?limit=x`),
  get(`${maps}?labelSelector=a%20in%20b`),
  get(`${maps}?fieldSelector=foo%3Db`),
  get(`${maps}?fieldSelector=foo`),
  get(`${maps}?resourceVersion=abc`),
  get(`${maps}?continue=abc`),
  get(`${maps}?resourceVersionMatch=Exact`),
  get(`${maps}?resourceVersionMatch=Some&resourceVersion=1`),
  get(`${maps}?resourceVersionMatch=Exact&resourceVersion=0`),
  get(`${maps}?sendInitialEvents=true`),

  // Watch.
  get(`${maps}?watch=1&sendInitialEvents=true`),
  get(`${maps}?watch=1&resourceVersionMatch=Exact`),
  differing(
    get(`${maps}?watch=1&timeoutSeconds=1`, { accept: 'application/yaml' }),
    'a long text in YAML is a block, not folded in quotes',
    {
      body: 'apiVersion: v1\ncode: 406\nkind: Status\nmessage: >-\n  only the following media types are accepted: application/json;stream=watch,\n  application/vnd.kubernetes.protobuf;stream=watch\nmetadata: {}\nreason: NotAcceptable\nstatus: Failure\n',
    },
  ),
  get(`${maps}?watch=1&resourceVersion=0&timeoutSeconds=1`),
  get(`/api/v1/watch/namespaces/{ns}/configmaps/warned?timeoutSeconds=1`),
  get(
    `${maps}?watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1`,
    partial('PartialObjectMetadata'),
  ),
  get(`${maps}?watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1`, table('v1')),

  // Update.
  put(`${maps}/warned`, { metadata: { name: 'warned' }, data: { x: '3' } }),
  put(`${maps}/warned`, { metadata: { name: 'other' } }),
  put(`${maps}/warned`, { metadata: { name: 'warned', namespace: 'other' } }),
  put(`${maps}/warned`, { metadata: {} }),
  put(`${maps}/warned`, { metadata: { name: 'warned', resourceVersion: '1' } }),
  put(`${maps}/absent`, { metadata: { name: 'absent' } }),
  put(maps, {}),
  post('/api/v1/namespaces/{ns}/secrets', { metadata: { name: 's' }, type: 'Opaque' }),
  put('/api/v1/namespaces/{ns}/secrets/s', { metadata: { name: 's' }, type: 'other' }),

  // Patch.
  patch(`${maps}/warned`, merge, { data: { y: '1', x: null } }),
  patch(`${maps}/warned`, jsonPatch, [{ op: 'replace', path: '/data/y', value: '2' }]),
  patch(`${maps}/warned`, merge, { foo: 1 }),
  patch(`${maps}/warned?fieldValidation=Strict`, merge, '{"foo":1,"foo":2}'),
  patch(`${maps}/warned`, merge, { data: { x: 1 } }),
  patch(`${maps}/warned`, merge, { metadata: { name: 'other' } }),
  patch(`${maps}/warned`, merge, { kind: 'Pod' }),
  patch(`${maps}/warned`, merge, { apiVersion: 'apps/v1' }),
  patch(`${maps}/warned`, merge, { metadata: { resourceVersion: '1' } }),
  patch(`${maps}/warned`, merge, '{bad'),
  patch(`${maps}/warned`, merge, '[]'),
  patch(`${maps}/warned`, jsonPatch, '{}'),
  patch(`${maps}/warned`, jsonPatch, [{ op: 'test', path: '/data/y', value: 'other' }]),
  patch(`${maps}/warned`, jsonPatch, [{ op: 'remove', path: '/data/absent' }]),
  patch(`${maps}/warned`, json, {}),
  patch(`${maps}/absent`, merge, {}),
  patch(`${maps}/warned?force=true`, merge, {}),
  patch(maps, merge, {}),

  // Deployments: immutable fields, scale.
  post(deployments, {
    metadata: { name: 'd' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  }),
  patch(`${deployments}/d`, merge, { spec: { selector: { matchLabels: { x: 'y' } } } }),
  get(`${deployments}/d/scale`),
  patch(`${deployments}/d/scale`, merge, { spec: { replicas: 3 } }),
  put(`${deployments}/d/scale`, { spec: { replicas: 4 } }),
  patch(`${deployments}/d/status`, merge, { status: { replicas: 2 } }),
  get(deployments, table('v1')),

  // Definitions and custom resources.
  post(
    definitions,
    definition('foos.{group}', {
      group: '{group}',
      scope: 'Namespaced',
      names: { plural: 'foos', kind: 'Foo' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: { properties: { a: { type: 'string' } } } } } },
        },
      ],
    }),
  ),
  ignoring(
    post(
      definitions,
      definition('widgets.{group}', {
        group: '{group}',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
        versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: widgetSchema } }],
      }),
    ),
    'a definition is served at once',
    'status',
  ),
  { ...get(widgets), awaits: 'served' },
  get('/apis/{group}'),
  get('/apis/{group}/v1'),
  get('/apis/{group}/v2'),
  get('/apis/{group}/v1/things'),
  post(widgets, '{bad'),
  post(widgets, {}),
  post(widgets, { kind: 'Widget' }),
  post(widgets, { apiVersion: '{group}/v2', kind: 'Widget', metadata: { name: 'w' } }),
  post(widgets, { apiVersion: '{group}/v1', kind: 'Gadget', metadata: { name: 'w' } }),
  post(widgets, widget('w', { image: 3, size: -1 })),
  post(
    `${widgets}?fieldValidation=Strict`,
    '{"apiVersion":"{group}/v1","kind":"Widget","metadata":{"name":"w","foo":1},"spec":{"image":"a","bar":1,"image":"c"},"zip":1}',
  ),
  post(
    widgets,
    '{"apiVersion":"{group}/v1","kind":"Widget","metadata":{"name":"w","foo":1},"spec":{"image":"a","bar":1,"image":"c"},"zip":1}',
  ),
  post(widgets, { apiVersion: '{group}/v1', kind: 'Widget', metadata: { name: 'x', labels: { a: 1 } }, spec: { image: 'a' } }),
  get(`${widgets}/w`),
  get(`${widgets}/w`, table('v1')),
  get(`${widgets}/w`, { accept: 'application/yaml' }),
  get(`${widgets}/w/things`),
  get('/apis/{group}/v1/widgets'),
  get('/apis/{group}/v1/widgets/w'),
  post('/apis/{group}/v1/widgets', {}),
  put(`${widgets}/w`, widget('w', { image: 'd' })),
  put(`${widgets}/w`, widget('other', { image: 'd' })),
  put(`${widgets}/absent`, widget('absent', { image: 'd' })),
  put(widgets, {}),
  patch(`${widgets}/w`, merge, { spec: { image: 'e' } }),
  patch(`${widgets}/w`, merge, { spec: { size: 'x' } }),
  patch(`${widgets}/w`, merge, { spec: { foo: 'x' } }),
  patch(`${widgets}/w?fieldValidation=Strict`, merge, { spec: { foo: 'x' } }),
  patch(`${widgets}/w`, merge, { kind: 'Gadget' }),
  patch(`${widgets}/w/status`, merge, { status: { ready: true }, spec: { image: 'ignored' } }),
  differing(patch(`${widgets}/w`, { 'content-type': 'application/strategic-merge-patch+json' }, {}), 'no server-side apply', {
    body: unsupportedPatchBody,
  }),
  get(`${widgets}?watch=1&resourceVersion=0&timeoutSeconds=1`),
  remove(`${widgets}/w`),
  remove(widgets),

  // Delete.
  remove(`${maps}/absent`),
  remove(`${maps}/warned`, { propagationPolicy: 'Sometimes' }),
  remove(`${maps}/warned`, { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['Some'] }),
  remove(`${maps}/warned`, { kind: 'Pod', apiVersion: 'v1' }),
  remove(`${maps}/warned`, '{bad'),
  remove(`${maps}/warned?gracePeriodSeconds=x`),
  remove(`${maps}/warned?propagationPolicy=Orphan&orphanDependents=true`),
  remove(`${maps}/warned`, { preconditions: { uid: 'abc' } }),
  remove(`${maps}/warned`, { preconditions: { resourceVersion: '1' } }),
  remove(`${maps}/warned?dryRun=All`),
  remove(`${maps}/warned`),
  remove(`${maps}/warned`),
  remove(`${maps}?labelSelector=a%3Db`),
  remove(maps),
  remove('/api/v1/namespaces/default'),
  ignoring(remove(`${definitions}/widgets.{group}`), 'custom resources are deleted at once', 'status', 'metadata'),
]

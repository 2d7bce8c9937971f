import type { UnstructuredObject } from 'steersman/api'
import { decodeProtobufEnvelope, encodeProtobufEnvelope, ProtobufCodec, ProtobufWatchFrameReader } from 'steersman/api/protobuf'
import type { TransportResponse } from 'steersman/environment'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { table as coreTable } from '../schema/builtin/core.v1.generated.js'
import { table as metaTable } from '../schema/builtin/meta.v1.generated.js'
import { type ControlPlane, startControlPlane } from './control-plane.js'

const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = { ...coreTable, ...metaTable }
const codec = new ProtobufCodec((name) => tables[name])
const type = 'application/vnd.kubernetes.protobuf'
const metadataOnly = `${type};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`
const configMaps = '/api/v1/namespaces/default/configmaps'
const widgets = '/apis/test.dev/v1/namespaces/default/widgets'
const allTypes = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'

let controlPlane: ControlPlane

interface Body {
  readonly method?: string
  readonly accept?: string
  readonly contentType?: string
  readonly body?: Uint8Array
}

async function send(target: string, { method = 'GET', accept, contentType, body }: Body = {}): Promise<TransportResponse> {
  const [path = '', query = ''] = target.split('?')
  return controlPlane.transport().request({
    method,
    path,
    query: new URLSearchParams(query),
    headers: { ...(accept === undefined ? {} : { accept }), ...(contentType === undefined ? {} : { 'content-type': contentType }) },
    ...(body === undefined ? {} : { body: { kind: 'bytes', bytes: body } }),
  })
}

const post = (body: Uint8Array, more: Body = {}) => send(configMaps, { method: 'POST', contentType: type, body, ...more })
const hex = (text: string): Uint8Array => Buffer.from(text.replaceAll(' ', ''), 'hex')

function bytesOf({ body, headers }: TransportResponse): Uint8Array {
  expect(headers['content-type']).toBe(type)
  if (body.kind !== 'bytes') throw new Error(`expected bytes, got ${body.kind}`)
  return body.bytes
}

/** What an answer in protobuf holds. */
function decoded(answer: TransportResponse): UnstructuredObject {
  const { apiVersion, kind, raw } = decodeProtobufEnvelope(bytesOf(answer))
  const known = [`io.k8s.api.core.v1.${kind}`, `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`].find((name) => codec.knows(name))
  return codec.decode(known ?? kind, raw, { apiVersion, kind }) as unknown as UnstructuredObject
}

/** What an answer in JSON says. */
function messageOf({ body }: TransportResponse): string {
  const value = body.kind === 'value' ? body.value : body.kind === 'bytes' ? JSON.parse(Buffer.from(body.bytes).toString()) : undefined
  return String((value as { readonly message?: unknown }).message)
}

function configMap(name: string, data: Record<string, string> = {}): Uint8Array {
  return encodeProtobufEnvelope(
    { apiVersion: 'v1', kind: 'ConfigMap' },
    codec.encode('io.k8s.api.core.v1.ConfigMap', { metadata: { name }, data }),
  )
}

beforeAll(async () => {
  controlPlane = await startControlPlane({ controllers: [], nodes: 0 })
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.test.dev' },
    spec: {
      group: 'test.dev',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  }
  const widget = { apiVersion: 'test.dev/v1', kind: 'Widget', metadata: { name: 'w' } }
  for (const [path, value] of [
    ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition] as const,
    [widgets, widget] as const,
  ]) {
    const answer = await send(path, { method: 'POST', contentType: 'application/json', body: Buffer.from(JSON.stringify(value)) })
    expect(answer.status).toBe(201)
  }
})

afterAll(() => controlPlane.stop())

describe('requests in protobuf', () => {
  test('create, read, list, replace and delete objects of built-in kinds', async () => {
    const created = decoded(await post(configMap('a', { key: 'ä' }), { accept: type }))
    expect(created).toMatchObject({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'a', namespace: 'default' },
      data: { key: 'ä' },
    })
    expect(decoded(await send(`${configMaps}/a`, { accept: `${type},application/json` }))).toEqual(created)
    const list = decoded(await send(configMaps, { accept: type })) as unknown as { readonly items: readonly UnstructuredObject[] }
    expect(list).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' })
    expect(list.items.find(({ metadata }) => metadata.name === 'a')).toMatchObject({ data: { key: 'ä' } })
    const replaced = await send(`${configMaps}/a`, { method: 'PUT', contentType: type, accept: type, body: configMap('a', { key: 'b' }) })
    expect(decoded(replaced)).toMatchObject({ data: { key: 'b' } })
    const options = encodeProtobufEnvelope({ apiVersion: 'v1', kind: 'DeleteOptions' }, new Uint8Array())
    const deleted = await send(`${configMaps}/a`, { method: 'DELETE', contentType: type, accept: type, body: options })
    expect(decoded(deleted)).toMatchObject({ kind: 'Status', status: 'Success', details: { name: 'a', kind: 'configmaps' } })
  })

  test('need no kind, and may have fields of a later version', async () => {
    const named = (name: string) => codec.encode('io.k8s.api.core.v1.ConfigMap', { metadata: { name } })
    expect((await post(encodeProtobufEnvelope({ apiVersion: '', kind: '' }, named('without-kind')))).status).toBe(201)
    const later = Buffer.concat([named('later'), hex('f80601')])
    const strict = await send(`${configMaps}?fieldValidation=Strict`, {
      method: 'POST',
      contentType: `${type}; charset=utf-8`,
      body: encodeProtobufEnvelope({ apiVersion: 'v1', kind: 'ConfigMap' }, later),
    })
    expect(strict.status).toBe(201)
  })

  // Recorded from kube-apiserver v1.37.2.
  test.each([
    ['', 'the object provided is unrecognized (must be of type ConfigMap): empty data (<empty>)'],
    [
      '68656c6c6f',
      'the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (68656c6c6f)',
    ],
    ['6b387300', 'the object provided is unrecognized (must be of type ConfigMap): empty body (6b387300)'],
    ['6b387300ffff', 'the object provided is unrecognized (must be of type ConfigMap): unexpected EOF (6b387300ffff)'],
    [
      '6b387300 0a0c 0a027631 1206536563726574 1207 0a050a01611a00 1a00 2200',
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      '6b387300 0a0f 0a027632 1209436f6e6669674d6170 1207 0a050a01611a00 1a00 2200',
      'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
    ],
  ])('that are wrong are refused with the words of the real server: %s', async (body, message) => {
    const answer = await post(hex(body))
    expect([answer.status, messageOf(answer)]).toEqual([400, message])
  })

  // Recorded from kube-apiserver v1.37.2: the message of a ConfigMap, and what is wrong with it.
  test.each([
    ['0aff', 'unexpected EOF'],
    ['0801', 'proto: wrong wireType = 0 for field ObjectMeta'],
    ['0a020801', 'proto: wrong wireType = 0 for field Name'],
    ['0000', 'proto: ConfigMap: illegal tag 0 (wire type 0)'],
    ['ffffffffffffffffffffffff', 'proto: integer overflow'],
    ['0c', 'proto: ConfigMap: wiretype end group for non-group'],
  ])('whose message is broken are refused with the words of the real server: %s', async (message, reason) => {
    const answer = await post(encodeProtobufEnvelope({ apiVersion: 'v1', kind: 'ConfigMap' }, hex(message)))
    expect([answer.status, messageOf(answer)]).toEqual([400, `ConfigMap in version "v1" cannot be handled as a ConfigMap: ${reason}`])
  })

  test('with options that are wrong are refused', async () => {
    const remove = (body: Uint8Array) => send(`${configMaps}/none`, { method: 'DELETE', contentType: type, body })
    expect(messageOf(await remove(hex('6b387300ff')))).toBe('unexpected EOF')
    const prefix = 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'
    expect(messageOf(await remove(hex('78')))).toBe(prefix)
    const other = encodeProtobufEnvelope({ apiVersion: 'v1', kind: 'ConfigMap' }, new Uint8Array())
    expect(messageOf(await remove(other))).toBe('no kind "ConfigMap" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"')
    expect(messageOf(await send(`${widgets}/none`, { method: 'DELETE', contentType: type, body: hex('78') }))).toBe(prefix)
  })

  test('in another encoding, or for custom resources, are refused', async () => {
    const unknown = `the body of the request was in an unknown format - accepted media types include: ${allTypes}`
    for (const contentType of ['application/cbor', 'text/plain']) {
      const answer = await post(hex('a0'), { contentType })
      expect([answer.status, messageOf(answer)]).toEqual([415, unknown])
    }
    const custom = await send(widgets, { method: 'POST', contentType: type, body: configMap('w') })
    expect([custom.status, messageOf(custom)]).toEqual([415, unknown])
  })
})

describe('answers in protobuf', () => {
  test('have refusals, byte for byte as the real server writes them', async () => {
    const answer = await send(`${configMaps}/none`, { accept: type })
    expect(answer.status).toBe(404)
    // Recorded from kube-apiserver v1.37.2.
    const recorded =
      'azhzAAoMCgJ2MRIGU3RhdHVzElUKBgoAEgAaABIHRmFpbHVyZRobY29uZmlnbWFwcyAibm9uZSIgbm90IGZvdW5kIghOb3RGb3VuZCoYCgRub25lEgAaCmNvbmZpZ21hcHMoADIAMJQDGgAiAA=='
    expect(Buffer.from(bytesOf(answer)).toString('base64')).toBe(recorded)
  })

  test('are refused for custom resources, except their metadata', async () => {
    const answer = await send(`${widgets}/w`, { accept: type })
    expect(answer.status).toBe(406)
    expect(decoded(answer)).toMatchObject({ message: `only the following media types are accepted: ${allTypes}` })
    expect((await send(`${widgets}/w`, { accept: `${type},application/json` })).headers['content-type']).toBe('application/json')
    expect(decoded(await send(`${widgets}/w`, { accept: metadataOnly }))).toMatchObject({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { name: 'w' },
    })
    const list = await send(widgets, { accept: metadataOnly.replace('Metadata;', 'MetadataList;') })
    expect(decoded(list)).toMatchObject({ kind: 'PartialObjectMetadataList', items: [{ metadata: { name: 'w' } }] })
  })

  test('have discovery', async () => {
    const kinds = await Promise.all(
      ['/api', '/apis', '/api/v1', '/apis/apps', '/apis/apps/v1'].map(async (path) => {
        const { apiVersion, kind } = decodeProtobufEnvelope(bytesOf(await send(path, { accept: type })))
        return [path, apiVersion, kind]
      }),
    )
    // Recorded from kube-apiserver v1.37.2.
    expect(kinds).toEqual([
      ['/api', '', 'APIVersions'],
      ['/apis', 'v1', 'APIGroupList'],
      ['/api/v1', '', 'APIResourceList'],
      ['/apis/apps', 'v1', 'APIGroup'],
      ['/apis/apps/v1', 'v1', 'APIResourceList'],
    ])
  })

  test('have watches', async () => {
    const options = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1'
    await post(configMap('watched', { key: 'x' }))
    const watches = await Promise.all([
      send(`${configMaps}?${options}`, { accept: type }),
      send(`${configMaps}?${options}`, { accept: type }),
    ])
    const chunks = await Promise.all(watches.map((watch) => chunksOf(watch)))
    const [first = [], second] = chunks
    expect(first).toEqual(second)
    const frames = first.flatMap((chunk) => new ProtobufWatchFrameReader(1 << 20).push(chunk))
    const events = frames.map(({ type: eventType, object }) => {
      const { apiVersion, kind, raw } = decodeProtobufEnvelope(object)
      return { type: eventType, object: codec.decode('io.k8s.api.core.v1.ConfigMap', raw, { apiVersion, kind }) }
    })
    expect(events).toContainEqual({ type: 'ADDED', object: expect.objectContaining({ kind: 'ConfigMap', data: { key: 'x' } }) })
    expect(events.find(({ type: eventType }) => eventType === 'BOOKMARK')?.object).toMatchObject({
      metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } },
    })
  })
})

async function chunksOf({ body, headers }: TransportResponse): Promise<Uint8Array[]> {
  expect(headers['content-type']).toBe(`${type};stream=watch`)
  if (body.kind !== 'byte-stream') throw new Error(`expected a stream of bytes, got ${body.kind}`)
  const chunks: Uint8Array[] = []
  for await (const chunk of body.chunks) chunks.push(chunk)
  return chunks
}

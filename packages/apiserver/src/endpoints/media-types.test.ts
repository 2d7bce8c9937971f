import { describe, expect, test } from 'vitest'
import type { ObjectProtobuf } from '../contracts/index.js'
import {
  bodyMediaTypes,
  collectionMediaTypes,
  negotiate,
  negotiateStream,
  parseAccept,
  protobufType,
  requireBodyType,
} from './media-types.js'

const options = { transformations: true }
const kubectlTable = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json'

describe('negotiate', () => {
  test('takes the first clause that can be met, by weight and then by place', () => {
    expect(negotiate(kubectlTable, options)).toMatchObject({
      mediaType: 'application/json',
      transformation: 'Table',
      transformationVersion: 'v1',
    })
    expect(negotiate('application/json;q=0.5, application/yaml', options).mediaType).toBe('application/yaml')
    expect(negotiate('application/vnd.kubernetes.protobuf,application/json', options).mediaType).toBe('application/json')
    expect(negotiate('application/json;as=Table;v=v9;g=meta.k8s.io, application/json', options).transformation).toBeUndefined()
  })

  test('writes JSON when nothing in particular is wanted', () => {
    for (const header of [undefined, '', '*/*', 'application/*', 'application/json, */*']) {
      expect(negotiate(header, options).mediaType, header).toBe('application/json')
    }
  })

  test('refuses what cannot be met', () => {
    for (const header of ['text/html', 'application/vnd.kubernetes.protobuf', 'application/json;as=Table;v=v9;g=meta.k8s.io']) {
      expect(() => negotiate(header, options), header).toThrow(
        'only the following media types are accepted: application/json, application/yaml',
      )
    }
    expect(() => negotiate('application/json;as=Table;v=v1;g=meta.k8s.io', { transformations: false })).toThrow('only the following')
  })

  test('indents for people', () => {
    expect(negotiate('*/*', { ...options, userAgent: 'curl/8.0' }).pretty).toBe(true)
    expect(negotiate('*/*', { ...options, userAgent: 'kubectl/v1.37' }).pretty).toBe(false)
    expect(negotiate('*/*', { ...options, userAgent: 'curl/8.0', query: new URLSearchParams('pretty=false') }).pretty).toBe(false)
    expect(negotiate('application/json;pretty=1', options).pretty).toBe(true)
  })
})

describe('protobuf', () => {
  const protobuf: ObjectProtobuf = {
    openEnvelope: () => ({ apiVersion: '', kind: '', raw: new Uint8Array() }),
    read: () => ({}),
    write: () => new Uint8Array(),
    writeWatchEvent: () => new Uint8Array(),
  }
  const offered = { ...options, protobuf }
  const partial = 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
  const table = 'application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1'
  const all = 'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf'

  test('is written of built-in objects and of metadata, never of tables', () => {
    expect(negotiate('application/vnd.kubernetes.protobuf,application/json', offered)).toMatchObject({ mediaType: protobufType, protobuf })
    expect(negotiate(partial, offered)).toMatchObject({ mediaType: protobufType, transformation: 'PartialObjectMetadata' })
    expect(negotiate(`${table},application/json`, offered)).toEqual({
      mediaType: 'application/json',
      transformationVersion: 'v1',
      pretty: false,
    })
    expect(() => negotiate(table, offered)).toThrow(all)
  })

  test('is written of the metadata of custom resources only', () => {
    const custom = { ...offered, isCustom: true }
    expect(() => negotiate('application/vnd.kubernetes.protobuf', custom)).toThrow(all)
    expect(negotiate('application/vnd.kubernetes.protobuf,application/json', custom).mediaType).toBe('application/json')
    expect(negotiate(partial, custom).mediaType).toBe(protobufType)
  })

  test('is written of watches', () => {
    const streams = { ...offered, route: collectionMediaTypes }
    expect(negotiateStream('application/vnd.kubernetes.protobuf;stream=watch', streams).mediaType).toBe(protobufType)
    expect(() => negotiateStream(table, streams)).toThrow(all)
  })
})

test('negotiate says in other words when the route of a built-in resource has none of the media types', () => {
  const available = 'Available representations: application/json, application/yaml, application/vnd.kubernetes.protobuf'
  for (const header of ['text/plain', 'application/cbor', 'application/*', 'application/x-yaml']) {
    expect(() => negotiate(header, { ...options, route: bodyMediaTypes }), header).toThrow(`406: Not Acceptable\n\n${available}`)
  }
  expect(() => negotiate('text/plain', { ...options, route: collectionMediaTypes })).toThrow(
    `${available}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`,
  )
  expect(() => negotiate('text/plain,application/json;as=Foo', { ...options, route: bodyMediaTypes })).toThrow('only the following')
})

test('negotiateStream writes no YAML', () => {
  expect(negotiateStream('application/json;stream=watch', options).mediaType).toBe('application/json')
  expect(() => negotiateStream('application/yaml', options)).toThrow(
    'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
  )
})

test('parseAccept drops what is no clause and keeps parameters', () => {
  expect(parseAccept('application/json;as=Table;g=meta.k8s.io, ,text/html;q=x')).toEqual([
    { type: 'application/json', parameters: { as: 'Table', g: 'meta.k8s.io' } },
    { type: 'text/html', parameters: { q: 'x' } },
  ])
})

test('requireBodyType takes a missing type for JSON and ignores the character set', () => {
  expect(requireBodyType(undefined)).toBe('application/json')
  expect(requireBodyType('Application/JSON; charset=utf-8')).toBe('application/json')
  expect(requireBodyType('application/yaml')).toBe('application/yaml')
  expect(() => requireBodyType('application/vnd.kubernetes.protobuf')).toThrow('the body of the request was in an unknown format')
})

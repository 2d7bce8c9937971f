import { describe, expect, test } from 'vitest'
import { negotiate, negotiateStream, parseAccept, requireBodyType } from './media-types.js'

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

test('negotiateStream writes JSON lines only', () => {
  expect(negotiateStream('application/json;stream=watch').mediaType).toBe('application/json')
  expect(() => negotiateStream('application/yaml')).toThrow('only the following media types are accepted: application/json;stream=watch')
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

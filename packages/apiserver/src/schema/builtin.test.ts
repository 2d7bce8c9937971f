import { readFileSync } from 'node:fs'
import { deepFreeze } from 'steersman/internal'
import { beforeAll, describe, expect, test } from 'vitest'
import { BuiltinSchemas, cannotBeHandled, loadBuiltinSchemas } from './builtin.js'
import { DecodeError } from './decode-state.js'
import { readTime } from './go-time.js'

/** Answers of a real kube-apiserver 1.37 to creates with fieldValidation=Strict; an empty message means that it decoded the object. */
const golden = deepFreeze(
  JSON.parse(readFileSync(new URL('golden/builtin-decode.json', import.meta.url), 'utf8')) as readonly {
    readonly object: { readonly apiVersion: string; readonly kind: string }
    readonly message: string
  }[],
)

let schemas: BuiltinSchemas
beforeAll(async () => {
  schemas = await loadBuiltinSchemas()
})

describe('BuiltinSchemas.decode', () => {
  test.each(golden)('answers as the real server: $message', ({ object, message }) => {
    const definition = schemas.definitionName(object.apiVersion, object.kind) ?? ''
    const strictErrors: string[] = []
    let reason = ''
    try {
      schemas.decode(definition, object, { strictErrors })
      if (strictErrors.length > 0) reason = `strict decoding error: ${strictErrors.join(', ')}`
    } catch (error) {
      expect(error).toBeInstanceOf(DecodeError)
      reason = (error as DecodeError).message
    }
    expect(reason === '' ? '' : cannotBeHandled(object.kind, 'v1', reason)).toBe(message)
  })

  test('returns the same reference when nothing changed', () => {
    const pod = deepFreeze({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'x' },
      spec: { containers: [{ name: 'a', image: 'b', resources: {} }] },
    })
    expect(schemas.decode('io.k8s.api.core.v1.Pod', pod)).toBe(pod)
  })

  test('drops nulls and unknown fields, and leaves empty collections to who looks at them', () => {
    const pod = deepFreeze({
      metadata: { name: 'x', labels: {} },
      spec: { containers: [], nodeName: null, volumes: [], zz: 1, nodeSelector: { a: null } },
    })
    expect(schemas.decode('io.k8s.api.core.v1.Pod', pod)).toEqual({
      metadata: { name: 'x', labels: {} },
      spec: { containers: [], volumes: [], nodeSelector: { a: '' } },
    })
  })

  test('changes nothing for a definition that it does not know', () => {
    const value = { a: null }
    expect(schemas.decode('io.example.Unknown', value)).toBe(value)
  })
})

describe('BuiltinSchemas.schemaOf', () => {
  test('expands the compact form', () => {
    const small = new BuiltinSchemas({
      A: { items: '[]B!;list=map;keys=x,y;patch=merge;mergeKey=x', map: '{}[]string;map=atomic', e: 'string;enum=P|Q' },
    })
    expect(small.schemaOf('A')).toEqual({
      type: 'object',
      required: ['items'],
      properties: {
        items: {
          type: 'array',
          items: { $ref: 'B' },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['x', 'y'],
          'x-kubernetes-patch-strategy': 'merge',
          'x-kubernetes-patch-merge-key': 'x',
        },
        map: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } }, 'x-kubernetes-map-type': 'atomic' },
        e: { type: 'string', enum: ['P', 'Q'] },
      },
    })
  })

  test('knows every definition that a table refers to', () => {
    const missing = new Set<string>()
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      for (const [key, inner] of Object.entries(value)) {
        if (key === '$ref' && typeof inner === 'string' && schemas.schemaOf(inner) === undefined) missing.add(inner)
        visit(inner)
      }
    }
    for (const name of schemas.definitionNames) visit(schemas.schemaOf(name))
    expect([...missing]).toEqual([])
  })
})

describe('readTime', () => {
  test.each([
    ['2020', 'parsing time "2020" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "-"'],
    ['2020-01-01 00:00:00Z', 'parsing time "2020-01-01 00:00:00Z" as "2006-01-02T15:04:05Z07:00": cannot parse " 00:00:00Z" as "T"'],
    ['2020-13-01T00:00:00Z', 'parsing time "2020-13-01T00:00:00Z": month out of range'],
    ['2020-02-30T00:00:00Z', 'parsing time "2020-02-30T00:00:00Z": day out of range'],
    ['2020-01-01T25:00:00Z', 'parsing time "2020-01-01T25:00:00Z": hour out of range'],
    ['2020-01-01T00:00:00+2', 'parsing time "2020-01-01T00:00:00+2" as "2006-01-02T15:04:05Z07:00": cannot parse "+2" as "Z07:00"'],
    ['2020-01-01T00:00:00Zx', 'parsing time "2020-01-01T00:00:00Zx": extra text: "x"'],
  ])('refuses %s in the words of Go', (text, error) => {
    expect(readTime(text, 0)).toEqual({ error })
  })

  test('writes times in UTC', () => {
    expect(readTime('2020-01-01T01:30:00+02:00', 0)).toEqual({ text: '2019-12-31T23:30:00Z' })
    expect(readTime('2020-01-01T00:00:00.123456789Z', 0)).toEqual({ text: '2020-01-01T00:00:00Z' })
    expect(readTime('2020-01-01T01:00:00.123456-01:00', 6)).toEqual({ text: '2020-01-01T02:00:00.123456Z' })
  })
})

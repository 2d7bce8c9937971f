import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type FieldError, fieldErrorToCause } from 'steersman/api'
import { deepFreeze } from 'steersman/internal'
import { describe, expect, test } from 'vitest'
import { compileSchema } from './compile.js'
import { CompiledNode } from './compiled-node.js'
import type { StructuralSchema } from './structural-schema.js'

/** Answers of a real kube-apiserver 1.37: the same requests went to it. */
interface Golden {
  readonly schema: StructuralSchema
  readonly creates: readonly { object: Record<string, unknown>; message?: string; causes?: readonly Cause[]; result?: unknown }[]
  readonly strict: readonly { object: Record<string, unknown>; message: string }[]
  readonly ratcheting: {
    readonly schema: StructuralSchema
    readonly oldObject: unknown
    readonly updates: readonly { object: unknown; causes: readonly Cause[] }[]
    readonly statuses: readonly { object: unknown; causes: readonly Cause[] }[]
  }
}
interface Cause {
  readonly field?: string
  readonly message?: string
  readonly reason?: string
}

const golden = deepFreeze(JSON.parse(readFileSync(new URL('golden/custom-resource-validation.json', import.meta.url), 'utf8')) as Golden)
// The real server visits fields in random order, so only the set of errors can be compared.
const sorted = (causes: readonly Cause[]): readonly string[] =>
  causes.map((cause) => JSON.stringify([cause.field, cause.reason, cause.message])).sort()
const causesOf = (errors: readonly FieldError[]): readonly string[] => sorted(errors.map(fieldErrorToCause))

describe('compileSchema against the real server', () => {
  const schema = compileSchema(golden.schema)

  test.each(golden.creates)('validates $object.spec', ({ object, causes, result }) => {
    const prepared = schema.applyDefaults(schema.prune(object))
    expect(causesOf(schema.validate(prepared))).toEqual(sorted(causes ?? []))
    if (result !== undefined) expect((prepared as { spec: unknown }).spec).toEqual((result as { spec: unknown }).spec)
  })

  test.each(golden.strict)('names the unknown fields of $object', ({ object, message }) => {
    const unknownFields: string[] = []
    let text: string
    try {
      schema.prune(object, { unknownFields })
      text = `strict decoding error: ${unknownFields.map((field) => `unknown field "${field}"`).join(', ')}`
    } catch (error) {
      text = (error as Error).message
    }
    expect(`Thing in version "v1" cannot be handled as a Thing: ${text}`).toBe(message)
  })
})

describe('compileSchema on update, against the real server', () => {
  const { schema, oldObject, updates, statuses } = golden.ratcheting
  const compiled = compileSchema(schema)

  test.each(updates)('drops errors of what did not change: $object.spec', ({ object, causes }) => {
    expect(causesOf(compiled.validate(object, oldObject))).toEqual(sorted(causes))
  })

  test.each(statuses)('validates the status alone: $object.status', ({ object, causes }) => {
    expect(causesOf(compiled.validateStatus(object, oldObject))).toEqual(sorted(causes))
  })
})

describe('prune', () => {
  const schema = compileSchema({
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: { type: 'string' }, list: { type: 'array', items: { type: 'object' } } } } },
  })

  test('returns the same reference when nothing is dropped', () => {
    const object = deepFreeze({ apiVersion: 'a/v1', kind: 'A', metadata: { name: 'x', labels: { a: 'b' } }, spec: { a: 'b', list: [{}] } })
    expect(schema.prune(object)).toBe(object)
    expect(schema.applyDefaults(object)).toBe(object)
  })

  test('drops a null that is not nullable, without calling it unknown', () => {
    const unknownFields: string[] = []
    expect(schema.prune(deepFreeze({ metadata: {}, spec: { a: null } }), { unknownFields })).toEqual({ metadata: {}, spec: {} })
    expect(unknownFields).toEqual([])
  })

  test('reads metadata as the real server does', () => {
    const metadata = {
      name: 'x',
      labels: { a: null },
      annotations: {},
      creationTimestamp: null,
      deletionTimestamp: '2020-01-01T02:00:00.5+02:00',
    }
    expect(schema.prune(deepFreeze({ metadata }))).toEqual({
      metadata: { name: 'x', labels: { a: '' }, deletionTimestamp: '2020-01-01T00:00:00Z' },
    })
  })

  test('keeps __proto__ an ordinary key', () => {
    const free = compileSchema({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'object' } } })
    const pruned = free.prune(JSON.parse('{"__proto__":{"x":1},"a":{"__proto__":1}}'))
    expect(JSON.stringify(pruned)).toBe('{"__proto__":{"x":1},"a":{}}')
  })
})

describe('applyDefaults', () => {
  const schema = compileSchema({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        default: {},
        properties: {
          a: { type: 'string', default: 'x' },
          n: { type: 'string', nullable: true, default: 'x' },
          list: { type: 'array', items: { type: 'object', properties: { p: { type: 'string', default: 'TCP' } } } },
          map: { type: 'object', additionalProperties: { type: 'object', properties: { q: { type: 'integer', default: 1 } } } },
        },
      },
    },
  })

  test('fills in defaults inside defaults, items and values', () => {
    expect(schema.applyDefaults({})).toEqual({ spec: { a: 'x', n: 'x' } })
    const object = deepFreeze({ spec: { a: null, n: null, list: [{}, { p: 'UDP' }], map: { k: {} } } })
    expect(schema.applyDefaults(object)).toEqual({ spec: { a: 'x', n: null, list: [{ p: 'TCP' }, { p: 'UDP' }], map: { k: { q: 1 } } } })
  })

  test('hands out a new copy of a default each time', () => {
    const first = schema.applyDefaults({}) as { spec: Record<string, unknown> }
    first.spec.a = 'changed'
    expect(schema.applyDefaults({})).toEqual({ spec: { a: 'x', n: 'x' } })
  })
})

describe('rules', () => {
  const schema: StructuralSchema = {
    type: 'object',
    properties: { a: { type: 'string', maxLength: 2 } },
    'x-kubernetes-validations': [{ rule: 'false' }],
  }

  test('are ignored without an evaluator', () => {
    expect(compileSchema(schema).validate({ a: 'x' })).toEqual([])
  })

  test('are not evaluated on an object that is invalid', () => {
    const compiled = compileSchema(schema, {
      rules: () => [{ type: 'FieldValueInvalid', field: 'a', badValue: 'x', detail: 'failed rule: false' }],
    })
    expect(compiled.validate({ a: 'x' }).map((error) => error.detail)).toEqual(['failed rule: false'])
    expect(compiled.validate({ a: 'xyz' }).map((error) => error.detail)).toEqual([
      'may not be more than 2 bytes',
      'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ])
  })
})

test('A recursive definition is compiled once and ends', () => {
  const tree: StructuralSchema = {
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: 'Tree' } } },
  }
  const schema = compileSchema({ $ref: 'Tree' }, { isResource: false, resolve: () => tree })
  const value = { name: 'a', children: [{ name: 'b', children: [{ name: 3, extra: 1 }] }] }
  expect(schema.prune(value)).toEqual({ name: 'a', children: [{ name: 'b', children: [{ name: 3 }] }] })
  expect(schema.applyDefaults(value)).toBe(value)
})

const leaf = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.integer({ min: -3, max: 12 }),
  fc.double({ min: -1, max: 4, noNaN: true }),
  fc.boolean(),
  fc.constant(null),
)
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'k', 'v', 'x'), tie('value')),
  ),
})).value

test('The check without messages and the one with messages agree on what is valid', () => {
  const properties = golden.schema.properties?.spec?.properties ?? {}
  const nodes = Object.values(properties).map((schema) => new CompiledNode(schema, { referenced: new Map() }))
  fc.assert(
    fc.property(fc.constantFrom(...nodes), json, (node, value) => {
      expect(node.collect(value, 'x', undefined).isValid).toBe(node.isValid(value))
    }),
    { numRuns: 3000 },
  )
})

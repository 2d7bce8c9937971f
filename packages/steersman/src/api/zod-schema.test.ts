import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import { cel, intOrString, listMap, listSet, quantity } from '../zod.js'
import { structuralSchemaFromZod } from './zod-schema.js'

const convert = (schema: z.ZodType) => structuralSchemaFromZod(schema, 'spec')

/** What TypeScript makes of `enum Level { Low = 1, High = 2 }`. */
const Level = { 1: 'Low', 2: 'High', Low: 1, High: 2 } as const

describe('structuralSchemaFromZod', () => {
  // kube-apiserver 1.37.2 accepted a CustomResourceDefinition with all of these.
  test.each<[string, z.ZodType, object]>([
    ['string', z.string(), { type: 'string' }],
    ['string with bounds', z.string().min(1).max(3), { type: 'string', minLength: 1, maxLength: 3 }],
    ['string of one length', z.string().length(4), { type: 'string', minLength: 4, maxLength: 4 }],
    ['string with a pattern', z.string().regex(/^a+$/), { type: 'string', pattern: '^a+$' }],
    ['pattern with flags', z.string().regex(/^a.$/is), { type: 'string', pattern: '(?is)^a.$' }],
    ['pattern with an escape of Unicode', z.string().regex(/^\u00e9$/), { type: 'string', pattern: '^\\x{00e9}$' }],
    [
      'string with two patterns',
      z.string().startsWith('a').endsWith('b'),
      { type: 'string', pattern: '^a.*', allOf: [{ pattern: '.*b$' }] },
    ],
    ['email', z.email().max(9), { type: 'string', format: 'email', maxLength: 9, pattern: z.email()._zod.def.pattern?.source }],
    ['email with a pattern of its own', z.email({ pattern: /@b$/ }), { type: 'string', format: 'email', pattern: '@b$' }],
    ['uuid', z.uuid(), { type: 'string', format: 'uuid' }],
    ['uuid of a version', z.uuidv7(), { type: 'string', format: 'uuid', pattern: z.uuidv7()._zod.def.pattern?.source }],
    ['url', z.url(), { type: 'string', format: 'uri' }],
    ['date and time', z.iso.datetime(), { type: 'string', format: 'date-time' }],
    ['date', z.iso.date(), { type: 'string', format: 'date' }],
    ['ipv4', z.ipv4(), { type: 'string', format: 'ipv4' }],
    ['cidr', z.cidrv6(), { type: 'string', format: 'cidr' }],
    ['base64', z.base64(), { type: 'string', format: 'byte' }],
    ['number', z.number(), { type: 'number' }],
    ['integer', z.int(), { type: 'integer', format: 'int64' }],
    ['number made integer', z.number().int().positive(), { type: 'integer', format: 'int64', minimum: 0, exclusiveMinimum: true }],
    ['int32 with bounds', z.int32().min(0).max(10), { type: 'integer', format: 'int32', minimum: 0, maximum: 10 }],
    ['uint32', z.uint32(), { type: 'integer', format: 'int64', minimum: 0, maximum: 4294967295 }],
    ['float', z.float32().lt(1), { type: 'number', format: 'float', maximum: 1, exclusiveMaximum: true }],
    ['the tighter of two bounds', z.number().min(1).gt(1).min(0), { type: 'number', minimum: 1, exclusiveMinimum: true }],
    ['multiple', z.int().multipleOf(5), { type: 'integer', format: 'int64', multipleOf: 5 }],
    ['boolean', z.boolean(), { type: 'boolean' }],
    ['enum', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    ['enum of TypeScript', z.enum(Level), { type: 'integer', enum: [1, 2] }],
    ['literal', z.literal('a'), { type: 'string', enum: ['a'] }],
    ['union of literals', z.union([z.literal('a'), z.literal('b')]), { type: 'string', enum: ['a', 'b'] }],
    ['nullable enum', z.enum(['a']).nullable(), { type: 'string', nullable: true, allOf: [{ enum: ['a'] }] }],
    ['union with null', z.union([z.string(), z.null()]), { type: 'string', nullable: true }],
    ['map', z.record(z.string(), z.int32()), { type: 'object', additionalProperties: { type: 'integer', format: 'int32' } }],
    ['list', z.array(z.string()).min(1).max(2), { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 }],
    ['unknown', z.unknown(), { 'x-kubernetes-preserve-unknown-fields': true }],
    ['strict object', z.strictObject({ a: z.string() }), { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }],
    [
      'loose object',
      z.looseObject({ a: z.string().optional() }),
      { type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-preserve-unknown-fields': true },
    ],
    ['catchall', z.object({}).catchall(z.string()), { type: 'object', additionalProperties: { type: 'string' } }],
    [
      'optional, default, nullable, readonly',
      z.object({
        a: z.string().optional(),
        b: z.int32().default(3),
        c: z.string().nullable(),
        d: z.string().readonly(),
        e: z.string().optional().nonoptional(),
        f: z.string().nullish(),
      }),
      {
        type: 'object',
        properties: {
          a: { type: 'string' },
          b: { type: 'integer', format: 'int32', default: 3 },
          c: { type: 'string', nullable: true },
          d: { type: 'string' },
          e: { type: 'string' },
          f: { type: 'string', nullable: true },
        },
        required: ['c', 'd', 'e'],
      },
    ],
    [
      'prefault of an object with defaults',
      z.object({ a: z.int32().default(1) }).prefault({}),
      { type: 'object', properties: { a: { type: 'integer', format: 'int32', default: 1 } }, default: {} },
    ],
    ['lazy', z.lazy(() => z.string()), { type: 'string' }],
    ['template literal', z.templateLiteral(['a-', z.enum(['x', 'y'])]), { type: 'string', pattern: '^a-(x|y)$' }],
    ['brand and description', z.string().brand('Image').describe('Where from.'), { type: 'string', description: 'Where from.' }],
    ['intOrString', intOrString(), { 'x-kubernetes-int-or-string': true }],
    [
      'int or string with constraints of both',
      z.union([z.int32().min(1), z.string().min(2)]),
      { 'x-kubernetes-int-or-string': true, minimum: 1, minLength: 2 },
    ],
    [
      'listMap, its bounds set afterwards',
      listMap(z.object({ name: z.string(), port: z.int32() }), 'name')
        .max(16)
        .optional(),
      {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, port: { type: 'integer', format: 'int32' } },
          required: ['name', 'port'],
        },
        maxItems: 16,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
    ],
    ['listSet', listSet(z.string()), { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' }],
    [
      'cel',
      z.object({ min: z.int32(), max: z.int32() }).meta(cel({ rule: 'self.min <= self.max', message: 'min must not exceed max' })),
      {
        type: 'object',
        properties: { min: { type: 'integer', format: 'int32' }, max: { type: 'integer', format: 'int32' } },
        required: ['min', 'max'],
        'x-kubernetes-validations': [{ rule: 'self.min <= self.max', message: 'min must not exceed max' }],
      },
    ],
    ['zod mini', mini.string().check(mini.minLength(2)) as unknown as z.ZodType, { type: 'string', minLength: 2 }],
  ])('%s', (_, schema, expected) => {
    expect(convert(schema)).toEqual(expected)
  })

  test('quantity is an int-or-string with upstream’s pattern', () => {
    const pattern =
      '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$'
    expect(convert(quantity())).toEqual({ 'x-kubernetes-int-or-string': true, pattern })
    expect([quantity().safeParse('1.5Gi').success, quantity().safeParse('much').success]).toEqual([true, false])
  })

  const tree: z.ZodType = z.object({
    get children() {
      return z.array(tree)
    },
  })
  test.each<[string, z.ZodType, string]>([
    [
      'a date',
      z.object({ when: z.date() }),
      'Cannot use spec.when in a CustomResourceDefinition: a zod schema of type date cannot be structural; use z.iso.datetime()',
    ],
    ['a bigint', z.object({ n: z.array(z.bigint()) }), 'Cannot use spec.n[] in'],
    ['a value of a map', z.record(z.string(), z.date()), 'Cannot use spec.* in'],
    ['a symbol', z.symbol(), 'type symbol'],
    ['a transform', z.string().transform(Number), 'transform in the reconciler'],
    ['a codec', z.stringbool(), 'type pipe'],
    ['a preprocess', z.preprocess(String, z.string()), 'type pipe'],
    ['a coercion', z.coerce.number(), 'does not coerce'],
    ['a change of the value', z.string().trim(), 'it changes the value'],
    ['a refinement', z.object({ a: z.string() }).refine(() => true), 'write the rule in CEL'],
    ['a union of objects', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), 'a union cannot be structural'],
    [
      'a discriminated union',
      z.discriminatedUnion('t', [z.object({ t: z.literal('a') }), z.object({ t: z.literal('b') })]),
      'a union cannot',
    ],
    ['a union of string and boolean', z.union([z.string(), z.boolean()]), 'a union cannot be structural'],
    ['a tuple', z.tuple([z.string()]), 'use an object'],
    ['an intersection', z.intersection(z.object({}), z.object({})), 'use .extend()'],
    ['a set', z.set(z.string()), 'use listSet()'],
    ['a map', z.map(z.string(), z.string()), 'use z.record()'],
    ['a map with keys of an enum', z.record(z.enum(['a']), z.string()), 'the keys of a map can only be any string'],
    ['named fields and a catchall', z.object({ a: z.string() }).catchall(z.string()), 'both named fields and a catchall'],
    ['an enum of two types', z.literal(['a', 1]), 'not all strings'],
    ['a catch', z.string().catch(''), 'use .default()'],
    ['an object that contains itself', tree, 'it contains itself'],
    ['look-around', z.string().regex(/^(?!a)/), 'looks around'],
    ['a back reference', z.string().regex(/(a)\1/), 'refers back'],
    ['a URL of certain hosts', z.url({ hostname: /^a$/ }), 'use .regex() or a cel() rule'],
    ['a null', z.null(), 'use .nullable()'],
    ['a default that is no JSON', z.unknown().default(() => new Map()), 'its default is not plain JSON'],
    ['a function', z.custom<string>(() => true), 'cannot be structural'],
    ['null', null as never, 'it is not a zod 4 schema'],
  ])('structuralSchemaFromZod refuses %s, saying where and what instead', (_, schema, problem) => {
    expect(() => convert(schema)).toThrow(TypeError)
    expect(() => convert(schema)).toThrow(problem)
  })
})

import type { Json, JsonObject } from '../language/index.js'
import type { Chance } from './chance.js'
import type { FieldSchema } from './kind-schema.js'

/** What stands where something else belongs. */
const strangeValues: readonly Json[] = [null, 0, -1, 1.5, 2147483648, '', 'x', true, [], ['x'], {}, { x: 1 }]

const words = ['a', 'b', 'x', 'example.com/a', 'a.b', '1', 'web']
const strangeWords = [
  '',
  'A',
  'a b',
  'a_b',
  '-a',
  'a-',
  '.',
  '..',
  '/',
  'a/b/c',
  '/a',
  'a//b',
  '*',
  ' a',
  'ä',
  'x'.repeat(64),
  'x'.repeat(254),
]

/** What fields are likely to hold, right and wrong, by their names. */
const byName: readonly (readonly [name: RegExp, values: readonly Json[]])[] = [
  [
    /cidr/i,
    [
      '10.1.0.0/16',
      '10.1.0.1/16',
      '10.1.0.0',
      '10.1.0.0/33',
      'fd00::/64',
      '2001:DB8::/32',
      '010.1.0.0/16',
      '::ffff:1.2.3.0/120',
      'x/8',
      '0.0.0.0/0',
    ],
  ],
  [
    /ips?$|address(es)?$|nameservers/i,
    ['10.1.2.3', '010.1.2.3', '::1', '2001:DB8::1', '::ffff:1.2.3.4', '1.2.3', '0.0.0.0', '127.0.0.1', '224.0.0.1', 'x'],
  ],
  [
    /url$/i,
    [
      'https://example.com/a',
      'http://example.com',
      'https://',
      'https://user@example.com',
      'https://example.com/?a#b',
      'x',
      ':',
      'https://example.com:x',
    ],
  ],
  [
    /schedule$/,
    [
      '0 * * * *',
      '@daily',
      '@every 1h',
      '* * * *',
      '60 * * * *',
      '*/0 * * * *',
      'TZ=UTC 0 * * * *',
      '0 0 31 2 *',
      '5-1 * * * *',
      '? ? ? ? ?',
      '@never',
    ],
  ],
  [/timeZone/, ['UTC', 'Europe/Berlin', 'Nowhere/Else', 'local', 'Local', '']],
  [/path/i, ['/a', 'a', 'a/b', '../a', '/a/../b', '/', 'a:b', './a', '/a?b', 'metadata.name', "metadata.labels['a']", 'spec.nothing']],
  [/port$/i, [80, 'web', 0, 65536, -1, 'too-long-a-port-name', 'Web', '80', 'a--b', '-']],
  [
    /host(name)?s?$|fqdn|subdomain|searches/i,
    ['example.com', '*.example.com', 'Example.com', 'a..b', '1.2.3.4', '*', 'a_b', `${'x'.repeat(64)}.com`, 'host.'],
  ],
  [/selector$/i, ['a=b', 'a in (b)', 'a in']],
  [/operator$/i, ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Equal', 'in', '']],
  [/effect$/i, ['NoSchedule', 'NoExecute', 'PreferNoSchedule', 'Never', '']],
  [/verbs$/i, ['get', '*', 'GET', '']],
  [/apiGroups?$/i, ['', 'apps', '*', 'rbac.authorization.k8s.io', 'Apps', 'a_b']],
  [/apiVersions?$/i, ['v1', 'apps/v1', 'a/b/c', 'V_1', '']],
  [/resources?$/i, ['pods', '*', 'pods/status', '*/*', '*/scale', 'pods/*', 'Pods', '']],
  [
    /policy$|type$|phase$|mode$|scope$|action$|protocol$/i,
    ['None', 'Always', 'Never', 'Default', 'Local', 'TCP', 'Opaque', 'Cluster', 'Other', ''],
  ],
  [/signerName/i, ['example.com/mine', 'kubernetes.io/kube-apiserver-client', 'mine', 'a/b/c', 'Example.com/x', 'example.com/', '']],
  [/driver(Name)?$/i, ['d.example.com', 'D.example.com', 'd_x', `${'x'.repeat(64)}.com`, '']],
  [/class(Name)?$/i, ['fast', 'Fast', 'a_b', '', 'system-node-critical']],
  [/key$|keys$|label|annotation/i, ['a', 'example.com/a', 'a b', 'a/b/c', '/a', 'example.com/', 'x'.repeat(64), '']],
  [/uid$/i, ['11111111-2222-3333-4444-555555555555', 'x', '']],
  [/expression/i, ['true', '1', 'a +', '']],
]

const byFormat: Readonly<Record<string, readonly Json[]>> = {
  int32: [0, 1, -1, 5, 100, 65536, 2147483647, 2147483648, -2147483649, 1.5, 1e3],
  int64: [0, 1, -1, 5, 100, 65536, 2147483648, -9007199254740991, 1e20, 0.5],
  double: [0, 1, -1, 0.5, 1e300],
  'date-time': ['2020-01-02T03:04:05Z', '2020-01-02T03:04:05.000006Z', '2020-01-02T03:04:05+01:00', '2020-01-02', 'now', '', null],
  byte: ['eA==', 'e30=', '', 'x', '*', 'eA'],
}

const byType: Partial<Record<FieldSchema['type'], readonly Json[]>> = {
  boolean: [true, false],
  quantity: ['1', '0', '-1', '100m', '1Gi', '1.5Gi', 'x', '', 1, 0.1, -2, '1e3', '1n', '0.0001', '9223372036854775808', '1 Gi', '+1', true],
  'int-or-string': [0, 1, -1, 3, '50%', '0%', '101%', '-5%', '1', 'x', '', 70000, '%', true],
  any: [{}, { a: 1 }, 'x', 1, [], null, { apiVersion: 'v1', kind: 'ConfigMap' }],
}

/** Values of fields that a chance picks. */
export class FieldValues {
  readonly #chance: Chance

  constructor(chance: Chance) {
    this.#chance = chance
  }

  /** A value for a field that may be right, and of its type more often than not. */
  near(name: string, schema: FieldSchema, depth = 2): Json {
    const chance = this.#chance
    if (chance.happens(0.08)) return chance.pick(strangeValues)
    switch (schema.type) {
      case 'object':
        return depth === 0 || chance.happens(0.2) ? {} : this.#object(schema, 0.3, depth)
      case 'array':
        return chance.some(2, () => this.near(name, schema.element ?? schema, depth))
      case 'map':
        return this.#map(schema, depth)
      case 'string':
        return this.#string(name, schema)
      case 'integer':
      case 'number':
        return chance.pick(/port$/i.test(name) ? [80, 443, 0, -1, 65535, 65536] : (byFormat[schema.format] ?? byFormat.int64 ?? []))
      default:
        return chance.pick(byType[schema.type] ?? strangeValues)
    }
  }

  /** Something that hardly belongs to any field. */
  strange(): Json {
    return this.#chance.pick(strangeValues)
  }

  /** An object with what it must have, and of the rest each field with a probability; `depth` more levels. */
  #object(schema: FieldSchema, probability: number, depth: number): JsonObject {
    const members: [string, Json][] = []
    for (const [name, field] of schema.fields) {
      const isWanted = schema.required.includes(name) ? this.#chance.happens(0.9) : this.#chance.happens(probability)
      const isDeep = field.type === 'object' || field.type === 'array'
      if (!isWanted || (isDeep && depth === 0)) continue
      members.push([
        name,
        field.type === 'object' ? this.#object(field, probability / 2, depth - 1) : this.#shallow(name, field, depth - 1),
      ])
    }
    return Object.fromEntries(members)
  }

  #shallow(name: string, schema: FieldSchema, depth: number): Json {
    if (schema.type !== 'array' || schema.element?.type !== 'object') return this.near(name, schema, Math.max(0, depth))
    const { element } = schema
    return this.#chance.some(2, () => this.#object(element, 0.2, Math.max(0, depth)))
  }

  #map(schema: FieldSchema, depth: number): JsonObject {
    const keys = ['a', 'example.com/a', 'cpu', 'memory', 'storage', 'a b', '', 'a/b/c', '-', 'k.l', 'requests.cpu', 'x'.repeat(64)]
    const entries = this.#chance.some(2, (): [string, Json] => [
      this.#chance.pick(keys),
      this.near('value', schema.element ?? schema, Math.max(0, depth - 1)),
    ])
    return Object.fromEntries(entries)
  }

  #string(name: string, schema: FieldSchema): Json {
    const chance = this.#chance
    if (schema.enum.length > 0 && chance.happens(0.75)) return chance.pick(schema.enum)
    const known = byFormat[schema.format] ?? byName.find(([pattern]) => pattern.test(name))?.[1]
    if (known !== undefined && chance.happens(0.75)) return chance.pick(known)
    return chance.pick(chance.happens(0.5) ? words : strangeWords)
  }
}

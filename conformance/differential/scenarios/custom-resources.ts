import {
  customResource,
  customResourceDefinitions,
  defineArea,
  definition,
  type Json,
  type JsonObject,
  named,
  type Resource,
  type ScenarioBuilder,
  versionOf,
} from '../language/index.js'

const widgets = customResource('Widget')
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })

/** Properties of `spec`, and specs that are sent; the answers say which are right. */
const validations: readonly (readonly [name: string, properties: JsonObject, specs: readonly JsonObject[], more?: JsonObject])[] = [
  [
    'types',
    { text: { type: 'string' }, whole: { type: 'integer' }, number: { type: 'number' }, yes: { type: 'boolean' } },
    [
      { text: 'a', whole: 1, number: 1.5, yes: true },
      { text: 1 },
      { whole: 1.5 },
      { whole: '1' },
      { number: 'x' },
      { yes: 'true' },
      { text: null },
    ],
  ],
  [
    'bounds of numbers',
    {
      a: { type: 'integer', minimum: 1, maximum: 5 },
      b: { type: 'number', minimum: 0, exclusiveMinimum: true },
      c: { type: 'integer', multipleOf: 3 },
    },
    [{ a: 0 }, { a: 6 }, { b: 0 }, { b: 0.5 }, { c: 4 }, { a: 9 }],
  ],
  [
    'text',
    {
      a: { type: 'string', minLength: 2, maxLength: 3 },
      b: { type: 'string', pattern: '^[a-z]+$' },
      c: { type: 'string', enum: ['red', 'blue'] },
    },
    [{ a: 'x' }, { a: 'xxxx' }, { a: 'äöü' }, { b: 'A1' }, { c: 'green' }, { c: 'red' }],
  ],
  [
    'formats',
    {
      a: { type: 'string', format: 'date-time' },
      b: { type: 'string', format: 'ipv4' },
      c: { type: 'string', format: 'uuid' },
      d: { type: 'string', format: 'duration' },
      e: { type: 'string', format: 'byte' },
      f: { type: 'string', format: 'unheard-of' },
    },
    [
      { a: 'today' },
      { b: '1.2.3' },
      { c: 'x' },
      { d: 'long' },
      { e: '***' },
      { f: 'anything' },
      { a: '2020-01-02T03:04:05Z', b: '1.2.3.4', d: '5m', e: 'eA==' },
    ],
  ],
  [
    'numbers of 32 bits',
    { a: { type: 'integer', format: 'int32' }, b: { type: 'integer', format: 'int64' } },
    [{ a: 2147483648 }, { a: 2147483647 }, { b: 2147483648 }],
  ],
  [
    'lists',
    {
      a: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'integer' } },
      b: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    },
    [{ a: [] }, { a: [1, 2, 3] }, { a: [1, 'x'] }, { b: ['x', 'y', 'x'] }, { a: 'x' }, { a: { 0: 1 } }],
  ],
  [
    'lists with keys',
    {
      a: {
        type: 'array',
        items: object({ k: { type: 'string' }, v: { type: 'integer' } }, { required: ['k'] }),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
    },
    [
      { a: [{ k: 'x' }, { k: 'y' }] },
      {
        a: [
          { k: 'x', v: 1 },
          { k: 'x', v: 2 },
        ],
      },
      { a: [{ v: 1 }] },
    ],
  ],
  [
    'maps',
    { a: { type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 2 } },
    [{ a: { x: 1 } }, { a: { x: 'y' } }, { a: { x: 1, y: 2, z: 3 } }],
  ],
  [
    'what is required',
    { a: object({ b: { type: 'string' }, c: { type: 'string' } }, { required: ['b', 'c'] }) },
    [{ a: {} }, { a: { b: 'x' } }, {}, { a: null }],
    { required: ['a'] },
  ],
  [
    'null where it may be',
    { a: { type: 'string', nullable: true }, b: { type: 'integer', nullable: true, default: 3 }, c: { type: 'integer', default: 3 } },
    [{ a: null, b: null, c: null }, {}],
  ],
  ['either integer or text', { a: { 'x-kubernetes-int-or-string': true } }, [{ a: 1 }, { a: 'x' }, { a: 1.5 }, { a: true }]],
  [
    'all, any, one and not',
    {
      a: { type: 'integer', anyOf: [{ minimum: 10 }, { maximum: 2 }] },
      b: { type: 'integer', oneOf: [{ minimum: 3 }, { maximum: 5 }] },
      c: { type: 'integer', not: { enum: [7] } },
      d: { type: 'integer', allOf: [{ minimum: 2 }, { maximum: 4 }] },
    },
    [{ a: 5 }, { a: 1 }, { b: 4 }, { b: 1 }, { c: 7 }, { d: 1 }, { d: 9 }],
  ],
]

/** Specs of definitions that are refused. */
const wrongDefinitions: readonly (readonly [name: string, schema: JsonObject])[] = [
  ['a property without type', { type: 'object', properties: { spec: {} } }],
  ['a root that is no object', { type: 'array' }],
  ['a type inside anyOf', object({ spec: { type: 'integer', anyOf: [{ type: 'integer' }] } })],
  ['a property only inside allOf', object({ spec: { type: 'object', allOf: [{ properties: { a: { minimum: 1 } } }] } })],
  ['a list without items', object({ spec: { type: 'array' } })],
  [
    'properties beside additionalProperties',
    object({ spec: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } } }),
  ],
  ['a default of the wrong type', object({ spec: { type: 'integer', default: 'x' } })],
  ['a default that is too small', object({ spec: { type: 'integer', minimum: 3, default: 1 } })],
  ['a pattern that is malformed', object({ spec: { type: 'string', pattern: '(' } })],
  ['rules for metadata', object({ metadata: { type: 'object', properties: { labels: { type: 'object' } } } })],
  [
    'a map list without keys',
    object({ spec: { type: 'array', items: object({ k: { type: 'string' } }), 'x-kubernetes-list-type': 'map' } }),
  ],
  [
    'a map list with optional keys',
    object({
      spec: {
        type: 'array',
        items: object({ k: { type: 'string' } }),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
    }),
  ],
  ['unique items', object({ spec: { type: 'array', items: { type: 'string' }, uniqueItems: true } })],
  ['a reference', object({ spec: { $ref: '#/definitions/x' } })],
  ['an unknown type', object({ spec: { type: 'text' } })],
  ['unknown fields kept where they cannot be', object({ spec: { type: 'string', 'x-kubernetes-preserve-unknown-fields': true } })],
  ['a default that would be pruned', object({ spec: { type: 'object', properties: { a: { type: 'string' } }, default: { b: 'x' } } })],
]

function defineWith(s: ScenarioBuilder, spec: JsonObject, more: JsonObject = {}): void {
  s.define(widgets, [versionOf({ spec }, more)])
}

/** Definitions and their objects. */
export const customResources = defineArea('custom resources', (scenario) => {
  scenario('a definition and what the server adds', (s) => {
    s.create(customResourceDefinitions, definition(widgets, [versionOf({ spec: { type: 'object' } })]))
    s.getUntil(customResourceDefinitions, 'widgets.{{group}}', { at: 'status.conditions.1.status', equals: 'True' })
    s.untilServed(widgets)
    s.delete(customResourceDefinitions, 'widgets.{{group}}')
  })

  scenario('the least that a definition can say', (s) => {
    const spec: JsonObject = {
      group: '{{group}}',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [versionOf({})],
    }
    s.create(customResourceDefinitions, { metadata: { name: 'widgets.{{group}}' }, spec })
  })

  scenario('definitions with wrong names', (s) => {
    const create = (name: string, spec: JsonObject) =>
      s.create(customResourceDefinitions, {
        metadata: { name },
        spec: { ...(definition(widgets, [versionOf({})]).spec as JsonObject), ...spec },
      })
    create('gadgets.{{group}}', {})
    create('widgets.{{group}}', { names: { plural: 'Widgets', kind: 'widget' } })
    create('widgets.{{group}}', { names: { plural: 'widgets' } })
    create('widgets.{{group}}', { scope: 'Everywhere' })
    create('widgets.{{group}}', { versions: [] })
    create('widgets.{{group}}', { versions: [versionOf({}, { name: 'V1!' })] })
    create('widgets.{{group}}', { versions: [versionOf({}, { storage: false })] })
    create('widgets.{{group}}', { versions: [versionOf({}), versionOf({})] })
    create('widgets.{{group}}', { versions: [{ name: 'v1', served: true, storage: true }] })
    create('widgets.{{group}}', { versions: [versionOf({}), versionOf({}, { name: 'v2' })] })
  })

  scenario('definitions with wrong subresources and columns', (s) => {
    const create = (more: JsonObject) =>
      s.create(customResourceDefinitions, definition(widgets, [versionOf({ spec: { type: 'object' } }, more)]))
    create({ subresources: { scale: {} } })
    create({ subresources: { scale: { specReplicasPath: '.status.replicas', statusReplicasPath: '.spec.replicas' } } })
    create({ additionalPrinterColumns: [{ name: 'A', type: 'string' }] })
    create({ additionalPrinterColumns: [{ name: 'A', type: 'text', jsonPath: 'spec.a' }] })
    create({ additionalPrinterColumns: [{ type: 'string', jsonPath: '.spec.a' }] })
    create({ selectableFields: [{ jsonPath: '.spec.absent' }] })
    create({ deprecationWarning: 'old', deprecated: false })
  })

  for (const [name, schema] of wrongDefinitions) {
    scenario(`a schema with ${name}`, (s) => {
      s.create(
        customResourceDefinitions,
        definition(widgets, [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }]),
      )
    })
  }

  for (const [name, properties, specs, more] of validations) {
    scenario(`validation of ${name}`, (s) => {
      defineWith(s, object(properties, more))
      specs.forEach((spec, index) => {
        s.create(widgets, { ...named(`a${index}`), spec })
      })
    })
  }

  scenario('pruning', (s) => {
    defineWith(
      s,
      object({
        known: { type: 'string' },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        list: { type: 'array', items: object({ a: { type: 'string' } }) },
      }),
    )
    s.create(widgets, {
      ...named('a'),
      spec: { known: 'x', other: 1, open: { any: { thing: [1] } }, list: [{ a: 'x', b: 'y' }] },
      extra: true,
    })
    s.create(widgets, { ...named('b'), spec: { other: 1 }, extra: true }, { query: { fieldValidation: 'Strict' } })
    s.create(widgets, { ...named('c'), spec: { other: 1 }, extra: true }, { query: { fieldValidation: 'Ignore' } })
    s.get(widgets, 'a')
  })

  scenario('unknown fields kept from the root', (s) => {
    s.create(
      customResourceDefinitions,
      definition(widgets, [
        versionOf({}, { schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } }),
      ]),
      { isQuiet: true },
    )
    s.untilServed(widgets)
    s.create(widgets, { ...named('a'), anything: { goes: [1, 'two', null] } })
    s.create(widgets, { ...named('b', { colour: 'red' }), anything: 1 }, { query: { fieldValidation: 'Strict' } })
  })

  scenario('metadata of custom resources', (s) => {
    defineWith(s, { type: 'object' })
    s.create(widgets, { ...named('a', { labels: { k: 'v' }, annotations: { k: 'v' }, finalizers: ['example.com/hold'] }) })
    s.create(widgets, { ...named('b', { labels: { k: 1 } }) })
    s.create(widgets, { ...named('c', { labels: { 'k ey': 'v' } }) })
    s.create(widgets, { ...named('D') })
    s.create(widgets, { ...named('e', { finalizers: ['nothing'] }) })
    s.create(widgets, { ...named('f', { colour: 'red' }) })
    s.create(widgets, { metadata: { generateName: 'g-' } })
    s.create(widgets, { metadata: {} })
    s.create(widgets, {}, { text: '{"apiVersion":"{{group}}/v1","kind":"Widget"}' })
  })

  scenario('bodies of other kinds and versions', (s) => {
    defineWith(s, { type: 'object' })
    s.request('POST', s.path(widgets, undefined), { apiVersion: '{{group}}/v2', kind: 'Widget', ...named('a') })
    s.request('POST', s.path(widgets, undefined), { apiVersion: '{{group}}/v1', kind: 'Gadget', ...named('a') })
    s.request('POST', s.path(widgets, undefined), { ...named('a') })
    s.create(widgets, {}, { text: '{"apiVersion":' })
    s.create(widgets, {}, { text: '[]' })
  })

  scenario('defaults', (s) => {
    const parts = { type: 'array', items: object({ name: { type: 'string' }, count: { type: 'integer', default: 1 } }) }
    defineWith(
      s,
      object({
        size: { type: 'integer', default: 3 },
        nested: { type: 'object', default: {}, properties: { deep: { type: 'string', default: 'x' } } },
        absent: object({ inner: { type: 'string', default: 'y' } }),
        parts,
      }),
    )
    s.create(widgets, named('a'))
    s.create(widgets, { ...named('b'), spec: {} })
    s.create(widgets, { ...named('c'), spec: { size: 0, parts: [{ name: 'p' }, { count: 2 }] } })
    s.patch(widgets, 'c', 'merge', { spec: { size: null } })
  })

  scenario('defaults that come later', (s) => {
    defineWith(s, object({ size: { type: 'integer' } }))
    s.create(widgets, { ...named('a'), spec: {} })
    s.patch(
      customResourceDefinitions,
      'widgets.{{group}}',
      'json',
      [{ op: 'add', path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size/default', value: 7 }],
      { isQuiet: true },
    )
    s.getUntil(widgets, 'a', { at: 'spec.size', equals: 7 })
    s.listUntil(widgets, { at: 'items.0.spec.size', equals: 7 })
  })

  scenario('the generation', (s) => {
    s.define(widgets, [
      versionOf({ spec: object({ a: { type: 'integer' } }), status: object({ b: { type: 'integer' } }) }, { subresources: { status: {} } }),
    ])
    s.create(widgets, { ...named('a'), spec: { a: 1 } })
    s.patch(widgets, 'a', 'merge', { metadata: { labels: { k: 'v' } } })
    s.patch(widgets, 'a', 'merge', { spec: { a: 2 } })
    s.patch(widgets, 'a', 'merge', { status: { b: 1 } }, { subresource: 'status' })
    s.patch(widgets, 'a', 'merge', { metadata: { finalizers: ['example.com/hold'] } })
    s.delete(widgets, 'a')
    s.patch(widgets, 'a', 'merge', { metadata: { finalizers: null } })
  })

  scenario('the generation without a status', (s) => {
    s.define(widgets, [versionOf({ spec: object({ a: { type: 'integer' } }), status: object({ b: { type: 'integer' } }) })])
    s.create(widgets, { ...named('a'), spec: { a: 1 } })
    s.patch(widgets, 'a', 'merge', { status: { b: 1 } })
    s.patch(widgets, 'a', 'merge', { metadata: { annotations: { k: 'v' } } })
  })

  scenario('updates', (s) => {
    defineWith(s, object({ a: { type: 'integer' } }))
    const created = s.create(widgets, { ...named('a'), spec: { a: 1 } })
    s.update(widgets, { ...named('a'), spec: { a: 2 } })
    s.update(widgets, { ...named('a', { resourceVersion: created.at('metadata.resourceVersion') }), spec: { a: 2 } })
    s.update(widgets, { ...named('a', { resourceVersion: created.at('metadata.resourceVersion') }), spec: { a: 3 } })
    s.update(widgets, { ...named('absent', { resourceVersion: created.at('metadata.resourceVersion') }) })
    s.update(widgets, named('absent'))
  })

  scenario('an update that is invalid only where it was before', (s) => {
    defineWith(s, object({ a: { type: 'integer' }, b: { type: 'integer' } }))
    s.create(widgets, { ...named('a'), spec: { a: 1, b: 1 } }, { isQuiet: true })
    s.patch(
      customResourceDefinitions,
      'widgets.{{group}}',
      'json',
      [{ op: 'add', path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/a/minimum', value: 5 }],
      { isQuiet: true },
    )
    s.until(s.path(widgets, 'a'), { status: 200 }, { isQuiet: true })
    s.getUntil(customResourceDefinitions, 'widgets.{{group}}', { status: 200 }, { isQuiet: true })
    s.patch(widgets, 'a', 'merge', { spec: { b: 2 } })
  })

  scenario('cluster-wide', (s) => {
    const gadgets: Resource = customResource('Gadget', { isNamespaced: false })
    s.define(gadgets, [versionOf({ spec: { type: 'object' } })])
    s.create(gadgets, named('a'))
    s.request('POST', '/apis/{{group}}/v1/namespaces/{{namespace}}/gadgets', { apiVersion: '{{group}}/v1', kind: 'Gadget', ...named('b') })
    s.create(gadgets, named('c', { namespace: '{{namespace}}' }))
    s.list(gadgets)
  })

  scenario('several versions', (s) => {
    const schema = object({ a: { type: 'integer' } })
    s.define(widgets, [
      versionOf({ spec: schema }, { storage: false }),
      versionOf({ spec: object({ a: { type: 'integer' }, b: { type: 'integer', default: 2 } }) }, { name: 'v2' }),
      versionOf({ spec: schema }, { name: 'v3', served: false, storage: false }),
    ])
    const second = { ...widgets, version: 'v2' }
    s.create(widgets, { ...named('a'), spec: { a: 1 } })
    s.get(second, 'a')
    s.create(second, { ...named('b'), spec: { a: 1, b: 5 } })
    s.get(widgets, 'b')
    s.list(widgets)
    s.list({ ...widgets, version: 'v3' })
    s.until('/apis/{{group}}', { status: 200 })
  })

  scenario('a version that is deprecated', (s) => {
    s.define(widgets, [
      versionOf({}, { deprecated: true }),
      versionOf({}, { name: 'v2', storage: false, deprecated: true, deprecationWarning: 'Use v3 "please".' }),
    ])
    s.list(widgets)
    s.create({ ...widgets, version: 'v2' }, named('a'))
    s.get({ ...widgets, version: 'v2' }, 'a')
  })

  scenario('a definition that changes', (s) => {
    s.define(widgets, [versionOf({ spec: { type: 'object' } })])
    const path = 'widgets.{{group}}'
    s.patch(customResourceDefinitions, path, 'merge', { spec: { scope: 'Cluster' } })
    s.patch(customResourceDefinitions, path, 'merge', { spec: { group: 'other.example.com' } })
    s.patch(customResourceDefinitions, path, 'merge', { spec: { names: { plural: 'gadgets' } } })
    s.patch(customResourceDefinitions, path, 'merge', { spec: { names: { shortNames: ['wd'] } } })
    s.patch(customResourceDefinitions, path, 'merge', { spec: { versions: [versionOf({}, { name: 'v2' })] } })
    s.patch(customResourceDefinitions, path, 'merge', {
      spec: { versions: [versionOf({}, { storage: false }), versionOf({}, { name: 'v2' })] },
    })
    s.patch(customResourceDefinitions, path, 'merge', { spec: { versions: [versionOf({}, { name: 'v2' })] } })
  })

  scenario('names that another definition has', (s) => {
    s.define(widgets, [versionOf({ spec: { type: 'object' } })])
    const other = customResource('Gadget')
    s.create(
      customResourceDefinitions,
      definition(other, [versionOf({})], { names: { plural: 'gadgets', singular: 'gadget', kind: 'Widget', listKind: 'GadgetList' } }),
      { isQuiet: true },
    )
    s.getUntil(customResourceDefinitions, 'gadgets.{{group}}', { at: 'status.conditions.0.status', equals: 'False' })
  })

  scenario('embedded objects', (s) => {
    const template = { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }
    defineWith(s, object({ template }))
    s.create(widgets, {
      ...named('a'),
      spec: { template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', colour: 'red' }, spec: { any: 1 } } },
    })
    s.create(widgets, { ...named('b'), spec: { template: { spec: {} } } })
    s.create(
      widgets,
      { ...named('c'), spec: { template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', colour: 'red' } } } },
      { query: { fieldValidation: 'Strict' } },
    )
  })

  scenario('large and precise numbers', (s) => {
    defineWith(s, object({ a: { type: 'integer', format: 'int64' }, b: { type: 'number' } }))
    const text = (name: string, spec: string) =>
      `{"apiVersion":"{{group}}/v1","kind":"Widget","metadata":{"name":"${name}"},"spec":${spec}}`
    for (const [name, spec] of [
      ['a', '{"a":9007199254740993}'],
      ['b', '{"b":1.0}'],
      ['c', '{"a":1.0}'],
      ['d', '{"b":1e3}'],
      ['e', '{"a":1e3}'],
      ['f', '{"b":0.1}'],
      ['g', '{"a":92233720368547758070}'],
    ] as const) {
      s.create(widgets, {}, { text: text(name, spec) })
    }
  })

  scenario('strict decoding of duplicates', (s) => {
    defineWith(s, object({ a: { type: 'integer' } }))
    const text = '{"apiVersion":"{{group}}/v1","kind":"Widget","metadata":{"name":"a","name":"a"},"spec":{"a":1,"a":2},"extra":1}'
    for (const fieldValidation of ['Strict', 'Warn']) s.create(widgets, {}, { text, query: { fieldValidation } })
  })

  scenario('conversion that cannot be', (s) => {
    const conversion: Json = { strategy: 'Webhook' }
    s.create(customResourceDefinitions, definition(widgets, [versionOf({})], { conversion }))
    s.create(customResourceDefinitions, definition(widgets, [versionOf({})], { conversion: { strategy: 'Magic' } }))
    s.create(
      customResourceDefinitions,
      definition(widgets, [versionOf({})], { conversion: { strategy: 'None', webhook: { conversionReviewVersions: ['v1'] } } }),
    )
    s.create(customResourceDefinitions, definition(widgets, [versionOf({})], { preserveUnknownFields: true }))
  })
})

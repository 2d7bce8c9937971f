import { describe, expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { conditions } from '../zod.js'
import type { AnyResourceType, ApplyOf, Condition, InputOf, ObjectMeta, ResourceOf, StoredObjectMeta } from './index.js'
import {
  controllerReference,
  customResourceDefinition,
  defineResource,
  isConditionTrue,
  setCondition,
  structuredCopy,
  typedSchema,
} from './index.js'

const Widget = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  shortNames: ['wd'],
  scope: 'Namespaced',
  spec: z.object({ image: z.string().min(1), replicas: z.int32().min(0).default(1) }),
  status: z.object({ readyReplicas: z.int32().optional(), conditions: conditions() }),
  printerColumns: [{ name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' }],
})
type Widget = ResourceOf<typeof Widget>

describe('defineResource', () => {
  test('defineResource makes a descriptor with the names worked out', () => {
    const { definition, ...descriptor } = Widget
    expect(descriptor).toEqual({
      group: 'example.com',
      version: 'v1',
      kind: 'Widget',
      plural: 'widgets',
      singular: 'widget',
      listKind: 'WidgetList',
      shortNames: ['wd'],
      categories: [],
      scope: 'Namespaced',
    })
    expect(definition.hasStatusSubresource).toBe(true)
  })

  test.each([
    ['Proxy', 'proxies'],
    ['Box', 'boxes'],
    ['Ingress', 'ingresses'],
    ['Gateway', 'gateways'],
    ['CronTab', 'crontabs'],
    ['Switch', 'switches'],
  ])('the plural of %s is %s', (kind, plural) => {
    expect(defineResource({ group: 'example.com', version: 'v1', kind, scope: 'Cluster' }).plural).toBe(plural)
  })

  test('the types of a defined resource are those of its schemas', () => {
    expectTypeOf<Widget['spec']>().toEqualTypeOf<{ readonly image: string; readonly replicas: number }>()
    expectTypeOf<Widget['apiVersion']>().toEqualTypeOf<'example.com/v1'>()
    expectTypeOf<Widget['kind']>().toEqualTypeOf<'Widget'>()
    expectTypeOf<Widget['metadata']>().toEqualTypeOf<StoredObjectMeta>()
    expectTypeOf<NonNullable<Widget['status']>['readyReplicas']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<InputOf<typeof Widget>['spec']>().toEqualTypeOf<{ readonly image: string; readonly replicas?: number | undefined }>()
    expectTypeOf<ApplyOf<typeof Widget>['metadata']>().toEqualTypeOf<ObjectMeta>()
    const descriptor: AnyResourceType = Widget
    const partial: ApplyOf<typeof Widget> = { metadata: { name: 'w' }, spec: { replicas: 2 } }
    // @ts-expect-error: what was read is read-only.
    const write = (widget: Widget) => (widget.spec.replicas = 2)
    // @ts-expect-error: the image is required.
    const input: InputOf<typeof Widget> = { metadata: { name: 'w' }, spec: {} }
    expect([descriptor, partial, write, input]).toHaveLength(4)
  })

  test('a defined resource works with conditions, owner references and drafts', () => {
    const widget: Widget = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w', namespace: 'n', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { image: 'nginx', replicas: 1 },
      status: {},
    }
    const updated: readonly Condition[] = setCondition(widget.status?.conditions, { type: 'Ready', status: 'True', reason: 'Up' }, 0)
    const draft = structuredCopy(widget)
    draft.spec.replicas = 2
    draft.status = { conditions: [...updated] }
    expect(widget.spec.replicas).toBe(1)
    expect(isConditionTrue(draft.status.conditions, 'Ready')).toBe(true)
    expect(controllerReference(Widget, widget).apiVersion).toBe('example.com/v1')
  })

  test('a plain structural schema has types when typedSchema gives them', () => {
    const Plain = defineResource({
      group: 'example.com',
      version: 'v1',
      kind: 'Plain',
      scope: 'Cluster',
      spec: typedSchema<{ size: number; tags: string[] }, { size?: number }>({
        type: 'object',
        properties: { size: { type: 'integer', default: 1 }, tags: { type: 'array', items: { type: 'string' } } },
      }),
    })
    expectTypeOf<ResourceOf<typeof Plain>['spec']>().toEqualTypeOf<{ readonly size: number; readonly tags: readonly string[] }>()
    expectTypeOf<InputOf<typeof Plain>['spec']>().toEqualTypeOf<{ readonly size?: number }>()
    const Untyped = defineResource({ group: 'example.com', version: 'v1', kind: 'Untyped', scope: 'Cluster', spec: { type: 'object' } })
    expectTypeOf<ResourceOf<typeof Untyped>['spec']>().toEqualTypeOf<Readonly<Record<string, unknown>>>()
    expect(Plain.definition.schema().properties?.spec?.properties?.size).toEqual({ type: 'integer', default: 1 })
  })

  const base = { group: 'example.com', version: 'v1', kind: 'Widget', scope: 'Namespaced' } as const
  test.each<[string, Partial<Parameters<typeof defineResource>[0]>, string]>([
    ['a group without a dot', { group: 'example' }, 'should be a domain with at least one dot'],
    ['a group that is no domain', { group: 'Example.com' }, 'group "Example.com" a lowercase RFC 1123 subdomain'],
    ['a version in capitals', { version: 'V1' }, 'version "V1" a DNS-1035 label'],
    ['a plural with a dot', { plural: 'wid.gets' }, 'plural "wid.gets"'],
    ['a short name in capitals', { shortNames: ['WD'] }, 'short name "WD"'],
    ['a list kind like the kind', { listKind: 'Widget' }, 'kind and listKind may not be the same'],
    ['a schema of another library', { spec: { '~standard': { vendor: 'valibot' } } as never }, 'it comes from valibot'],
    ['a schema of zod 3', { spec: { _def: {}, '~standard': { vendor: 'zod' } } as never }, 'it comes from zod 3'],
    ['a schema that is none', { status: 'string' as never }, 'status must be a zod 4 schema or a plain structural schema'],
  ])('defineResource refuses %s', (_, change, problem) => {
    expect(() => defineResource({ ...base, ...change })).toThrow(TypeError)
    expect(() => defineResource({ ...base, ...change })).toThrow(problem)
  })
})

describe('customResourceDefinition', () => {
  // kube-apiserver 1.37.2 accepted this definition and reported it Established, NamesAccepted and without NonStructuralSchema.
  test('customResourceDefinition of Widget is what a real API server accepts', () => {
    expect(customResourceDefinition(Widget)).toEqual({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', shortNames: ['wd'] },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                required: ['spec'],
                properties: {
                  apiVersion: { type: 'string' },
                  kind: { type: 'string' },
                  metadata: { type: 'object' },
                  spec: {
                    type: 'object',
                    properties: {
                      image: { type: 'string', minLength: 1 },
                      replicas: { type: 'integer', format: 'int32', minimum: 0, default: 1 },
                    },
                    required: ['image'],
                  },
                  status: {
                    type: 'object',
                    properties: {
                      readyReplicas: { type: 'integer', format: 'int32' },
                      conditions: {
                        type: 'array',
                        items: {
                          type: 'object',
                          properties: {
                            type: {
                              type: 'string',
                              maxLength: 316,
                              pattern:
                                '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
                            },
                            status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
                            observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
                            lastTransitionTime: { type: 'string', format: 'date-time' },
                            reason: { type: 'string', minLength: 1, maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
                            message: { type: 'string', maxLength: 32768 },
                          },
                          required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
                        },
                        'x-kubernetes-list-type': 'map',
                        'x-kubernetes-list-map-keys': ['type'],
                      },
                    },
                  },
                },
              },
            },
            subresources: { status: {} },
            additionalPrinterColumns: [{ name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' }],
          },
        ],
      },
    })
  })

  const version = (name: string, more: object = {}) =>
    defineResource({ group: 'example.com', version: name, kind: 'Gadget', scope: 'Namespaced', ...more })

  test('customResourceDefinition takes several versions of a kind, one of them stored', () => {
    const crd = customResourceDefinition(
      version('v1', { storage: true, subresources: { scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } } }),
      version('v1beta1', { deprecated: 'use v1', selectableFields: ['.spec.n'], served: false }),
      version('v1alpha1', { deprecated: true }),
    )
    expect(crd.spec.versions.map(({ schema, ...rest }) => rest)).toEqual([
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
      },
      {
        name: 'v1beta1',
        served: false,
        storage: false,
        deprecated: true,
        deprecationWarning: 'use v1',
        selectableFields: [{ jsonPath: '.spec.n' }],
      },
      { name: 'v1alpha1', served: true, storage: false, deprecated: true },
    ])
  })

  test.each([
    ['no stored version', [version('v1'), version('v2')], 'exactly one version must have storage: true, and 0 of v1, v2 have'],
    ['two stored versions', [version('v1', { storage: true }), version('v2', { storage: true })], 'and 2 of v1, v2 have'],
    ['an only version that is not stored', [version('v1', { storage: false })], 'and 0 of v1 have'],
    ['a version twice', [version('v1', { storage: true }), version('v1')], 'a version occurs twice'],
    ['versions of different scope', [version('v1', { storage: true }), version('v2', { scope: 'Cluster' })], 'differ in scope'],
    ['versions of different kinds', [version('v1', { storage: true }), Widget], 'differ in kind'],
  ])('customResourceDefinition refuses %s', (_, [first, ...others], problem) => {
    expect(() => customResourceDefinition(first as typeof Widget, ...others)).toThrow(TypeError)
    expect(() => customResourceDefinition(first as typeof Widget, ...others)).toThrow(problem)
  })

  test('customResourceDefinition refuses a spec that is no object', () => {
    expect(() => customResourceDefinition(version('v1', { spec: z.string() }))).toThrow('its type is string; it must be an object')
  })
})

import { readFileSync } from 'node:fs'
import { type FieldError, fieldError, fieldErrorToCause, validatePathSegmentName } from 'steersman/api'
import { deepFreeze } from 'steersman/internal'
import { describe, expect, test } from 'vitest'
import { crdDefaults, customResourcesOf } from './crd-resources.js'
import type { CustomResourceDefinitionObject } from './crd-types.js'
import { validateCustomResourceDefinition } from './validate-crd.js'

interface Cause {
  readonly field: string
  readonly message: string
  readonly reason: string
}

/** Answers of a real kube-apiserver 1.37. */
const golden = deepFreeze(
  JSON.parse(readFileSync(new URL('golden/crd-validation.json', import.meta.url), 'utf8')) as {
    readonly creates: readonly { object: CustomResourceDefinitionObject; causes: readonly Cause[]; result?: { spec: unknown } }[]
    readonly oldObject: CustomResourceDefinitionObject
    readonly updates: readonly { object: CustomResourceDefinitionObject; causes: readonly Cause[] }[]
  },
)

/**
 * Left out of the comparison: values that the real server prints in an internal form (whole versions and schemas), how it escapes a control
 * character behind a pointer, and what belongs to the validation of metadata.
 */
function comparable(causes: readonly Cause[]): readonly string[] {
  // The real server walks the properties of one schema in the random order of a Go map.
  const schemaOf = (cause: Cause): string => /^.*?(?=\.properties\[|$)/.exec(cause.field)?.[0] ?? ''
  return causes
    .filter((cause) => cause.field !== 'metadata.name' || cause.message.endsWith('must be spec.names.plural+"."+spec.group'))
    .map((cause, index) => ({ cause, first: causes.findIndex((other) => schemaOf(other) === schemaOf(cause)), index }))
    .sort(
      (left, right) =>
        left.first - right.first ||
        (left.cause.field < right.cause.field ? -1 : left.cause.field > right.cause.field ? 1 : left.index - right.index),
    )
    .map(({ cause }) => `${cause.field}: ${cause.message.replace(internalValue, 'Invalid value: <internal>: ').replace('\\u0007', '\\a')}`)
}
const internalValue = /^Invalid value: [[{].*[\]}]: (?=must contain unique|must have exactly one version|only \[)/

const validateEmbeddedMetadata = (metadata: Readonly<Record<string, unknown>>, path: string): readonly FieldError[] =>
  validatePathSegmentName(String(metadata.name ?? 'x')).map((problem) => fieldError.invalid(`${path}.name`, metadata.name, problem))

const causesOf = (crd: CustomResourceDefinitionObject, old?: CustomResourceDefinitionObject): readonly string[] =>
  comparable(validateCustomResourceDefinition(crd, old, { validateEmbeddedMetadata }).map((error) => fieldErrorToCause(error) as Cause))

describe('validateCustomResourceDefinition against the real server', () => {
  test.each(golden.creates.map((one, index) => ({ ...one, index })))('$index: $causes', ({ object, causes, result }) => {
    const crd = crdDefaults(object)
    expect(causesOf(crd)).toEqual(comparable(causes))
    if (result !== undefined) expect(crd.spec).toEqual(result.spec)
  })

  test.each(golden.updates)('on update: $causes', ({ object, causes }) => {
    // The registry keeps the status of the old object and adds a new storage version to it.
    const stored = golden.oldObject.status?.storedVersions ?? []
    const storage = object.spec?.versions?.find((version) => version.storage === true)?.name ?? ''
    const status = { ...golden.oldObject.status, storedVersions: stored.includes(storage) ? stored : [...stored, storage] }
    expect(causesOf({ ...object, status }, golden.oldObject)).toEqual(comparable(causes))
  })
})

describe('customResourcesOf', () => {
  const crd = crdDefaults({
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'] },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, subresources: { status: {} } },
        { name: 'v0', served: false, storage: false },
        { name: 'v2', served: true, storage: false, deprecated: true },
      ],
    },
  })

  test('has one descriptor per served version', () => {
    expect(customResourcesOf(crd).map(({ type }) => type.version)).toEqual(['v1', 'v2'])
    expect(customResourcesOf(crd)[0]?.type).toEqual({
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
  })

  test('says what each version can do', () => {
    const [first, second] = customResourcesOf(crd)
    expect(first).toMatchObject({ isStorageVersion: true, hasStatus: true, isDeprecated: false })
    expect(second).toMatchObject({ isStorageVersion: false, hasStatus: false, deprecationWarning: 'example.com/v2 Widget is deprecated' })
  })

  test('crdDefaults returns the same reference when nothing is missing', () => {
    expect(crdDefaults(crd)).toBe(crd)
  })
})

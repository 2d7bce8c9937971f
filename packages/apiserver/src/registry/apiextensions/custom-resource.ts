import type { FieldError, UnstructuredObject } from 'steersman/api'
import { fieldError, validateDns1123Subdomain } from 'steersman/api'
import { deepEqual } from 'steersman/internal'
import type { CompiledSchema, CustomResource } from '../../schema/index.js'
import { goText } from '../../schema/index.js'
import { unsupportedField } from '../shared/fields.js'
import type { ObjectDraft } from '../store-context.js'
import type { ResourceKind, Strategy } from '../strategy.js'
import type { ScaleFields } from '../subresources/scale.js'

/** A custom resource in one version: everything that is special about it is in its definition. */
export function customResourceKind(resource: CustomResource, schema: CompiledSchema): ResourceKind {
  const { hasStatus } = resource
  const validateScale = (object: UnstructuredObject) => validateReplicas(object, resource.scale)
  const strategy: Strategy = {
    validateName: validateDns1123Subdomain,
    allowBareFinalizers: 'with a warning',
    allowUnconditionalUpdate: false,
    default: (object) => schema.applyDefaults(object) as ObjectDraft,
    validate: (object) => [...schema.validate(object), ...validateScale(object)],
    validateUpdate: (object, old) => [...schema.validate(object, old), ...validateScale(object)],
    changesGeneration: (object, old) => !deepEqual(withoutFields(object, hasStatus), withoutFields(old, hasStatus)),
    unknownField: unsupportedField,
    selectableFields: selectableFields(resource.selectableFields),
    ...(hasStatus
      ? {
          status: {
            ignoresMetadata: true,
            validateUpdate: (object, old) => [...schema.validateStatus(object, old), ...validateScale(object)],
          } satisfies Strategy['status'],
        }
      : {}),
  }
  return { type: resource.type, strategy }
}

function withoutFields(object: UnstructuredObject, hasStatus: boolean): Readonly<Record<string, unknown>> {
  const { metadata: _, apiVersion: _version, ...rest } = object
  return hasStatus ? { ...rest, status: undefined } : rest
}

/** Where a custom resource keeps what its Scale shows; `undefined` when it has no scale subresource. */
export function scaleFields({ scale }: CustomResource): ScaleFields | undefined {
  if (scale === undefined) return undefined
  const selector = scale.labelSelectorPath
  return {
    specReplicas: pathNames(scale.specReplicasPath),
    statusReplicas: pathNames(scale.statusReplicasPath),
    isCustom: true,
    selector: (object) => {
      const value = selector ? valueAt(object, pathNames(selector)) : ''
      return typeof value === 'string' ? value : ''
    },
  }
}

function validateReplicas(object: UnstructuredObject, scale: CustomResource['scale']): FieldError[] {
  const errors: FieldError[] = []
  for (const path of [scale?.specReplicasPath, scale?.statusReplicasPath]) {
    const value = path === undefined ? undefined : valueAt(object, pathNames(path))
    if (typeof value === 'number' && value < 0) errors.push(fieldError.invalid(path, value, 'should be a non-negative integer'))
    if (value === undefined || value === null || (typeof value === 'number' && Number.isInteger(value))) continue
    const detail = `${path} accessor error: ${goText(value)} is of the type ${goTypeOf(value)}, expected int64`
    errors.push(fieldError.invalid(path, 0, detail))
  }
  return errors
}

/** How Go names the type of a JSON value in memory. */
function goTypeOf(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'object') return 'map[string]interface {}'
  if (typeof value === 'number') return 'float64'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

function selectableFields(paths: readonly string[]): Record<string, (object: UnstructuredObject) => string | undefined> {
  return Object.fromEntries(
    paths.map((path) => {
      const names = pathNames(path)
      return [
        names.join('.'),
        (object: UnstructuredObject) => {
          const value = valueAt(object, names)
          return value === undefined || value === null ? undefined : String(value)
        },
      ]
    }),
  )
}

/** The names in a simple JSON path such as `.spec.replicas`. */
function pathNames(path: string): readonly string[] {
  return path.split('.').filter((name) => name !== '')
}

function valueAt(object: unknown, names: readonly string[]): unknown {
  let value = object
  for (const name of names) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

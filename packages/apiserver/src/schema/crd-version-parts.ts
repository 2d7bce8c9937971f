import { type FieldError, fieldError } from 'steersman/api'
import { findFieldPath } from './crd-field-path.js'
import type { CrdSubresources, PrinterColumn, RawSchema } from './crd-types.js'

/** Checks the paths of the scale subresource. */
export function validateSubresources(subresources: CrdSubresources | undefined, path: string): readonly FieldError[] {
  const scale = subresources?.scale
  if (scale === undefined) return []
  const errors: FieldError[] = []
  const check = (
    name: 'specReplicasPath' | 'statusReplicasPath' | 'labelSelectorPath',
    roots: readonly string[],
    expected: string,
  ): void => {
    const value = scale[name] ?? ''
    const at = `${path}.scale.${name}`
    if (value === '') {
      if (name !== 'labelSelectorPath') errors.push(fieldError.required(at))
      return
    }
    if (!value.startsWith('.')) errors.push(fieldError.invalid(at, value, 'must be a simple json path starting with .'))
    else if (!roots.some((root) => value.startsWith(root)))
      errors.push(fieldError.invalid(at, value, `should be a json path under ${expected}`))
  }
  check('specReplicasPath', ['.spec.'], '.spec')
  check('statusReplicasPath', ['.status.'], '.status')
  check('labelSelectorPath', ['.spec.', '.status.'], 'either .spec or .status')
  return errors
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string']
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']

/** Checks a printer column. */
export function validateColumn(column: PrinterColumn, path: string): readonly FieldError[] {
  const { name = '', type = '', format = '', jsonPath = '' } = column
  const errors: FieldError[] = []
  if (name === '') errors.push(fieldError.required(`${path}.name`))
  const types = `must be one of ${columnTypes.join(',')}`
  if (type === '') errors.push(fieldError.required(`${path}.type`, types))
  else if (!columnTypes.includes(type)) errors.push(fieldError.invalid(`${path}.type`, type, types))
  if (format !== '' && !columnFormats.includes(format)) {
    errors.push(fieldError.invalid(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`))
  }
  if (jsonPath === '') errors.push(fieldError.required(`${path}.JSONPath`))
  else if (!jsonPath.startsWith('.'))
    errors.push(fieldError.invalid(`${path}.JSONPath`, jsonPath, 'must be a simple json path starting with .'))
  return errors
}

const maxSelectableFields = 8

/** Checks the fields that objects can be selected by. */
export function validateSelectableFields(
  fields: readonly { readonly jsonPath?: string }[],
  schema: RawSchema | undefined,
  path: string,
): readonly FieldError[] {
  if (fields.length === 0 || schema === undefined) return []
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const [index, { jsonPath = '' }] of fields.entries()) {
    const at = `${path}[${index}].jsonPath`
    const found = jsonPath === '' ? undefined : findFieldPath(jsonPath, schema, { allowArrayNotation: false })
    if (found === undefined) errors.push(fieldError.required(at))
    else if ('problem' in found) errors.push(fieldError.invalid(at, jsonPath, `is an invalid path: ${found.problem}`))
    else {
      if (found.path.split('.')[0] === 'metadata') errors.push(fieldError.invalid(at, jsonPath, 'must not point to fields in metadata'))
      if (!['string', 'boolean', 'integer'].includes(found.schema.type ?? '')) {
        const detail = 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
        errors.push(fieldError.invalid(at, jsonPath, detail))
      }
      if (seen.has(found.path)) errors.push(fieldError.duplicate(at, jsonPath))
      seen.add(found.path)
    }
  }
  if (seen.size > maxSelectableFields) errors.push(fieldError.tooMany(path, seen.size, maxSelectableFields))
  return errors
}

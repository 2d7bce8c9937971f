import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, validateConfigMapKey } from 'steersman/api'
import type { EnvFromSource, EnvVar, EnvVarSource, FileKeySelector } from 'steersman/api/types/core/v1'
import { validateFieldSelector, validateResourceSelector, variableFields } from './downward-api.js'
import { labelErrors, subdomainErrors } from './name-errors.js'
import { backstepErrors } from './relative-path.js'

/** What is wrong with the variables of a container. */
export function validateEnvironment(variables: readonly EnvVar[], path: FieldPath): FieldError[] {
  return variables.flatMap((variable, index) => {
    const at = path.index(index)
    const errors = variable.name ? variableNameErrors(variable.name, at.child('name')) : [fieldError.required(at.child('name'))]
    if (variable.valueFrom !== undefined) {
      errors.push(...validateSource(variable.valueFrom, Boolean(variable.value), at.child('valueFrom')))
    }
    return errors
  })
}

/** What is wrong with where a container takes many variables from. */
export function validateEnvironmentSources(sources: readonly EnvFromSource[], path: FieldPath): FieldError[] {
  return sources.flatMap(({ prefix, configMapRef, secretRef }, index) => {
    const at = path.index(index)
    const errors = prefix ? variableNameErrors(prefix, at.child('prefix')) : []
    for (const [field, reference] of Object.entries({ configMapRef, secretRef })) {
      if (reference === undefined) continue
      const nameAt = at.child(field, 'name')
      if (!reference.name) errors.push(fieldError.required(nameAt))
      // A name that ends with a dash could be the beginning of one.
      else
        errors.push(...subdomainErrors(reference.name.replace(/-$/, 'a'), nameAt).map((error) => ({ ...error, badValue: reference.name })))
    }
    const count = [configMapRef, secretRef].filter((reference) => reference !== undefined).length
    if (count === 0) errors.push(fieldError.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'))
    if (count > 1) errors.push(fieldError.invalid(path, '', 'may not have more than one field specified at a time'))
    return errors
  })
}

/** Since Kubernetes 1.34 a variable may have any printable ASCII name without an equals sign. */
function variableNameErrors(name: string, path: FieldPath): FieldError[] {
  if (/^[ -<>-~]+$/.test(name)) return []
  const detail = "a valid environment variable name must consist only of printable ASCII characters other than '='"
  return [fieldError.invalid(path, name, detail)]
}

function validateSource(source: EnvVarSource, hasValue: boolean, path: FieldPath): FieldError[] {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source
  const errors: FieldError[] = []
  if (fieldRef !== undefined) errors.push(...validateFieldSelector(fieldRef, variableFields, path.child('fieldRef')))
  if (resourceFieldRef !== undefined) errors.push(...validateResourceSelector(resourceFieldRef, false, path.child('resourceFieldRef')))
  for (const [field, reference] of Object.entries({ configMapKeyRef, secretKeyRef })) {
    if (reference === undefined) continue
    const { name = '', key = '' } = reference
    errors.push(...subdomainErrors(name, path.child(field, 'name')))
    const at = path.child(field, 'key')
    if (key === '') errors.push(fieldError.required(at))
    else errors.push(...validateConfigMapKey(key).map((detail) => fieldError.invalid(at, key, detail)))
  }
  if (fileKeyRef !== undefined) errors.push(...validateFileKey(fileKeyRef, path.child('fileKeyRef')))
  const count = Object.values(source).filter((reference) => reference !== undefined).length
  if (count === 0) {
    const detail = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
    errors.push(fieldError.invalid(path, '', detail))
  } else if (hasValue) errors.push(fieldError.invalid(path, '', 'may not be specified when `value` is not empty'))
  else if (count > 1) errors.push(fieldError.invalid(path, '', 'may not have more than one field specified at a time'))
  return errors
}

function validateFileKey({ key, volumeName, path: file }: FileKeySelector, path: FieldPath): FieldError[] {
  return [
    ...(key ? variableNameErrors(key, path.child('key')) : [fieldError.required(path.child('key'))]),
    ...(volumeName ? labelErrors(volumeName, path.child('volumeName')) : [fieldError.required(path.child('volumeName'))]),
    ...(file ? backstepErrors(file, path.child('path')) : [fieldError.required(path.child('path'))]),
  ]
}

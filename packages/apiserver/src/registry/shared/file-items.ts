import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import type { DownwardAPIVolumeFile, KeyToPath } from 'steersman/api/types/core/v1'
import { fileFields, validateFieldSelector, validateResourceSelector } from './downward-api.js'
import { filePathErrors } from './relative-path.js'

const mostMode = 0o777

/** What is wrong with the mode of files. */
export function modeErrors(mode: number | undefined, path: FieldPath): FieldError[] {
  if (mode === undefined || (mode >= 0 && mode <= mostMode)) return []
  return [fieldError.invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive')]
}

/** What is wrong with the keys of a map that become files. */
export function validateKeys(items: readonly KeyToPath[] | undefined, path: FieldPath): FieldError[] {
  return (items ?? []).flatMap(({ key, path: file = '', mode }, index) => {
    const at = path.index(index)
    const errors: FieldError[] = []
    if (!key) errors.push(fieldError.required(at.child('key')))
    if (file === '') errors.push(fieldError.required(at.child('path')))
    return [...errors, ...filePathErrors(file, at.child('path')), ...modeErrors(mode, at.child('mode'))]
  })
}

/** What is wrong with a file that shows a part of the pod. */
export function validateDownwardFile(file: DownwardAPIVolumeFile, path: FieldPath): FieldError[] {
  const { path: name = '', fieldRef, resourceFieldRef, mode } = file
  const errors = name === '' ? [fieldError.required(path.child('path'))] : []
  errors.push(...filePathErrors(name, path.child('path')))
  if (fieldRef !== undefined) {
    errors.push(...validateFieldSelector(fieldRef, fileFields, path.child('fieldRef')))
    if (resourceFieldRef !== undefined) {
      errors.push(fieldError.invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'))
    }
  } else if (resourceFieldRef !== undefined) {
    errors.push(...validateResourceSelector(resourceFieldRef, true, path.child('resourceFieldRef')))
  } else errors.push(fieldError.required(path, 'one of fieldRef and resourceFieldRef is required'))
  return [...errors, ...modeErrors(mode, path.child('mode'))]
}

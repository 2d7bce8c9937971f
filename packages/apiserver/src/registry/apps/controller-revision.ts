import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain } from 'steersman/api'
import { ControllerRevision } from 'steersman/api/types/apps/v1'
import { deepEqual } from 'steersman/internal'
import { immutableMessage } from '../metadata.js'
import { validateNonNegative } from '../shared/number-errors.js'
import { withStructValue } from '../shared/struct-value.js'
import { defineKind } from '../strategy.js'

/** ControllerRevisions: states of other objects, which do not change. */
export const controllerRevisionKind = defineKind(ControllerRevision, {
  validateName: validateDns1123Subdomain,
  validate: (revision) => [...validateRevision(revision), ...validateData(revision.data)],
  validateUpdate: (revision, old) => [...validateRevision(revision), ...validateDataKept(revision.data, old.data)],
})

function validateRevision({ revision }: ControllerRevision): FieldError[] {
  return validateNonNegative(revision, fieldPath('revision'))
}

/** Of data that mean nothing to the server, even a null counts. */
function validateDataKept(data: unknown, old: unknown): FieldError[] {
  if (deepEqual(data, old)) return []
  const error = fieldError.invalid('data', typeof data === 'object' ? null : (data ?? null), immutableMessage)
  return [typeof data === 'object' && data !== null ? withStructValue(error, data) : error]
}

function validateData(data: unknown): FieldError[] {
  if (data === undefined || data === null) return [fieldError.required('data', 'data is mandatory')]
  return typeof data === 'object' && !Array.isArray(data) ? [] : [fieldError.required('data', 'data must be a valid JSON object')]
}

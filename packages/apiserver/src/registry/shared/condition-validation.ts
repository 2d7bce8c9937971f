import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, utf8Length, validateQualifiedName } from 'steersman/api'
import type { Condition } from 'steersman/api/types/meta/v1'

const maxReasonBytes = 1024
const maxMessageBytes = 32 * 1024
const reasonPattern = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/
const reasonMessage =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')"

/** What is wrong with the conditions of a status (`meta/v1` Condition). */
export function validateConditions(conditions: readonly Condition[] | undefined, path: FieldPath): FieldError[] {
  const seen = new Set<string>()
  return (conditions ?? []).flatMap((condition, index) => {
    const { type = '' } = condition
    const repeated = seen.has(type) ? [fieldError.duplicate(path.index(index), type)] : []
    seen.add(type)
    return [...repeated, ...validateCondition(condition, path.index(index))]
  })
}

function validateCondition(condition: Condition, path: FieldPath): FieldError[] {
  const { type = '', status = '', observedGeneration = 0, lastTransitionTime, message = '' } = condition
  const errors: FieldError[] = []
  if (type === '') errors.push(fieldError.required(path.child('type'), 'is required'))
  else errors.push(...validateQualifiedName(type).map((detail) => fieldError.invalid(path.child('type'), type, detail)))
  if ((status as string) === '') errors.push(fieldError.required(path.child('status')))
  else if (!['True', 'False', 'Unknown'].includes(status)) {
    errors.push(fieldError.notSupported(path.child('status'), status, ['False', 'True', 'Unknown']))
  }
  if (observedGeneration < 0) {
    const detail = 'must be greater than or equal to zero'
    errors.push(fieldError.invalid(path.child('observedGeneration'), observedGeneration, detail))
  }
  if (!lastTransitionTime) errors.push(fieldError.required(path.child('lastTransitionTime')))
  errors.push(...validateReason(condition.reason ?? '', path.child('reason')))
  if (utf8Length(message) > maxMessageBytes) errors.push(fieldError.tooLong(path.child('message'), maxMessageBytes))
  return errors
}

function validateReason(reason: string, path: FieldPath): FieldError[] {
  if (reason === '') return [fieldError.required(path)]
  const errors = reasonPattern.test(reason) ? [] : [fieldError.invalid(path, reason, reasonMessage)]
  return utf8Length(reason) > maxReasonBytes ? [...errors, fieldError.tooLong(path, maxReasonBytes)] : errors
}

import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import { validateNonNegative } from './number-errors.js'

/** What is wrong with counters of a status that cannot be negative, in the order given. */
export function validateCounters(status: object, fields: readonly string[], path: FieldPath): FieldError[] {
  return fields.flatMap((field) => validateNonNegative(counter(status, field), path.child(field)))
}

/** Errors for counters that are greater than another one, in the order given. `name`: how the other one is called. */
export function validateAtMost(
  status: object,
  fields: readonly string[],
  limit: { readonly field: string; readonly name: string },
  path: FieldPath,
): FieldError[] {
  const most = counter(status, limit.field) ?? 0
  return fields
    .filter((field) => (counter(status, field) ?? 0) > most)
    .map((field) => fieldError.invalid(path.child(field), counter(status, field) ?? 0, `cannot be greater than ${limit.name}`))
}

function counter(status: object, field: string): number | undefined {
  return (status as Readonly<Record<string, number | undefined>>)[field]
}

/** An error when the counter of name collisions gets smaller. */
export function validateCollisionCount(now: number | undefined, before: number | undefined, path: FieldPath): FieldError[] {
  return before !== undefined && (now === undefined || now < before)
    ? [fieldError.invalid(path.child('collisionCount'), now ?? 0, 'cannot be decremented')]
    : []
}

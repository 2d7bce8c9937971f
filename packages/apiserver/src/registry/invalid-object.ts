import type { FieldError } from 'steersman/api'
import { fieldErrorText, invalid, StatusError } from 'steersman/api'
import type { StoreContext } from './store-context.js'

/** The refusal of an object. What built-in kinds find wrong twice is said once; schemas of custom resources say what they find. */
export function invalidObject({ strategy, type, complete }: StoreContext, name: string, errors: readonly FieldError[]): StatusError {
  const said = complete === undefined ? errors : [...new Map(errors.map((error) => [fieldErrorText(error), error])).values()]
  return new StatusError(invalid(type.kind, strategy.errorGroup ?? type.group, name, said))
}

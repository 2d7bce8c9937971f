import type { FieldError, FieldPath, LabelSelector } from 'steersman/api'
import { compileLabelSelector, fieldError, SelectorError, validateLabelValue, validateQualifiedName } from 'steersman/api'
import { validateLabels } from '../metadata.js'

/** What is wrong with a label selector of a spec. */
export function validateLabelSelector(selector: LabelSelector, path: FieldPath): FieldError[] {
  const errors = validateLabels(selector.matchLabels, path.child('matchLabels'))
  ;(selector.matchExpressions ?? []).forEach(({ key, operator, values = [] }, index) => {
    const at = path.child('matchExpressions').index(index)
    switch (operator) {
      case 'In':
      case 'NotIn':
        if (values.length === 0) {
          errors.push(fieldError.required(at.child('values'), "must be specified when `operator` is 'In' or 'NotIn'"))
        }
        break
      case 'Exists':
      case 'DoesNotExist':
        if (values.length > 0) {
          errors.push(fieldError.forbidden(at.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
        }
        break
      default:
        errors.push(fieldError.invalid(at.child('operator'), operator ?? '', 'not a valid selector operator'))
    }
    for (const detail of validateQualifiedName(key ?? '')) errors.push(fieldError.invalid(at.child('key'), key ?? '', detail))
    values.forEach((value, valueIndex) => {
      for (const detail of validateLabelValue(value)) errors.push(fieldError.invalid(at.child('values').index(valueIndex), value, detail))
    })
  })
  return errors
}

/** Whether a selector of a spec selects these labels; a selector that cannot be read selects nothing. */
export function selects(selector: LabelSelector | undefined, labels: Readonly<Record<string, string>> | undefined): boolean {
  try {
    return compileLabelSelector(selector).matches(labels)
  } catch (error) {
    if (error instanceof SelectorError) return false
    throw error
  }
}

/** The text of a spec's selector, for a Scale. Empty when there is none. */
export function selectorText(selector: LabelSelector | undefined): string {
  return compileLabelSelector(selector).toString()
}

/** Whether a selector has no condition at all. */
export function isEmptySelector(selector: LabelSelector | undefined): boolean {
  return Object.keys(selector?.matchLabels ?? {}).length === 0 && (selector?.matchExpressions ?? []).length === 0
}

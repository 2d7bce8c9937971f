import type { FieldError, FieldPath, LabelSelector } from 'steersman/api'
import { fieldError } from 'steersman/api'
import type { PodTemplateSpec } from 'steersman/api/types/core/v1'
import { immutableMessage, validateImmutable } from '../metadata.js'
import { goForm } from '../shared/go-form.js'
import { isEmptySelector, selects, validateLabelSelector } from '../shared/label-selector.js'
import { validatePodTemplate, validateRestartingTemplate } from '../shared/pod-validation.js'
import { withStructValue } from '../shared/struct-value.js'

/** What is wrong with the selector and the template of a Deployment or a ReplicaSet, which the real server calls a deployment as well. */
export function validateSelectedTemplate(
  spec: { readonly selector?: LabelSelector; readonly template?: PodTemplateSpec },
  path: FieldPath,
): FieldError[] {
  const { selector, template = {} } = spec
  const errors: FieldError[] = []
  const selectorPath = path.child('selector')
  if (selector === undefined) errors.push(fieldError.required(selectorPath))
  else {
    errors.push(...validateLabelSelector(selector, selectorPath))
    if (isEmptySelector(selector)) errors.push(selectorError(selectorPath, selector, 'empty selector is invalid for deployment'))
  }
  if (selector !== undefined && errors.some(({ field }) => field.startsWith(`${selectorPath}.`))) {
    errors.push(selectorError(selectorPath, selector, 'invalid label selector'))
    return errors
  }
  const templatePath = path.child('template')
  const labels = template.metadata?.labels
  // No selector selects nothing, an empty one everything.
  if ((selector === undefined || !isEmptySelector(selector)) && !selects(selector, labels)) {
    errors.push(fieldError.invalid(templatePath.child('metadata', 'labels'), labels ?? null, '`selector` does not match template `labels`'))
  }
  errors.push(...validatePodTemplate(template, templatePath), ...validateRestartingTemplate(template, templatePath, 'ReplicaSet'))
  return errors
}

/** What selects pods can never change. */
export function validateSelectorKept(selector: LabelSelector | undefined, old: LabelSelector | undefined, path: FieldPath): FieldError[] {
  const errors = validateImmutable(selector, old, path)
  return selector === undefined || errors.length === 0 ? errors : [selectorError(path, selector, immutableMessage)]
}

/** An error that shows a selector. */
export function selectorError(path: FieldPath, selector: LabelSelector, detail: string): FieldError {
  return withStructValue(fieldError.invalid(path, undefined, detail), goForm('LabelSelector', selector))
}

import type { FieldError } from 'steersman/api'
import { fieldError, utf8Length, validateQualifiedName } from 'steersman/api'
import type { Event } from 'steersman/api/types/core/v1'

const maxWordBytes = 128
const maxNoteBytes = 1024

/** What is wrong with an event in the shape of the core group, whoever writes it. `controllerField` is the group's name of the reporter. */
export function validateCoreEvent(event: Event, controllerField: 'reportingComponent' | 'reportingController'): FieldError[] {
  const namespace = event.involvedObject?.namespace ?? ''
  const own = event.metadata.namespace ?? ''
  const mismatch = [fieldError.invalid('involvedObject.namespace', namespace, 'does not match event.namespace')]
  if (!event.eventTime) {
    // Events about what lives in no namespace are kept in the default one.
    return (namespace === '' ? own === 'default' : own === namespace) ? [] : mismatch
  }
  const errors = namespace === '' && own !== 'default' && own !== 'kube-system' ? mismatch : []
  const reporter = event.reportingComponent ?? ''
  if (reporter === '') errors.push(fieldError.required(controllerField))
  for (const detail of validateQualifiedName(reporter)) errors.push(fieldError.invalid(controllerField, reporter, detail))
  for (const field of ['reportingInstance', 'action', 'reason'] as const) {
    const value = event[field] ?? ''
    if (value === '') errors.push(fieldError.required(field))
    if (utf8Length(value) > maxWordBytes) errors.push(fieldError.invalid(field, '', `can have at most ${maxWordBytes} characters`))
  }
  if (utf8Length(event.message ?? '') > maxNoteBytes) {
    errors.push(fieldError.invalid('message', '', `can have at most ${maxNoteBytes} characters`))
  }
  return errors
}

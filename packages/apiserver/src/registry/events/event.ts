import type { FieldError, UnstructuredObject } from 'steersman/api'
import { fieldError, fieldPath, utf8Length, validateDns1123Subdomain, validateQualifiedName } from 'steersman/api'
import { Event } from 'steersman/api/types/events/v1'
import { deepFreeze } from 'steersman/internal'
import { unsupportedField } from '../shared/fields.js'
import { defineKind } from '../strategy.js'

/** Field of the events group to field of the core group. Other fields have one name. */
const coreNames: Readonly<Record<string, string>> = {
  regarding: 'involvedObject',
  note: 'message',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
  reportingController: 'reportingComponent',
}
const groupNames: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(coreNames).map(([group, core]) => [core, group]))

const views = new WeakMap<UnstructuredObject, UnstructuredObject>()

/** A stored event as the events group shows it. The same object gives the same object. */
export function toGroupEvent(stored: UnstructuredObject): UnstructuredObject {
  let view = views.get(stored)
  if (view === undefined) {
    view = deepFreeze(renamed(stored, groupNames, 'events.k8s.io/v1'))
    views.set(stored, view)
  }
  return view
}

/** An event of the events group as it is stored. */
export function toCoreEvent(served: UnstructuredObject): UnstructuredObject {
  return renamed(served, coreNames, 'v1')
}

function renamed(object: UnstructuredObject, names: Readonly<Record<string, string>>, apiVersion: string): UnstructuredObject {
  const result: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(object)) result[names[field] ?? field] = field === 'apiVersion' ? apiVersion : value
  return result as unknown as UnstructuredObject
}

/** Events, in the shape of the events group. */
export const groupEventKind = defineKind(Event, {
  validateName: validateDns1123Subdomain,
  default(event) {
    const written = event as unknown as Record<string, unknown>
    written.regarding ??= {}
    written.deprecatedSource ??= {}
    for (const field of ['deprecatedFirstTimestamp', 'deprecatedLastTimestamp', 'eventTime']) written[field] ??= null
    for (const field of ['reportingController', 'reportingInstance']) written[field] ??= ''
  },
  validate: validateEvent,
  // Events of old clients, written through the core group, need not be what this group asks for.
  validateUpdate: () => [],
  allowCreateOnUpdate: true,
  selectableFields: {
    ...Object.fromEntries(
      (['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const).map((field) => [
        `regarding.${field}`,
        (event: Event) => event.regarding?.[field],
      ]),
    ),
    reason: ({ reason }) => reason,
    reportingController: ({ reportingController }) => reportingController,
    type: ({ type }) => type,
  },
  unknownField: unsupportedField,
})

function validateEvent(event: Event): FieldError[] {
  const errors: FieldError[] = []
  const { reportingController, reportingInstance, action, reason, type, note = '', metadata } = event
  const namespace = event.regarding?.namespace ?? ''
  const allowed = namespace === '' ? ['default', 'kube-system'] : [namespace]
  if (!allowed.includes(metadata.namespace ?? '')) {
    errors.push(fieldError.invalid('involvedObject.namespace', namespace, 'does not match event.namespace'))
  }
  if (!event.eventTime) errors.push(fieldError.required('eventTime'))
  const limited = (field: string, value: string | undefined, maxBytes: number) => {
    if (!value) errors.push(fieldError.required(field))
    else if (utf8Length(value) > maxBytes) errors.push(fieldError.tooLong(field, maxBytes))
  }
  if (!reportingController) errors.push(fieldError.required('reportingController'))
  else for (const detail of validateQualifiedName(reportingController)) errors.push(fieldError.invalid('reportingController', reportingController, detail))
  limited('reportingInstance', reportingInstance, 128)
  limited('action', action, 128)
  limited('reason', reason, 128)
  if (utf8Length(note) > 1024) errors.push(fieldError.tooLong('message', 1024))
  if (type !== 'Normal' && type !== 'Warning') errors.push(fieldError.invalid(fieldPath('type'), type ?? '', 'has invalid value'))
  return errors
}

import type { FieldError, FieldPath, UnstructuredObject } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain } from 'steersman/api'
import type { Event as CoreEvent } from 'steersman/api/types/core/v1'
import { Event } from 'steersman/api/types/events/v1'
import { deepFreeze } from 'steersman/internal'
import { immutableMessage } from '../metadata.js'
import { validateCoreEvent } from '../shared/event-validation.js'
import { unsupportedField } from '../shared/fields.js'
import { isSameValue } from '../shared/same-value.js'
import { withStructValue } from '../shared/struct-value.js'
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
  // The core group writes these even when they are empty, the events group does not.
  for (const field of ['reportingInstance', names === coreNames ? 'reportingComponent' : 'reportingController']) {
    if (names === coreNames) result[field] ??= ''
    else if (result[field] === '') delete result[field]
  }
  return result as unknown as UnstructuredObject
}

/** Events, in the shape of the events group. */
export const groupEventKind = defineKind(Event, {
  validateName: validateDns1123Subdomain,
  errorGroup: '',
  validate: validateEvent,
  validateUpdate,
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
  deletion: { ignoresPolicies: true },
})

function validateEvent(event: Event): FieldError[] {
  const core = toCore(event)
  const errors = [...validateCoreEvent(core, 'reportingController'), ...seriesErrors(event)]
  const { type } = event
  if (!event.eventTime) errors.push(fieldError.required('eventTime'))
  if (type !== 'Normal' && type !== 'Warning') errors.push(fieldError.invalid('type', '', `has invalid value: ${type ?? ''}`))
  const mustBeUnset = (field: string, isSet: boolean) => isSet && errors.push(fieldError.invalid(field, '', 'needs to be unset'))
  mustBeUnset('firstTimestamp', Boolean(core.firstTimestamp))
  mustBeUnset('lastTimestamp', Boolean(core.lastTimestamp))
  mustBeUnset('count', Boolean(core.count))
  mustBeUnset('source', Boolean(core.source?.component || core.source?.host))
  return errors
}

function toCore(event: Event): CoreEvent {
  return toCoreEvent(event as unknown as UnstructuredObject) as unknown as CoreEvent
}

function seriesErrors({ series }: Event): FieldError[] {
  if (series === undefined) return []
  return [
    ...((series.count ?? 0) < 2 ? [fieldError.invalid('series.count', '', 'should be at least 2')] : []),
    ...(series.lastObservedTime ? [] : [fieldError.required('series.lastObservedTime')]),
  ]
}

/** What cannot change, in the order in which the real server looks at it: at the reason twice. */
const immutableFields = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingController',
  'reportingInstance',
] as const

/** An event that an old client wrote through the core group need not be what this group asks for, but stays as it is but for its series. */
function validateUpdate(event: Event, old: Event): FieldError[] {
  const [core, oldCore] = [toCore(event), toCore(old)]
  const errors = validateCoreEvent(core, 'reportingController')
  const hasOtherSeries = (event.series === undefined) !== (old.series === undefined) || !isSameValue(event.series, old.series)
  if (hasOtherSeries) errors.push(...seriesErrors(event))
  for (const field of immutableFields) {
    const name = field === 'reportingController' ? 'reportingComponent' : field
    const value = core[name]
    const before = oldCore[name]
    // A reference to nothing is not the same as none.
    const isSame =
      isSameValue(value || undefined, before || undefined) && (field !== 'related' || (value === undefined) === (before === undefined))
    if (isSame) continue
    errors.push(immutableError(field, value))
  }
  return errors
}

function immutableError(field: (typeof immutableFields)[number], value: unknown): FieldError {
  const path = fieldPath(field)
  if (field === 'related') return withReference(path, value as CoreEvent['related'])
  if (field === 'involvedObject') return withReference(path, (value ?? {}) as CoreEvent['involvedObject'])
  if (field === 'source') {
    const { component = '', host = '' } = (value ?? {}) as NonNullable<CoreEvent['source']>
    return withStructValue(fieldError.invalid(path, undefined, immutableMessage), { Component: component, Host: host })
  }
  const isTime = field === 'firstTimestamp' || field === 'lastTimestamp' || field === 'eventTime'
  return fieldError.invalid(path, value ?? (isTime ? null : field === 'count' ? 0 : ''), immutableMessage)
}

function withReference(path: FieldPath, reference: CoreEvent['related']): FieldError {
  const error = fieldError.invalid(path, reference === undefined ? null : undefined, immutableMessage)
  if (reference === undefined) return error
  const { kind = '', namespace = '', name = '', uid = '', apiVersion = '', resourceVersion = '', fieldPath: place = '' } = reference
  return withStructValue(error, {
    Kind: kind,
    Namespace: namespace,
    Name: name,
    UID: uid,
    APIVersion: apiVersion,
    ResourceVersion: resourceVersion,
    FieldPath: place,
  })
}

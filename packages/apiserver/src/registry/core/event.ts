import { validatePathSegmentName } from 'steersman/api'
import { Event } from 'steersman/api/types/core/v1'
import { validateCoreEvent } from '../shared/event-validation.js'
import { unsupportedField } from '../shared/fields.js'
import { defineKind } from '../strategy.js'

const referenceFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const

/** Events, in the shape of the core group, in which they are stored. */
export const eventKind = defineKind(Event, {
  // Old clients may write anything: only what is not about the event's metadata is looked at, and that the name makes a path.
  validateName: validatePathSegmentName,
  checksMetadataLast: true,
  allowBareFinalizers: true,
  validate: (event) => validateCoreEvent(event, 'reportingComponent'),
  allowCreateOnUpdate: true,
  selectableFields: {
    ...Object.fromEntries(referenceFields.map((field) => [`involvedObject.${field}`, (event: Event) => event.involvedObject?.[field]])),
    reason: ({ reason }) => reason,
    reportingComponent: ({ reportingComponent }) => reportingComponent,
    source: ({ source, reportingComponent }) => source?.component || reportingComponent,
    type: ({ type }) => type,
  },
  unknownField: unsupportedField,
  deletion: { ignoresPolicies: true },
})

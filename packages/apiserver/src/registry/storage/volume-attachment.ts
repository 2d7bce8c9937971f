import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, utf8Length, validateDns1123Subdomain } from 'steersman/api'
import type { VolumeAttachmentSource, VolumeAttachmentStatus, VolumeError } from 'steersman/api/types/storage/v1'
import { VolumeAttachment } from 'steersman/api/types/storage/v1'
import { validateVolumeSpec } from '../core/persistent-volume.js'
import { defaultVolumeSource } from '../shared/common-volume-sources.js'
import { validateDeclaredImmutable } from '../shared/declared.js'
import { driverNameErrors, maxDriverNameBytes } from '../shared/driver-name.js'
import { subdomainErrors } from '../shared/name-errors.js'
import { canonicalizeResources } from '../shared/quantity.js'
import { defineKind } from '../strategy.js'

const specPath = fieldPath('spec')
const maxMetadataBytes = 256 * 1024
const maxMessageBytes = 1024

/** Volumes that are attached to nodes, or shall be. */
export const volumeAttachmentKind = defineKind(VolumeAttachment, {
  validateName: validateDns1123Subdomain,
  allowUnconditionalUpdate: false,
  default({ spec }) {
    const volume = spec?.source?.inlineVolumeSpec
    if (volume === undefined) return
    canonicalizeResources(volume.capacity)
    defaultVolumeSource(volume)
  },
  validate: validateAttachment,
  validateUpdate: validateKept,
  status: {
    initial: () => ({ attached: false }),
    ignoresMetadata: true,
    validateUpdate: (attachment) => [...validateAttachment(attachment), ...validateStatus(attachment.status)],
  },
  deletion: { returnsObject: true },
})

/** Once the spec is found to change, what is declared of its parts is not looked at; other rules say the same of the driver in other words. */
function validateKept(attachment: VolumeAttachment, old: VolumeAttachment): FieldError[] {
  const changed = validateDeclaredImmutable(attachment.spec, old.spec, specPath)
  if (changed.length === 0) return []
  const attacherPath = specPath.child('attacher')
  return [...driverNameErrors(attachment.spec?.attacher, attacherPath), ...validateParts(attachment), ...changed]
}

function validateAttachment(attachment: VolumeAttachment): FieldError[] {
  // What is declared is found after all else.
  return [...validateParts(attachment), ...attacherErrors(attachment.spec?.attacher ?? '', specPath.child('attacher'))]
}

function validateParts({ spec }: VolumeAttachment): FieldError[] {
  const { source, nodeName } = spec ?? {}
  const name = source?.persistentVolumeName
  return [
    ...validateSource(source ?? {}, specPath.child('source')),
    ...subdomainErrors(nodeName ?? '', specPath.child('nodeName')),
    ...(name === undefined ? [] : subdomainErrors(name, specPath.child('source', 'persistentVolumeName'))),
  ]
}

const subdomain = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'
const attacherMessage = `an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'Example.com', regex used for validation is '${subdomain}')`

function attacherErrors(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [fieldError.required(path)]
  const errors = validateDns1123Subdomain(name.toLowerCase()).map((detail) =>
    fieldError.invalid(path, name, detail.endsWith(' characters') ? detail.replace(/characters$/, 'bytes') : attacherMessage),
  )
  return utf8Length(name) > maxDriverNameBytes ? [...errors, fieldError.tooLongCharacters(path, maxDriverNameBytes)] : errors
}

function validateSource({ persistentVolumeName: name, inlineVolumeSpec: volume }: VolumeAttachmentSource, path: FieldPath): FieldError[] {
  const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'
  if (name !== undefined && volume !== undefined) return [fieldError.forbidden(path, detail)]
  if (volume !== undefined) return validateVolumeSpec(volume, path.child('inlineVolumeSpec'), undefined)
  if (name === undefined) return [fieldError.required(path, detail)]
  return name === '' ? [fieldError.required(path.child('persistentVolumeName'), 'must specify non empty persistentVolumeName')] : []
}

function validateStatus(status: VolumeAttachmentStatus | undefined): FieldError[] {
  const path = fieldPath('status')
  const bytes = Object.entries(status?.attachmentMetadata ?? {}).reduce((sum, entry) => sum + utf8Length(entry.join('')), 0)
  return [
    ...(bytes > maxMetadataBytes ? [fieldError.tooLong(path.child('attachmentMetadata'), maxMetadataBytes)] : []),
    ...validateError(status?.attachError, path.child('attachError')),
    ...validateError(status?.detachError, path.child('detachError')),
  ]
}

function validateError(error: VolumeError | undefined, path: FieldPath): FieldError[] {
  const { message = '', errorCode = 0 } = error ?? {}
  const errors = utf8Length(message) > maxMessageBytes ? [fieldError.tooLong(path.child('message'), maxMessageBytes)] : []
  if (errorCode >= 0) return errors
  return [...errors, fieldError.invalid(path.child('errorCode'), errorCode, 'must be between 0 and 2147483647, inclusive')]
}

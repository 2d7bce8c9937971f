import type { Draft, FieldError } from 'steersman/api'
import { fieldError, fieldPath, goQuote, validateDns1123Subdomain, validateQualifiedName } from 'steersman/api'
import type { PersistentVolumeClaimSpec, PersistentVolumeClaimStatus, TypedLocalObjectReference } from 'steersman/api/types/core/v1'
import { PersistentVolumeClaim } from 'steersman/api/types/core/v1'
import { validateImmutable } from '../metadata.js'
import { defaultClaimSpec, validateClaimSpec } from '../shared/claim-spec.js'
import { goForm } from '../shared/go-form.js'
import { amountOf, canonicalizeResources } from '../shared/quantity.js'
import { basicAmountErrors } from '../shared/resource-name.js'
import { isSameValue } from '../shared/same-value.js'
import { unifiedDiff } from '../shared/unified-diff.js'
import { defineKind } from '../strategy.js'

const claimSpec = 'PersistentVolumeClaimSpec'
const specPath = fieldPath('spec')
const classAnnotation = 'volume.beta.kubernetes.io/storage-class'

/** Claims of volumes. */
export const persistentVolumeClaimKind = defineKind(PersistentVolumeClaim, {
  validateName: validateDns1123Subdomain,
  default(claim) {
    claim.spec ??= {}
    defaultClaimSpec(claim.spec)
    claim.status ??= {}
    claim.status.phase ||= 'Pending'
    canonicalizeResources(claim.status.capacity)
    canonicalizeResources(claim.status.allocatedResources)
  },
  // How healthy a volume is, is an alpha feature.
  dropDisabledFields: ({ status }) => void delete status?.healthStatus,
  prepareForCreate: ({ spec = {} }) => normalizeSources(spec, undefined),
  prepareForUpdate: ({ spec = {} }, old) => normalizeSources(spec, old.spec),
  validate: ({ spec }) => validateClaimSpec(spec ?? {}, specPath),
  validateUpdate: (claim, old) => [...validateClaimSpec(claim.spec ?? {}, specPath, old.spec), ...validateKept(claim, old)],
  warn: warnOfClaim,
  status: { initial: () => ({ phase: 'Pending' }), validateUpdate: ({ status }) => validateStatus(status ?? {}) },
  deletion: { returnsObject: true },
})

/** Two fields say where the content of the volume comes from; the older one knows less and is dropped where it says more than it may. */
function normalizeSources(spec: Draft<PersistentVolumeClaimSpec>, old: PersistentVolumeClaimSpec | undefined): void {
  // Sources in other namespaces are an alpha feature.
  if (spec.dataSourceRef?.namespace && old?.dataSourceRef === undefined) delete spec.dataSourceRef
  const wasUsed = old?.dataSource !== undefined || old?.dataSourceRef !== undefined
  if (!wasUsed && spec.dataSourceRef === undefined && !isClaimOrSnapshot(spec.dataSource)) delete spec.dataSource
  if (spec.dataSource !== undefined && spec.dataSourceRef === undefined) spec.dataSourceRef = { ...spec.dataSource }
  else if (spec.dataSourceRef !== undefined && spec.dataSource === undefined && !spec.dataSourceRef.namespace) {
    const { namespace: _, ...source } = spec.dataSourceRef
    spec.dataSource = source
  }
}

function isClaimOrSnapshot(source: TypedLocalObjectReference | undefined): boolean {
  if (source?.kind === 'PersistentVolumeClaim') return !source.apiGroup
  return source?.kind === 'VolumeSnapshot' && source.apiGroup === 'snapshot.storage.k8s.io'
}

const keptMessage = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

function validateKept(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldError[] {
  const [spec, oldSpec] = [claim.spec ?? {}, old.spec ?? {}]
  const errors = [...validateAnnotationKept(claim, old), ...validateSpecKept(claim, old)]
  const [size, oldSize] = [sizeOf(spec), sizeOf(oldSpec)]
  if (size < oldSize && size <= (amountOf(old.status?.capacity?.storage ?? '0') ?? 0n)) {
    const path = specPath.child('resources', 'requests', 'storage')
    errors.push(fieldError.forbidden(path, 'field can not be less than status.capacity'))
  }
  errors.push(...validateImmutable(spec.volumeMode, oldSpec.volumeMode, fieldPath('volumeMode')))
  if (old.status?.currentVolumeAttributesClassName === undefined || spec.volumeAttributesClassName) return errors
  if (oldSpec.volumeAttributesClassName === spec.volumeAttributesClassName) return errors
  const value = spec.volumeAttributesClassName === undefined ? 'nil' : 'empty string'
  const detail = `update to ${value} is forbidden when status.currentVolumeAttributesClassName is not nil`
  return [...errors, fieldError.forbidden(specPath.child('volumeAttributesClassName'), detail)]
}

function sizeOf({ resources }: PersistentVolumeClaimSpec): bigint {
  return amountOf(resources?.requests?.storage ?? '0') ?? 0n
}

/** The name of the volume and the class may be filled in once; of a bound claim the size and the attributes change too. */
function validateSpecKept({ spec = {}, status }: PersistentVolumeClaim, { metadata, spec: old = {} }: PersistentVolumeClaim): FieldError[] {
  const before = goForm(claimSpec, { ...old, volumeName: old.volumeName || spec.volumeName || '' })
  const annotated = metadata.annotations?.[classAnnotation]
  const isClassNew = old.storageClassName === undefined && (annotated === undefined || spec.storageClassName === annotated)
  const after = goForm(claimSpec, {
    ...spec,
    ...(isClassNew ? { storageClassName: undefined } : {}),
    ...(status?.phase === 'Bound' ? boundParts(spec, old) : {}),
  })
  const isSelectorKept = (before.Selector === null) === (after.Selector === null)
  return isSelectorKept && isSameValue(before, after)
    ? []
    : [fieldError.forbidden(specPath, `${keptMessage}\n${unifiedDiff(before, after)}`)]
}

/** What a bound claim may change, as it was. */
function boundParts({ resources }: PersistentVolumeClaimSpec, old: PersistentVolumeClaimSpec): Partial<PersistentVolumeClaimSpec> {
  const { volumeAttributesClassName } = old
  const storage = old.resources?.requests?.storage
  if (!resources?.requests || storage === undefined) return { volumeAttributesClassName }
  return { volumeAttributesClassName, resources: { ...resources, requests: { ...resources.requests, storage } } }
}

function validateAnnotationKept(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldError[] {
  const [value = '', before = ''] = [claim, old].map(({ metadata }) => metadata.annotations?.[classAnnotation])
  const moves = before !== '' && value === '' && claim.spec?.storageClassName === before && old.spec?.storageClassName === undefined
  if (moves) return []
  return validateImmutable(value, before, fieldPath('metadata', 'annotations', classAnnotation))
}

const resizeStatuses = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
]

function validateStatus(status: PersistentVolumeClaimStatus): FieldError[] {
  const { capacity = {}, allocatedResourceStatuses = {}, allocatedResources = {} } = status
  const capacityPath = fieldPath('status', 'capacity')
  const errors = Object.entries(capacity).flatMap(([name, quantity]) => basicAmountErrors(quantity, capacityPath.key(name)))
  const statusesPath = fieldPath('status', 'allocatedResourceStatuses')
  for (const [name, status] of Object.entries(allocatedResourceStatuses)) {
    errors.push(...resourceErrors(name, 'allocatedResourceStatuses'))
    if (!resizeStatuses.includes(status)) errors.push(fieldError.notSupported(statusesPath, name, resizeStatuses))
  }
  for (const [name, quantity] of Object.entries(allocatedResources)) {
    const found = resourceErrors(name, 'allocatedResources')
    const path = fieldPath('status', 'allocatedResources').key(name)
    errors.push(...(found.length > 0 ? found : basicAmountErrors(quantity, path)))
  }
  return errors
}

/** Of the resources that everybody knows a claim has storage only. */
function resourceErrors(name: string, field: string): FieldError[] {
  const path = fieldPath('status', field)
  const details = validateQualifiedName(name)
  if (details.length > 0) return details.map((detail) => fieldError.invalid(path, name, detail))
  const isNative = !name.includes('/') || name.includes('kubernetes.io/')
  return isNative && name !== 'storage' ? [fieldError.notSupported(path, name, ['storage'])] : []
}

function warnOfClaim({ metadata, spec }: PersistentVolumeClaim, warn: (text: string) => void): void {
  if (metadata.annotations?.[classAnnotation] !== undefined) {
    warn(`metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`)
  }
  for (const field of ['requests', 'limits'] as const) {
    const quantity = spec?.resources?.[field]?.storage
    if (quantity === undefined || (amountOf(quantity) ?? 0n) % 1_000_000_000n === 0n) continue
    warn(`spec.resources.${field}[storage]: fractional byte value ${goQuote(quantity)} is invalid, must be an integer`)
  }
}

import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain } from 'steersman/api'
import type { PersistentVolumeSpec } from 'steersman/api/types/core/v1'
import { PersistentVolume } from 'steersman/api/types/core/v1'
import { deepEqual } from 'steersman/internal'
import { validateImmutable } from '../metadata.js'
import { accessModeErrors, volumeModes } from '../shared/claim-spec.js'
import { defaultVolumeSource } from '../shared/common-volume-sources.js'
import { goForm } from '../shared/go-form.js'
import { subdomainErrors } from '../shared/name-errors.js'
import { deprecatedNodeLabel } from '../shared/node-labels.js'
import { amountOf, canonicalizeResources } from '../shared/quantity.js'
import { basicAmountErrors } from '../shared/resource-name.js'
import { isSameValue } from '../shared/same-value.js'
import { validateNodeSelector } from '../shared/scheduling-validation.js'
import { withStructValue } from '../shared/struct-value.js'
import { unifiedDiff } from '../shared/unified-diff.js'
import { defineKind } from '../strategy.js'
import { sourceFields, validateSource } from './persistent-volume-source.js'

const specPath = fieldPath('spec')
const reclaimPolicies = ['Delete', 'Recycle', 'Retain']
const mountOptionsAnnotation = 'volume.beta.kubernetes.io/mount-options'

/** Persistent volumes. */
export const persistentVolumeKind = defineKind(PersistentVolume, {
  validateName: validateDns1123Subdomain,
  default(volume) {
    volume.spec ??= {}
    const { spec } = volume
    spec.persistentVolumeReclaimPolicy ||= 'Retain'
    spec.volumeMode ??= 'Filesystem'
    canonicalizeResources(spec.capacity)
    defaultVolumeSource(spec)
    volume.status ??= {}
    volume.status.phase ||= 'Pending'
  },
  prepareForCreate(volume, { now }) {
    volume.status = { phase: 'Pending', lastPhaseTransitionTime: now }
  },
  validate: (volume) => [...validateVolumeSpec(volume.spec ?? {}, specPath, volume.metadata.name ?? ''), ...validateMountOptions(volume)],
  validateUpdate: (volume, old) => [
    ...validateVolumeSpec(volume.spec ?? {}, specPath, volume.metadata.name ?? ''),
    ...validateMountOptions(volume),
    ...validateKept(volume.spec ?? {}, old.spec ?? {}),
  ],
  warn: warnOfDeprecated,
  status: {
    prepareForUpdate(volume, old, { now }) {
      const { phase, lastPhaseTransitionTime: time } = old.status ?? {}
      const status = { ...volume.status }
      if (status.phase === phase) status.lastPhaseTransitionTime ??= time
      else if (status.lastPhaseTransitionTime === undefined || status.lastPhaseTransitionTime === time) status.lastPhaseTransitionTime = now
      volume.status = status
    },
  },
  deletion: { returnsObject: true },
})

/** What is wrong with the spec of a volume. `name`: of the volume; absent: the volume is part of another object. */
export function validateVolumeSpec(spec: PersistentVolumeSpec, path: FieldPath, name: string | undefined): FieldError[] {
  const isInline = name === undefined
  const errors = isInline ? refuseInInline(spec, path) : []
  errors.push(...validateAccessModes(spec.accessModes ?? [], path.child('accessModes')))
  if (!isInline) errors.push(...validateCapacity(spec.capacity, path.child('capacity')))
  errors.push(...(isInline ? refusePolicyInInline(spec, path) : validatePolicy(spec, path)))
  errors.push(...validateSource(spec, path, name ?? ''))
  const { hostPath, persistentVolumeReclaimPolicy: policy } = spec
  if (hostPath?.path && policy === 'Recycle' && isRoot(hostPath.path)) {
    const detail = "may not be 'recycle' for a hostPath mount of '/'"
    errors.push(fieldError.forbidden(path.child('persistentVolumeReclaimPolicy'), detail))
  }
  if (isInline) return [...errors, ...refuseClassInInline(spec, path)]
  return [...errors, ...validateClass(spec, path), ...validateAttributesClass(spec, path)]
}

/** Whether a path comes out at the root of the file system. */
function isRoot(path: string): boolean {
  let depth = 0
  for (const part of path.split('/')) {
    if (part === '..') depth = Math.max(0, depth - 1)
    else if (part !== '' && part !== '.') depth += 1
  }
  return path.startsWith('/') && depth === 0
}

const inInline = 'may not be specified in the context of inline volumes'

function refuseInInline({ claimRef, capacity = {}, csi }: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  if (claimRef !== undefined) errors.push(fieldError.forbidden(path.child('claimRef'), inInline))
  if (Object.keys(capacity).length > 0) errors.push(fieldError.forbidden(path.child('capacity'), inInline))
  if (csi === undefined) errors.push(fieldError.required(path.child('csi'), 'has to be specified in the context of inline volumes'))
  return errors
}

function refusePolicyInInline(
  { persistentVolumeReclaimPolicy: policy, nodeAffinity }: PersistentVolumeSpec,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = []
  if (policy && policy !== 'Retain') {
    errors.push(fieldError.forbidden(path.child('persistentVolumeReclaimPolicy'), 'may only be Retain in the context of inline volumes'))
  }
  if (nodeAffinity !== undefined) errors.push(fieldError.forbidden(path.child('nodeAffinity'), inInline))
  return errors
}

function refuseClassInInline({ storageClassName, volumeMode }: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const errors = storageClassName ? [fieldError.forbidden(path.child('storageClassName'), inInline)] : []
  if (volumeMode === undefined || volumeMode === 'Filesystem') return errors
  const detail = 'may not specify volumeMode other than Filesystem in the context of inline volumes'
  return [...errors, fieldError.forbidden(path.child('volumeMode'), detail)]
}

function validateAccessModes(modes: readonly string[], path: FieldPath): FieldError[] {
  return modes.length === 0 ? [fieldError.required(path)] : accessModeErrors(modes, path)
}

function validateCapacity(capacity: Readonly<Record<string, string>> | undefined, path: FieldPath): FieldError[] {
  const entries = Object.entries(capacity ?? {})
  const errors = entries.length === 0 ? [fieldError.required(path)] : []
  if (capacity?.storage === undefined || entries.length > 1) errors.push(fieldError.notSupported(path, capacity ?? null, ['storage']))
  for (const [name, quantity] of entries) {
    const at = path.key(name)
    const amount = amountOf(quantity) ?? 0n
    errors.push(...basicAmountErrors(quantity, at))
    if (amount <= 0n) errors.push(fieldError.invalid(at, quantity, 'must be greater than zero'))
  }
  return errors
}

function validatePolicy({ persistentVolumeReclaimPolicy: policy, nodeAffinity }: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  if (policy && !reclaimPolicies.includes(policy)) {
    errors.push(fieldError.notSupported(path.child('persistentVolumeReclaimPolicy'), policy, reclaimPolicies))
  }
  if (nodeAffinity === undefined) return errors
  const at = path.child('nodeAffinity', 'required')
  if (nodeAffinity.required === undefined) return [...errors, fieldError.required(at, 'must specify required node constraints')]
  return [...errors, ...validateNodeSelector(nodeAffinity.required, at)]
}

function validateClass({ storageClassName, volumeMode }: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const errors = storageClassName ? subdomainErrors(storageClassName, path.child('storageClassName')) : []
  if (volumeMode === undefined || volumeModes.includes(volumeMode)) return errors
  return [...errors, fieldError.notSupported(path.child('volumeMode'), volumeMode, volumeModes)]
}

function validateAttributesClass({ volumeAttributesClassName: name, csi }: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  if (name === undefined) return []
  const at = path.child('volumeAttributesClassName')
  const errors = name === '' ? [fieldError.required(at, 'an empty string is disallowed')] : subdomainErrors(name, at)
  if (csi !== undefined) return errors
  return [...errors, fieldError.required(path.child('csi'), 'has to be specified when using volumeAttributesClassName')]
}

/** Sources that take options of the mount. */
const mountable: readonly (keyof PersistentVolumeSpec)[] = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
]

function validateMountOptions({ metadata, spec }: PersistentVolume): FieldError[] {
  if (metadata.annotations?.[mountOptionsAnnotation] === undefined || mountable.some((field) => spec?.[field] !== undefined)) return []
  const path = fieldPath('metadata', 'annotations', mountOptionsAnnotation)
  return [fieldError.forbidden(path, 'may not specify mount options for this volume type')]
}

function validateKept(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): FieldError[] {
  const errors: FieldError[] = []
  const [source, oldSource] = [spec, old].map((one) => goForm('PersistentVolumeSource', sourceOf(one, old))) as [object, object]
  if (!deepEqual(source, oldSource)) {
    const detail = `spec.persistentvolumesource is immutable after creation\n${unifiedDiff(oldSource, source)}`
    errors.push(fieldError.forbidden(specPath.child('persistentvolumesource'), detail))
  }
  errors.push(...validateImmutable(spec.volumeMode, old.volumeMode, fieldPath('volumeMode')))
  if (old.nodeAffinity !== undefined && !isSameValue(spec.nodeAffinity, old.nodeAffinity)) {
    const detail = 'field is immutable, except for updating from beta label to GA'
    const error = fieldError.invalid('nodeAffinity', spec.nodeAffinity ?? null, detail)
    errors.push(spec.nodeAffinity === undefined ? error : withStructValue(error, goForm('VolumeNodeAffinity', spec.nodeAffinity)))
  }
  if (old.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined) {
    const path = specPath.child('volumeAttributesClassName')
    errors.push(fieldError.forbidden(path, 'update from non-nil value to nil is forbidden'))
  }
  return errors
}

/** Where a volume comes from, without the one thing that may join later. */
function sourceOf(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): PersistentVolumeSpec {
  const source = Object.fromEntries(sourceFields.map((field) => [field, spec[field]]))
  if (spec.csi === undefined || old.csi === undefined || old.csi.controllerExpandSecretRef !== undefined) return source
  const { controllerExpandSecretRef: _, ...csi } = spec.csi
  return { ...source, csi }
}

const deprecatedAnnotations: Readonly<Record<string, string>> = {
  'volume.beta.kubernetes.io/storage-class': 'deprecated since v1.8; use "storageClassName" attribute instead',
  [mountOptionsAnnotation]: 'deprecated since v1.31; use "mountOptions" attribute instead',
}

const deprecatedSources: Readonly<Partial<Record<keyof PersistentVolumeSpec, string>>> = {
  cephfs: 'spec.cephfs: deprecated in v1.28, non-functional in v1.31+',
  photonPersistentDisk: 'spec.photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+',
  scaleIO: 'spec.scaleIO: deprecated in v1.16, non-functional in v1.22+',
  storageos: 'spec.storageOS: deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'spec.glusterfs: deprecated in v1.25, non-functional in v1.26+',
  rbd: 'spec.rbd: deprecated in v1.28, non-functional in v1.31+',
}

function warnOfDeprecated({ metadata, spec = {} }: PersistentVolume, warn: (text: string) => void): void {
  for (const [name, text] of Object.entries(deprecatedAnnotations)) {
    if (metadata.annotations?.[name] !== undefined) warn(`metadata.annotations[${name}]: ${text}`)
  }
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    const advice = 'Instead, the recommended approach is to use dynamic provisioning.'
    warn(`spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. ${advice}`)
  }
  for (const [index, { matchExpressions = [] }] of (spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).entries()) {
    for (const [position, { key }] of matchExpressions.entries()) {
      const text = deprecatedNodeLabel(key)
      const path = `spec.nodeAffinity.required.nodeSelectorTerms[${index}].matchExpressions[${position}].key`
      if (text !== undefined) warn(`${path}: ${key} is ${text}`)
    }
  }
  for (const [field, text] of Object.entries(deprecatedSources)) {
    if (spec[field as keyof PersistentVolumeSpec] !== undefined) warn(text)
  }
}

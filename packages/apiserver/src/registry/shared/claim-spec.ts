import type { Draft, FieldError, FieldPath } from 'steersman/api'
import { fieldError, validateDns1123Subdomain } from 'steersman/api'
import type { PersistentVolumeClaimSpec, TypedObjectReference } from 'steersman/api/types/core/v1'
import { deepEqual } from 'steersman/internal'
import { validateLabelSelector } from './label-selector.js'
import { labelErrors, subdomainErrors } from './name-errors.js'
import { amountOf, canonicalizeResources } from './quantity.js'

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
/** How a volume can be used. */
export const volumeModes = ['Block', 'Filesystem']

/** Fills in what a claim asks for. */
export function defaultClaimSpec(spec: Draft<PersistentVolumeClaimSpec>): void {
  spec.volumeMode ??= 'Filesystem'
  canonicalizeResources(spec.resources?.limits)
  canonicalizeResources(spec.resources?.requests)
}

/** What is wrong with what a claim asks for. `old`: what it asked for before; if that named a group of a source, any name of a group will do. */
export function validateClaimSpec(spec: PersistentVolumeClaimSpec, path: FieldPath, old: PersistentVolumeClaimSpec = {}): FieldError[] {
  const { selector, storageClassName, volumeMode, dataSource, dataSourceRef, volumeAttributesClassName } = spec
  const errors =
    (spec.accessModes ?? []).length === 0 ? [fieldError.required(path.child('accessModes'), 'at least 1 access mode is required')] : []
  if (selector !== undefined) errors.push(...validateLabelSelector(selector, path.child('selector')))
  errors.push(...accessModeErrors(spec.accessModes ?? [], path.child('accessModes')))
  errors.push(...validateStorage(spec.resources?.requests?.storage, path.child('resources').key('storage')))
  if (storageClassName) errors.push(...subdomainErrors(storageClassName, path.child('storageClassName')))
  if (volumeMode !== undefined && !volumeModes.includes(volumeMode)) {
    errors.push(fieldError.notSupported(path.child('volumeMode'), volumeMode, volumeModes))
  }
  const anyGroup = (old.dataSource?.apiGroup ?? old.dataSourceRef?.apiGroup ?? undefined) !== undefined
  if (dataSource !== undefined) errors.push(...validateSource(dataSource as TypedObjectReference, path.child('dataSource'), anyGroup))
  if (dataSourceRef !== undefined) errors.push(...validateSource(dataSourceRef, path.child('dataSourceRef'), anyGroup))
  errors.push(...validateSources(spec, path))
  if (volumeAttributesClassName) errors.push(...subdomainErrors(volumeAttributesClassName, path.child('volumeAttributesClassName')))
  return errors
}

/** What is wrong with modes of access that are there. */
export function accessModeErrors(modes: readonly string[], path: FieldPath): FieldError[] {
  const errors = modes.filter((mode) => !accessModes.includes(mode)).map((mode) => fieldError.notSupported(path, mode, accessModes))
  const hasOthers = modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode))
  if (!hasOthers || !modes.includes('ReadWriteOncePod')) return errors
  return [...errors, fieldError.forbidden(path, 'may not use ReadWriteOncePod with other access modes')]
}

function validateStorage(quantity: string | undefined, path: FieldPath): FieldError[] {
  if (quantity === undefined) return [fieldError.required(path)]
  return (amountOf(quantity) ?? 0n) > 0n ? [] : [fieldError.invalid(path, quantity, 'must be greater than zero')]
}

function validateSource({ name, kind = '', namespace, ...source }: TypedObjectReference, path: FieldPath, anyGroup: boolean): FieldError[] {
  const apiGroup = source.apiGroup ?? ''
  const errors: FieldError[] = []
  if (!name) errors.push(fieldError.required(path.child('name')))
  if (kind === '') errors.push(fieldError.required(path.child('kind')))
  if (apiGroup === '' && kind !== 'PersistentVolumeClaim') {
    errors.push(fieldError.invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"))
  }
  if (apiGroup !== '' && !anyGroup) {
    errors.push(...validateDns1123Subdomain(apiGroup).map((detail) => fieldError.invalid(path.child('apiGroup'), apiGroup, detail)))
  }
  if (namespace) errors.push(...labelErrors(namespace, path.child('namespace')))
  return errors
}

/** What two fields say of the same thing. */
function validateSources({ dataSource, dataSourceRef }: PersistentVolumeClaimSpec, path: FieldPath): FieldError[] {
  if (dataSource === undefined || dataSourceRef === undefined) return []
  // The message shows the path, as a struct without fields that can be seen.
  const refuse = (detail: string) => [fieldError.invalid(path, {}, detail)]
  if (dataSourceRef.namespace) return refuse('may not be specified when dataSourceRef.namespace is specified')
  const { namespace: _, ...reference } = dataSourceRef
  return deepEqual({ ...reference }, { ...dataSource }) ? [] : refuse('must match dataSourceRef')
}

import type { Draft, FieldError, FieldPath, NameValidator, ObjectMeta, OwnerReference } from 'steersman/api'
import {
  compareCodePoints,
  fieldError,
  fieldPath,
  goQuote,
  utf8Length,
  validateDns1123Label,
  validateLabelValue,
  validateNamePrefix,
  validateQualifiedName,
} from 'steersman/api'
import { deepEqual } from 'steersman/internal'
import { isSameValue } from './shared/same-value.js'

/** Finalizer by which a client asks that dependents stay. */
export const orphanFinalizer = 'orphan'
/** Finalizer by which a client asks that dependents go first. */
export const foregroundFinalizer = 'foregroundDeletion'
/** How a change of a field that cannot change is refused. */
export const immutableMessage = 'field is immutable'

const metadata = fieldPath('metadata')

/** The fields of metadata in Go's order. */
export const metadataFields = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const

const maxAnnotationBytes = 256 * 1024

/** What is wrong with the metadata of a new object whose system fields are filled. */
export function validateMetadata(meta: ObjectMeta, namespaced: boolean, validateName: NameValidator): FieldError[] {
  const errors: FieldError[] = []
  if (meta.generateName) {
    for (const detail of validateNamePrefix(meta.generateName, validateName)) {
      errors.push(fieldError.invalid(metadata.child('generateName'), meta.generateName, detail))
    }
  }
  if (!meta.name) errors.push(fieldError.required(metadata.child('name'), 'name or generateName is required'))
  else for (const detail of validateName(meta.name)) errors.push(fieldError.invalid(metadata.child('name'), meta.name, detail))
  errors.push(...validateNamespaceField(meta, namespaced), ...validateMutableMetadata(meta))
  if ((meta.generation ?? 0) < 0) {
    errors.push(fieldError.invalid(metadata.child('generation'), meta.generation, 'must be greater than or equal to 0'))
  }
  return errors
}

/** What is wrong with the metadata of an update. `meta` already has what the server keeps from `old`. */
export function validateMetadataUpdate(meta: ObjectMeta, old: ObjectMeta): FieldError[] {
  const errors = validateMutableMetadata(meta)
  if (old.deletionTimestamp !== undefined) {
    const added = (meta.finalizers ?? []).filter((finalizer) => !(old.finalizers ?? []).includes(finalizer))
    if (added.length > 0) {
      const list = [...new Set(added)].sort(compareCodePoints).map(goQuote).join(', ')
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`
      errors.push(fieldError.forbidden(metadata.child('finalizers'), detail))
    }
  }
  for (const field of ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
    errors.push(...validateImmutable(meta[field], old[field], metadata.child(field)))
  }
  return errors
}

/** An error when a field that cannot change does. */
export function validateImmutable(value: unknown, old: unknown, path: FieldPath): FieldError[] {
  return isSameValue(value, old) ? [] : [fieldError.invalid(path, value ?? null, immutableMessage)]
}

function validateNamespaceField(meta: ObjectMeta, namespaced: boolean): FieldError[] {
  const path = metadata.child('namespace')
  if (!namespaced) return meta.namespace ? [fieldError.forbidden(path, 'not allowed on this type')] : []
  if (!meta.namespace) return [fieldError.required(path)]
  return validateDns1123Label(meta.namespace).map((detail) => fieldError.invalid(path, meta.namespace, detail))
}

function validateMutableMetadata(meta: ObjectMeta): FieldError[] {
  return [
    ...validateLabels(meta.labels, metadata.child('labels')),
    ...validateAnnotations(meta.annotations, metadata.child('annotations')),
    ...validateOwnerReferences(meta.ownerReferences ?? [], metadata.child('ownerReferences')),
    ...validateFinalizers(meta.finalizers ?? [], metadata.child('finalizers')),
  ]
}

/** What is wrong with a map of labels. */
export function validateLabels(labels: Readonly<Record<string, string>> | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  if (labels === undefined) return errors
  for (const [key, value] of Object.entries(labels)) {
    for (const detail of validateQualifiedName(key)) errors.push(fieldError.invalid(path, key, detail))
    for (const detail of validateLabelValue(value)) errors.push(fieldError.invalid(path, value, detail))
  }
  return errors
}

/** What is wrong with a map of annotations. */
export function validateAnnotations(annotations: Readonly<Record<string, string>> | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  if (annotations === undefined) return errors
  let bytes = 0
  for (const [key, value] of Object.entries(annotations)) {
    for (const detail of validateQualifiedName(key.toLowerCase())) errors.push(fieldError.invalid(path, key, detail))
    bytes += utf8Length(key) + utf8Length(value)
  }
  if (bytes > maxAnnotationBytes) errors.push(fieldError.tooLong(path, maxAnnotationBytes))
  return errors
}

/** What built-in kinds ask of finalizers beyond the syntax: a well-known name, or one with a domain before a slash. */
export function validateFinalizersQualified(
  finalizers: readonly string[] | undefined,
  pathOf: (index: number) => FieldPath = (index) => metadata.child('finalizers').index(index),
): FieldError[] {
  return (finalizers ?? []).flatMap((finalizer, index) =>
    finalizer.includes('/') || standardFinalizers.has(finalizer)
      ? []
      : [fieldError.invalid(pathOf(index), finalizer, 'name is neither a standard finalizer name nor is it fully qualified')],
  )
}

/** Tells a client that new finalizers of a custom resource are bare words. */
export function warnOfBareFinalizers(meta: ObjectMeta, old: ObjectMeta | undefined, warn: (text: string) => void): void {
  for (const finalizer of meta.finalizers ?? []) {
    if (finalizer.includes('/') || standardFinalizers.has(finalizer) || old?.finalizers?.includes(finalizer)) continue
    const advice = 'prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers'
    warn(`metadata.finalizers: ${goQuote(finalizer)}: ${advice}`)
  }
}

const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', orphanFinalizer, foregroundFinalizer])

function validateOwnerReferences(references: readonly OwnerReference[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  let controller: string | undefined
  references.forEach((reference, index) => {
    errors.push(...validateOwnerReference(reference, path.index(index)))
    if (reference.controller !== true) return
    const name = `${reference.kind}/${reference.name}`
    if (controller === undefined) controller = name
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`
      // The message shows the references as Go writes them, in the order of the struct.
      const text = JSON.stringify(references.map(inOrder))
      errors.push({ ...fieldError.invalid(path, undefined), detail: `${text}: ${detail}` })
    }
  })
  return errors
}

function inOrder({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): OwnerReference {
  const rest = blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }
  return { apiVersion, kind, name, uid, ...(controller === undefined ? {} : { controller }), ...rest }
}

function validateOwnerReference(reference: OwnerReference, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  const { apiVersion } = reference
  if (!apiVersion) errors.push(fieldError.required(path.child('apiVersion'), 'must not be empty'))
  else if (!/^([^/]*\/)?[^/]+$/.test(apiVersion)) {
    errors.push(fieldError.invalid(path.child('apiVersion'), apiVersion, 'must be <group>/<version> or <version>'))
  }
  for (const field of ['kind', 'name', 'uid'] as const) {
    if (!reference[field]) errors.push(fieldError.required(path.child(field), 'must not be empty'))
  }
  if (apiVersion === 'v1' && reference.kind === 'Event') {
    errors.push(fieldError.invalid(path, reference, '/v1, Kind=Event is disallowed from being an owner'))
  }
  return errors
}

/** What is wrong with a list of finalizers. */
export function validateFinalizers(finalizers: readonly string[], path: FieldPath): FieldError[] {
  const errors = finalizers.flatMap((finalizer) =>
    validateQualifiedName(finalizer).map((detail) => fieldError.invalid(path, finalizer, detail)),
  )
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    const detail = `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`
    errors.push(fieldError.invalid(path, finalizers, detail))
  }
  return errors
}

/** Removes what a client may not say about a new object. */
export function wipeSystemMetadata(meta: Draft<ObjectMeta>): void {
  delete meta.uid
  delete meta.creationTimestamp
  delete meta.deletionTimestamp
  delete meta.deletionGracePeriodSeconds
  delete meta.selfLink
}

/**
 * Drops empty members, which Go leaves out and which must not make a write look like a change, and `managedFields`, which are the server's to
 * write and which it does not keep yet.
 */
export function normalizeMetadata(meta: Draft<ObjectMeta>): void {
  delete meta.managedFields
  delete meta.selfLink
  for (const key of ['labels', 'annotations'] as const) {
    const map = meta[key]
    if (map !== undefined && (map === null || isEmptyObject(map))) delete meta[key]
  }
  for (const key of ['finalizers', 'ownerReferences'] as const) {
    const list = meta[key]
    if (list !== undefined && (list === null || list.length === 0)) delete meta[key]
  }
  for (const key of ['generateName', 'namespace', 'generation', 'creationTimestamp', 'deletionTimestamp'] as const) {
    if (meta[key] === undefined || meta[key] === null || meta[key] === '' || meta[key] === 0) delete meta[key]
  }
}

function isEmptyObject(value: object): boolean {
  for (const _ in value) return false
  return true
}

const duplicateOwnersWarning =
  '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: '

/** Drops owner references that equal an earlier one, with a warning. */
export function dedupeOwnerReferences(meta: Draft<ObjectMeta>, warn: (text: string) => void): void {
  const references = meta.ownerReferences
  if (references === undefined || references.length < 2) return
  const kept: Draft<OwnerReference>[] = []
  const duplicates: string[] = []
  for (const reference of references) {
    if (!kept.some((other) => deepEqual(other, reference))) kept.push(reference)
    else if (!duplicates.includes(reference.uid)) duplicates.push(reference.uid)
  }
  if (duplicates.length === 0) return
  meta.ownerReferences = kept
  warn(duplicateOwnersWarning + duplicates.join(', '))
}

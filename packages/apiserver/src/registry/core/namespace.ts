import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Label } from 'steersman/api'
import { Namespace } from 'steersman/api/types/core/v1'
import { validateFinalizers, validateFinalizersQualified } from '../metadata.js'
import { unsupportedField } from '../shared/fields.js'
import { defineKind } from '../strategy.js'
import type { UpdateRules } from '../update-rules.js'
import { keepField } from '../update-rules.js'

/** The label that every namespace has, with its name as the value. */
const nameLabel = 'kubernetes.io/metadata.name'
const contentFinalizer = 'kubernetes'

/** Namespaces: held by `spec.finalizers` until somebody has emptied them. */
export const namespaceKind = defineKind(Namespace, {
  validateName: validateDns1123Label,
  default(namespace) {
    const { metadata } = namespace
    namespace.status = { ...namespace.status, phase: namespace.status?.phase || 'Active' }
    if (metadata.name) metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name }
  },
  prepareForCreate(namespace) {
    const { name } = namespace.metadata
    if (name) namespace.metadata.labels = { ...namespace.metadata.labels, [nameLabel]: name }
    const finalizers = namespace.spec?.finalizers ?? []
    namespace.spec = {
      ...namespace.spec,
      finalizers: finalizers.includes(contentFinalizer) ? finalizers : [...finalizers, contentFinalizer],
    }
  },
  prepareForUpdate(namespace, old) {
    // Only the finalize subresource takes them away.
    namespace.spec = { ...namespace.spec }
    if (old.spec?.finalizers === undefined) delete namespace.spec.finalizers
    else namespace.spec.finalizers = [...old.spec.finalizers]
  },
  validate: ({ spec }) => validateSpecFinalizers(spec?.finalizers),
  selectableFields: { 'status.phase': ({ status }) => status?.phase },
  unknownField: unsupportedField,
  status: {
    initial: () => ({ phase: 'Active' }),
    validateUpdate: ({ metadata, status }) => validatePhase(metadata.deletionTimestamp !== undefined, status?.phase),
  },
  deletion: {
    returnsObject: true,
    begin(namespace) {
      namespace.status = { ...namespace.status, phase: 'Terminating' }
    },
    isHeld: ({ spec }) => (spec?.finalizers ?? []).length > 0,
  },
})

/** The rules of the `finalize` subresource: takes the spec, so that the finalizers in it can go. */
export const finalizeRules: UpdateRules = {
  subresource: 'finalize',
  allowCreate: false,
  prepare: (draft, old) => keepField(draft, old, 'status'),
  validate(object) {
    return validateSpecFinalizers((object.spec as Namespace['spec'])?.finalizers, (path, index) => path.index(index))
  },
}

function validatePhase(isDeleted: boolean, phase: string | undefined): FieldError[] {
  const wanted = isDeleted ? 'Terminating' : 'Active'
  if (phase === wanted) return []
  const detail = `may only be '${wanted}' if \`deletionTimestamp\` is ${isDeleted ? 'not empty' : 'empty'}`
  return [fieldError.invalid(fieldPath('status', 'Phase'), phase ?? '', detail)]
}

/** Only the finalize subresource says which finalizer is wrong. */
function validateSpecFinalizers(
  finalizers: readonly string[] = [],
  placeOf: (path: FieldPath, index: number) => FieldPath = (path) => path,
): FieldError[] {
  return finalizers.flatMap((finalizer, index) => {
    const path = placeOf(fieldPath('spec', 'finalizers'), index)
    return [...validateFinalizers([finalizer], path), ...validateFinalizersQualified([finalizer], () => path)]
  })
}

import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, validateDns1035Label, validateDns1123Subdomain } from 'steersman/api'
import type { Condition } from 'steersman/api/types/meta/v1'
import type { StorageVersionMigrationSpec, StorageVersionMigrationStatus } from 'steersman/api/types/storagemigration/v1'
import { StorageVersionMigration } from 'steersman/api/types/storagemigration/v1'
import { immutableMessage } from '../metadata.js'
import { validateConditions } from '../shared/condition-validation.js'
import { isSameValue } from '../shared/same-value.js'
import { withStructValue } from '../shared/struct-value.js'
import { defineKind } from '../strategy.js'

const resourcePath = fieldPath('spec', 'resource')
const statusPath = fieldPath('status')

/** Requests to store objects anew in the current version. */
export const storageVersionMigrationKind = defineKind(StorageVersionMigration, {
  validateName: validateDns1123Subdomain,
  allowUnconditionalUpdate: false,
  validate: ({ spec }) => validateSpec(spec),
  validateUpdate: ({ spec }, { spec: old }) => [...validateSpec(spec), ...validateKept(spec, old)],
  status: {
    ignoresMetadata: true,
    validateUpdate: ({ status }, { status: old }) => validateStatus(status ?? {}, old ?? {}),
  },
})

function validateSpec(spec: StorageVersionMigrationSpec | undefined): FieldError[] {
  const { group, resource } = spec?.resource ?? {}
  const errors = resource
    ? joined(validateDns1035Label(resource), (detail) => fieldError.invalid(resourcePath.child('resource'), resource, detail))
    : [fieldError.required(resourcePath.child('resource'), 'resource is required to be set')]
  if (!group) return errors
  const refuse = (detail: string) => fieldError.invalid(resourcePath.child('group'), group, detail)
  return [...errors, ...joined(validateDns1123Subdomain(group), refuse)]
}

function joined(details: readonly string[], refuse: (detail: string) => FieldError): FieldError[] {
  return details.length === 0 ? [] : [refuse(details.join(','))]
}

function validateKept(spec: StorageVersionMigrationSpec | undefined, old: StorageVersionMigrationSpec | undefined): FieldError[] {
  if (isSameValue(spec, old)) return []
  const { group = '', resource = '' } = spec?.resource ?? {}
  return [withStructValue(fieldError.invalid('spec', undefined, immutableMessage), { Resource: { group, resource } })]
}

function validateStatus(status: StorageVersionMigrationStatus, old: StorageVersionMigrationStatus): FieldError[] {
  const { resourceVersion = '', conditions = [] } = status
  const versionPath = statusPath.child('resourceVersion')
  const errors: FieldError[] = []
  if (resourceVersion !== '' && !/^[1-9]\d*$/.test(resourceVersion)) {
    errors.push(fieldError.invalid(versionPath, resourceVersion, `resource version is not well formed: ${resourceVersion}`))
  }
  errors.push(...validateConditions(conditions, statusPath.child('conditions')))
  if (old.resourceVersion && old.resourceVersion !== resourceVersion) {
    errors.push(fieldError.invalid(versionPath, resourceVersion, immutableMessage))
  }
  const refuse = (detail: string) =>
    errors.push(withStructValue(fieldError.invalid(statusPath.child('conditions'), undefined, detail), conditions.map(inOrder)))
  if (isTrue(status, 'Succeeded') && isTrue(status, 'Failed')) {
    refuse('Both success and failed conditions cannot be true at the same time')
  }
  if (isTrue(old, 'Succeeded') && !isTrue(status, 'Succeeded')) refuse('Success condition cannot be set to false once it is true')
  if (isTrue(old, 'Failed') && !isTrue(status, 'Failed')) refuse('Failed condition cannot be set to false once it is true')
  return errors
}

function isTrue({ conditions = [] }: StorageVersionMigrationStatus, type: string): boolean {
  return conditions.find((condition) => condition.type === type)?.status === 'True'
}

/** The members in the order in which Go writes them. */
function inOrder({ type, status, observedGeneration, lastTransitionTime, reason, message }: Condition): object {
  const generation = observedGeneration ? { observedGeneration } : {}
  return { type, status, ...generation, lastTransitionTime, reason, message: message ?? '' }
}

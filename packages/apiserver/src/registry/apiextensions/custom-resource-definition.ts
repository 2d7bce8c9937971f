import type { Draft, FieldError } from 'steersman/api'
import { validateDns1123Subdomain } from 'steersman/api'
import { CustomResourceDefinition } from 'steersman/api/types/apiextensions/v1'
import { deepEqual } from 'steersman/internal'
import type { CustomResourceDefinitionObject } from '../../schema/index.js'
import { crdDefaults, validateCustomResourceDefinition } from '../../schema/index.js'
import type { ResourceKind } from '../strategy.js'
import { defineKind } from '../strategy.js'
import { withCondition } from './conditions.js'
import { decideNames } from './names.js'

/** Keeps a definition until its instances are gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

/**
 * CustomResourceDefinitions. The write that asks for it is answered with what it wrote; names are accepted and the API is established right
 * after it, before the answer is out: where the real server needs a controller and some seconds, here the next request is served.
 */
export function customResourceDefinitionKind(): ResourceKind {
  return defineKind(CustomResourceDefinition, {
    validateName: validateDns1123Subdomain,
    // The finalizer of the server itself has no domain of its own.
    allowBareFinalizers: true,
    allowUnconditionalUpdate: false,
    default: (definition) => crdDefaults(definition as CustomResourceDefinitionObject) as typeof definition,
    prepareForCreate(definition) {
      const status = { acceptedNames: { plural: '', kind: '' }, conditions: null, storedVersions: storageVersions(definition) }
      definition.status = status as unknown as NonNullable<typeof definition.status>
    },
    prepareForUpdate(definition, old) {
      const stored = new Set([...(old.status?.storedVersions ?? []), ...storageVersions(definition)])
      definition.status = { ...definition.status, storedVersions: [...stored] } as NonNullable<typeof definition.status>
    },
    validate: (definition) => validate(definition),
    validateUpdate: (definition, old) => validate(definition, old),
    changesGeneration: (definition, old) => !deepEqual(definition.spec, old.spec),
    status: {
      prepareForUpdate(definition) {
        if ((definition.status?.storedVersions ?? []).length > 0) return
        definition.status = { ...definition.status, storedVersions: storageVersions(definition) } as NonNullable<typeof definition.status>
      },
    },
    deletion: {
      ignoresPolicies: true,
      begin(definition, { now }) {
        const finalizers = definition.metadata.finalizers ?? []
        if (!finalizers.includes(cleanupFinalizer)) definition.metadata.finalizers = [...finalizers, cleanupFinalizer]
        definition.status ??= {} as NonNullable<typeof definition.status>
        const { status } = definition
        const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon'
        const condition = { type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending', message }
        status.conditions = withCondition(status.conditions ?? [], condition, now)
      },
      marksTimeOnly: true,
    },
  })
}

function validate(definition: CustomResourceDefinition, old?: CustomResourceDefinition): readonly FieldError[] {
  return validateCustomResourceDefinition(definition as CustomResourceDefinitionObject, old as CustomResourceDefinitionObject | undefined)
}

function storageVersions(definition: Draft<CustomResourceDefinition>): string[] {
  return (definition.spec?.versions ?? [])
    .filter(({ storage }) => storage)
    .map(({ name }) => name ?? '')
    .slice(0, 1)
}

/** Decides on the names and whether the API is served, as one step. */
export function establish(definition: Draft<CustomResourceDefinition>, others: readonly CustomResourceDefinition[], now: string): void {
  const verdict = decideNames(definition as CustomResourceDefinition, others)
  definition.status ??= {} as NonNullable<typeof definition.status>
  const { status } = definition
  const { conflict } = verdict
  let conditions = withCondition(
    status.conditions ?? [],
    {
      type: 'NamesAccepted',
      status: conflict === undefined ? 'True' : 'False',
      reason: conflict?.reason ?? 'NoConflicts',
      message: conflict?.message ?? 'no conflicts found',
    },
    now,
  )
  const established = conditions.some(({ type, status: value }) => type === 'Established' && value === 'True')
  if (conflict === undefined && !established) {
    const message = 'the initial names have been accepted'
    conditions = withCondition(conditions, { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message }, now)
  } else if (!established) {
    const message = 'not all names are accepted'
    conditions = withCondition(conditions, { type: 'Established', status: 'False', reason: 'NotAccepted', message }, now)
  }
  status.conditions = conditions as typeof status.conditions
  status.acceptedNames = verdict.acceptedNames as typeof status.acceptedNames
}

import type { Draft, FieldError } from 'steersman/api'
import { fieldError, fieldPath, validatePathSegmentName } from 'steersman/api'
import type { PodDisruptionBudgetSpec } from 'steersman/api/types/policy/v1'
import { PodDisruptionBudget } from 'steersman/api/types/policy/v1'
import { deepEqual } from 'steersman/internal'
import { validateChoice } from '../shared/choice.js'
import { validateConditions } from '../shared/condition-validation.js'
import { goForm } from '../shared/go-form.js'
import { validateIntOrPercent, validateShareOfAll } from '../shared/int-or-percent.js'
import { validateLabelSelector } from '../shared/label-selector.js'
import { isSameValue } from '../shared/same-value.js'
import { validateCounters } from '../shared/status-counters.js'
import { withStructValue } from '../shared/struct-value.js'
import { defineKind } from '../strategy.js'

const specPath = fieldPath('spec')
const statusPath = fieldPath('status')

/** PodDisruptionBudgets. */
export const podDisruptionBudgetKind = defineKind(PodDisruptionBudget, {
  validateName: validatePathSegmentName,
  checksMetadataLast: true,
  allowBareFinalizers: 'on an update',
  default(budget) {
    budget.spec ??= {}
  },
  prepareForCreate: ({ spec }) => stripInternalLabel(spec),
  prepareForUpdate({ spec }, old) {
    if (!deepEqual(spec?.selector, old.spec?.selector)) stripInternalLabel(spec)
  },
  allowUnconditionalUpdate: false,
  validate: ({ spec = {} }) => validateSpec(spec),
  changesGeneration: ({ spec }, old) => !deepEqual(spec, old.spec),
  status: {
    initial: () => ({}) as never,
    validateUpdate: ({ status }) => [
      ...validateConditions(status?.conditions, statusPath.child('conditions')),
      ...validateCounters(status ?? {}, ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'], statusPath),
    ],
  },
})

const internalLabel = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match'

/** An older version had a label of its own to select all or nothing. It never stands beside other conditions. */
function stripInternalLabel(spec: Draft<PodDisruptionBudgetSpec> | undefined): void {
  const { selector } = spec ?? {}
  if (selector?.matchExpressions === undefined) return
  const selectsNothing = { matchExpressions: [{ key: internalLabel, operator: 'Exists' }] }
  if (isSameValue(selector, selectsNothing)) return
  selector.matchExpressions = selector.matchExpressions.filter(({ key }) => key !== internalLabel)
  if (selector.matchExpressions.length === 0) delete selector.matchExpressions
}

function validateSpec(spec: PodDisruptionBudgetSpec): FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = spec
  const errors: FieldError[] = []
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    errors.push(
      withStructValue(fieldError.invalid(specPath, undefined, 'minAvailable and maxUnavailable cannot be both set'), {
        MinAvailable: minAvailable,
        Selector: selector === undefined ? null : goForm('LabelSelector', selector),
        MaxUnavailable: maxUnavailable,
        UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
      }),
    )
  }
  for (const [field, value] of Object.entries({ minAvailable, maxUnavailable })) {
    errors.push(...validateIntOrPercent(value, specPath.child(field)), ...validateShareOfAll(value, specPath.child(field)))
  }
  if (selector !== undefined) errors.push(...validateLabelSelector(selector, specPath.child('selector')))
  const path = specPath.child('unhealthyPodEvictionPolicy')
  return [...errors, ...validateChoice(unhealthyPodEvictionPolicy, ['AlwaysAllow', 'IfHealthyBudget'], path)]
}

import type { FieldError, LabelSelector } from 'steersman/api'
import { compileLabelSelector, fieldError, fieldPath, SelectorError, validatePathSegmentName } from 'steersman/api'
import type { AggregationRule } from 'steersman/api/types/rbac/v1'
import { ClusterRole } from 'steersman/api/types/rbac/v1'
import { validateLabelSelector } from '../shared/label-selector.js'
import { defineKind } from '../strategy.js'
import { requireVerbs, validateRules } from './policy-rule.js'

const rulesPath = fieldPath('rules')
const selectorsPath = fieldPath('aggregationRule', 'clusterRoleSelectors')

/** Roles of the whole cluster. Those with an aggregation rule get their rules from a controller. */
export const clusterRoleKind = defineKind(ClusterRole, {
  validateName: validatePathSegmentName,
  allowCreateOnUpdate: true,
  validate: ({ rules, aggregationRule }): FieldError[] => [
    ...validateRules(rules ?? [], rulesPath, false),
    ...(aggregationRule ? validateAggregation(aggregationRule) : []),
    ...requireVerbs(rules ?? [], rulesPath),
  ],
})

function validateAggregation({ clusterRoleSelectors = [] }: AggregationRule): FieldError[] {
  if (clusterRoleSelectors.length === 0) {
    return [fieldError.required(selectorsPath, 'at least one clusterRoleSelector required if aggregationRule is non-nil')]
  }
  return clusterRoleSelectors.flatMap((selector, index) => {
    const path = selectorsPath.index(index)
    const errors = validateLabelSelector(selector, path)
    return canBeRead(selector) ? errors : [...errors, fieldError.invalid(path, null, 'invalid label selector.')]
  })
}

function canBeRead(selector: LabelSelector): boolean {
  try {
    compileLabelSelector(selector)
    return true
  } catch (error) {
    if (error instanceof SelectorError) return false
    throw error
  }
}

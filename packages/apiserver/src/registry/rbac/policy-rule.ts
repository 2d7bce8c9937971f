import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import type { PolicyRule } from 'steersman/api/types/rbac/v1'

/** What is wrong with the rules of a role, in the order in which the real server finds it. */
export function validateRules(rules: readonly PolicyRule[], path: FieldPath, isNamespaced: boolean): FieldError[] {
  return rules.flatMap((rule, index) => validateRule(rule, path.index(index), isNamespaced))
}

function validateRule(rule: PolicyRule, path: FieldPath, isNamespaced: boolean): FieldError[] {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule
  const errors: FieldError[] = []
  if (nonResourceURLs.length > 0) {
    const at = path.child('nonResourceURLs')
    if (isNamespaced) errors.push(fieldError.invalid(at, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs'))
    if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0) {
      errors.push(fieldError.invalid(at, nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs'))
    }
    return errors
  }
  if (apiGroups.length === 0) {
    errors.push(fieldError.required(path.child('apiGroups'), 'resource rules must supply at least one api group'))
  }
  if (resources.length === 0) {
    errors.push(fieldError.required(path.child('resources'), 'resource rules must supply at least one resource'))
  }
  return errors
}

/** The rules without a verb. They are told after everything else. */
export function requireVerbs(rules: readonly PolicyRule[], path: FieldPath): FieldError[] {
  return rules.flatMap(({ verbs }, index) => ((verbs ?? []).length === 0 ? [fieldError.required(path.index(index).child('verbs'))] : []))
}

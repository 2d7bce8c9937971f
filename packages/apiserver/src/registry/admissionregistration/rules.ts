import type { Draft, FieldError, FieldPath } from 'steersman/api'
import { fieldError, validatePathSegmentName } from 'steersman/api'
import type { MatchResources, NamedRuleWithOperations, RuleWithOperations } from 'steersman/api/types/admissionregistration/v1'
import { validateChoice } from '../shared/choice.js'
import { validateLabelSelector } from '../shared/label-selector.js'

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
const mutableOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE']
export const matchPolicies = ['Equivalent', 'Exact']

/** Fills in the scope of rules. */
export function defaultRules(rules: Draft<readonly RuleWithOperations[]> | undefined): void {
  for (const rule of rules ?? []) rule.scope ??= '*'
}

/** Fills in which requests are meant. */
export function defaultMatchResources(match: Draft<MatchResources> | undefined): void {
  if (match === undefined) return
  match.matchPolicy ??= 'Equivalent'
  match.namespaceSelector ??= {}
  match.objectSelector ??= {}
  defaultRules(match.resourceRules)
  defaultRules(match.excludeResourceRules)
}

/** What is wrong with a rule about requests. */
export function validateRule(rule: RuleWithOperations, path: FieldPath): FieldError[] {
  const { apiGroups = [], apiVersions = [] } = rule
  return [
    ...requireAny(rule.operations, path.child('operations'), 'operations'),
    ...(rule.operations ?? []).flatMap((operation, index) => validateChoice(operation, operations, path.child('operations').index(index))),
    ...requireAny(apiGroups, path.child('apiGroups'), 'API groups'),
    ...requireAny(apiVersions, path.child('apiVersions'), 'API versions'),
    ...apiVersions.flatMap((version, index) => (version === '' ? [fieldError.required(path.child('apiVersions').index(index))] : [])),
    ...validateResources(rule.resources ?? [], path.child('resources')),
    ...validateChoice(rule.scope, ['*', 'Cluster', 'Namespaced'], path.child('scope')),
  ]
}

function requireAny(list: readonly string[] | undefined, path: FieldPath, noun: string): FieldError[] {
  if (list === undefined || list.length === 0) return [fieldError.required(path)]
  if (list.length === 1 || !list.includes('*')) return []
  return [fieldError.invalid(path, list, `if '*' is present, must not specify other ${noun}`)]
}

function validateResources(resources: readonly string[], path: FieldPath): FieldError[] {
  const errors = resources.length === 0 ? [fieldError.required(path)] : []
  const seen: string[] = []
  resources.forEach((name, index) => {
    if (name === '') errors.push(fieldError.required(path.index(index)))
    const slash = name.indexOf('/')
    if (slash < 0) return
    for (const pattern of [`${name.slice(0, slash)}/*`, `*/${name.slice(slash + 1)}`]) {
      if (!seen.includes(pattern)) continue
      errors.push(fieldError.invalid(path.index(index), name, `if '${pattern}' is present, must not specify ${name}`))
    }
    seen.push(name)
  })
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(fieldError.invalid(path, resources, "if '*/*' is present, must not specify other resources"))
  }
  // Only the last name without a subresource counts.
  const last = resources.findLast((name) => name !== '' && !name.includes('/'))
  if (resources.includes('*') && last !== undefined && last !== '*') {
    errors.push(fieldError.invalid(path, resources, "if '*' is present, must not specify other resources without subresources"))
  }
  return errors
}

/** What is wrong with the requests that a policy is about. */
export function validateMatchResources(match: MatchResources | undefined, path: FieldPath): FieldError[] {
  if (match === undefined) return []
  const rules = (list: readonly NamedRuleWithOperations[] | undefined, at: FieldPath) =>
    (list ?? []).flatMap((rule, index) => [...validateResourceNames(rule, at.index(index)), ...validateRule(rule, at.index(index))])
  return [
    ...validateChoice(match.matchPolicy, matchPolicies, path.child('matchPolicy')),
    ...validateLabelSelector(match.namespaceSelector ?? {}, path.child('namespaceSelector')),
    ...validateLabelSelector(match.objectSelector ?? {}, path.child('objectSelector')),
    ...rules(match.resourceRules, path.child('resourceRules')),
    ...rules(match.excludeResourceRules, path.child('excludeResourceRules')),
  ]
}

function validateResourceNames({ resourceNames = [] }: NamedRuleWithOperations, path: FieldPath): FieldError[] {
  const at = path.child('resourceNames')
  return resourceNames.flatMap((name, index) => [
    ...validatePathSegmentName(name).map((detail) => fieldError.invalid(at.index(index), name, detail)),
    ...(resourceNames.indexOf(name) < index ? [fieldError.duplicate(at.index(index), name)] : []),
  ])
}

/** What a policy cannot change: requests that bring no object. */
export function validateMutableOperations(match: MatchResources | undefined, path: FieldPath): FieldError[] {
  return (match?.resourceRules ?? []).flatMap((rule) =>
    (rule.operations ?? []).flatMap((operation) => validateChoice(operation, mutableOperations, path.child('resourceRules', 'operations'))),
  )
}

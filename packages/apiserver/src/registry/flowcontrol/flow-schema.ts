import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Label, validateDns1123Subdomain } from 'steersman/api'
import type {
  FlowSchemaCondition,
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  PriorityLevelConfigurationCondition,
  ResourcePolicyRule,
  Subject,
} from 'steersman/api/types/flowcontrol/v1'
import { FlowSchema } from 'steersman/api/types/flowcontrol/v1'
import { deepEqual } from 'steersman/internal'
import { goForm } from '../shared/go-form.js'
import { withStructValue } from '../shared/struct-value.js'
import { defineKind } from '../strategy.js'
import { mandatoryFlowSchemaSpecs } from './mandatory.js'

const specPath = fieldPath('spec')
const maxMatchingPrecedence = 10_000
const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch']

/** Which requests belong to which priority level. They are kept, and nothing is limited. */
export const flowSchemaKind = defineKind(FlowSchema, {
  validateName: validateDns1123Subdomain,
  default(schema) {
    schema.spec ??= {} as typeof schema.spec
    schema.spec.priorityLevelConfiguration ??= { name: '' }
    schema.spec.matchingPrecedence ||= 1000
  },
  validate: ({ metadata, spec }) => [...validateSpec(spec, metadata.name), ...validateMandatory(spec, metadata.name)],
  changesGeneration: (schema, old) => !deepEqual(schema.spec, old.spec),
  status: {
    initial: () => ({}),
    ignoresMetadata: true,
    validateUpdate: ({ status }) => validateFlowConditions(status?.conditions),
  },
})

/** What is wrong with the conditions of an object of flow control. */
export function validateFlowConditions(
  conditions: readonly Partial<FlowSchemaCondition | PriorityLevelConfigurationCondition>[] | undefined,
): FieldError[] {
  const seen = new Set<string>()
  return (conditions ?? []).flatMap(({ type = '' }, index) => {
    const path = fieldPath('status', 'conditions').index(index).child('type')
    const errors = seen.has(type) ? [fieldError.duplicate(path, type)] : []
    seen.add(type)
    return type === '' ? [...errors, fieldError.required(path)] : errors
  })
}

function validateSpec(spec: FlowSchemaSpec, schemaName: string): FieldError[] {
  const { matchingPrecedence = 0, distinguisherMethod, rules = [] } = spec
  const path = specPath.child('matchingPrecedence')
  const errors: FieldError[] = []
  const refuse = (detail: string) => errors.push(fieldError.invalid(path, matchingPrecedence, detail))
  if (matchingPrecedence <= 0) refuse('must be a positive value')
  if (matchingPrecedence > maxMatchingPrecedence) refuse(`must not be greater than ${maxMatchingPrecedence}`)
  if (matchingPrecedence === 1 && schemaName !== 'exempt') refuse("only the schema named 'exempt' may have matchingPrecedence 1")
  if (distinguisherMethod !== undefined && !['ByNamespace', 'ByUser'].includes(distinguisherMethod.type)) {
    const at = specPath.child('distinguisherMethod', 'type')
    const error = fieldError.notSupported(at, undefined, ['ByNamespace', 'ByUser'])
    errors.push(withStructValue(error, { Type: distinguisherMethod.type ?? '' }))
  }
  return [
    ...errors,
    ...validateLevelName(spec.priorityLevelConfiguration?.name ?? ''),
    ...rules.flatMap((rule, index) => validatePolicyRules(rule, specPath.child('rules').index(index))),
  ]
}

function validateLevelName(name: string): FieldError[] {
  const path = specPath.child('priorityLevelConfiguration', 'name')
  if (name === '') return [fieldError.required(path, 'must reference a priority level')]
  return validateDns1123Subdomain(name).map((detail) => fieldError.invalid(path, name, detail))
}

function validateMandatory(spec: FlowSchemaSpec, name: string): FieldError[] {
  const mandatory = mandatoryFlowSchemaSpecs.get(name)
  if (mandatory === undefined || deepEqual(spec, mandatory)) return []
  return [
    withStructValue(
      fieldError.invalid(specPath, undefined, `spec of '${name}' must equal the fixed value`),
      goForm('FlowSchemaSpec', spec),
    ),
  ]
}

function validatePolicyRules(rules: Partial<PolicyRulesWithSubjects>, path: FieldPath): FieldError[] {
  const { resourceRules = [], nonResourceRules = [] } = rules
  const subjects = rules.subjects ?? []
  const isEmpty = resourceRules.length === 0 && nonResourceRules.length === 0
  return [
    ...(subjects.length === 0 ? [fieldError.required(path.child('subjects'), 'subjects must contain at least one value')] : []),
    ...subjects.flatMap((subject, index) => validateSubject(subject, path.child('subjects').index(index))),
    ...(isEmpty ? [fieldError.required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')] : []),
    ...resourceRules.flatMap((rule, index) => validateResourceRule(rule, path.child('resourceRules').index(index))),
    ...nonResourceRules.flatMap((rule, index) => validateNonResourceRule(rule, path.child('nonResourceRules').index(index))),
  ]
}

/** Members of a subject, and the kind of subject each belongs to, in the order in which superfluous ones are refused. */
const subjectMembers = [
  ['serviceAccount', 'ServiceAccount'],
  ['user', 'User'],
  ['group', 'Group'],
] as const

function validateSubject(subject: Subject, path: FieldPath): FieldError[] {
  const own = subjectMembers.find(([, kind]) => kind === subject.kind)
  if (own === undefined) {
    return [fieldError.notSupported(path.child('kind'), subject.kind ?? '', ['Group', 'ServiceAccount', 'User'])]
  }
  const [member, kind] = own
  const errors: FieldError[] = []
  const value = subject[member]
  if (value === undefined) errors.push(fieldError.required(path.child(member), `${member} is required when subject kind is '${kind}'`))
  else errors.push(...validateSubjectNames(value, member === 'serviceAccount', path.child(member)))
  for (const [other, otherKind] of subjectMembers) {
    if (other === member || subject[other] === undefined) continue
    errors.push(fieldError.forbidden(path.child(other), `${other} is forbidden when subject kind is not '${otherKind}'`))
  }
  return errors
}

function validateSubjectNames(value: { readonly name?: string; readonly namespace?: string }, isAccount: boolean, path: FieldPath) {
  const { name = '', namespace = '' } = value
  const errors: FieldError[] = name === '' ? [fieldError.required(path.child('name'))] : []
  if (!isAccount) return errors
  if (name !== '' && name !== '*') {
    errors.push(...validateDns1123Subdomain(name).map((detail) => fieldError.invalid(path.child('name'), name, detail)))
  }
  const at = path.child('namespace')
  if (namespace === '') errors.push(fieldError.required(at, 'must specify namespace for service account'))
  else errors.push(...validateDns1123Label(namespace).map((detail) => fieldError.invalid(at, namespace, detail)))
  return errors
}

function validateResourceRule(rule: Partial<ResourcePolicyRule>, path: FieldPath): FieldError[] {
  const { clusterScope = false } = rule
  const namespaces = rule.namespaces ?? []
  const at = path.child('namespaces')
  const errors = [
    ...validateVerbs(rule.verbs, path.child('verbs')),
    ...requireAny(rule.apiGroups, path.child('apiGroups'), 'resource rules must supply at least one api group', 'api groups'),
    ...requireAny(rule.resources, path.child('resources'), 'resource rules must supply at least one resource', 'resources'),
  ]
  if (namespaces.length === 0 && !clusterScope) {
    return [...errors, fieldError.required(at, 'resource rules that are not cluster scoped must supply at least one namespace')]
  }
  if (namespaces.includes('*')) return [...errors, ...refuseOthers(namespaces, at, 'namespaces')]
  const intro = "each member of this list must be '*' or a DNS-1123 label; "
  const wrong = namespaces.flatMap((namespace, index) =>
    validateDns1123Label(namespace).map((detail) => fieldError.invalid(at.index(index), namespace, intro + detail)),
  )
  return [...errors, ...wrong]
}

function validateNonResourceRule(rule: Partial<NonResourcePolicyRule>, path: FieldPath): FieldError[] {
  const at = path.child('nonResourceURLs')
  const urls = rule.nonResourceURLs ?? []
  const errors = validateVerbs(rule.verbs, path.child('verbs'))
  if (urls.length === 0) return [...errors, fieldError.required(at, 'nonResourceURLs must contain at least one value')]
  if (urls.includes('*')) return [...errors, ...refuseOthers(urls, at, 'non-resource URLs')]
  return [...errors, ...urls.flatMap((url, index) => validateUrlPath(url, at.index(index)))]
}

function validateVerbs(list: readonly string[] | undefined, path: FieldPath): FieldError[] {
  if (!list || list.length === 0) return [fieldError.required(path, 'verbs must contain at least one value')]
  if (list.includes('*')) return refuseOthers(list, path, 'verbs')
  return list.every((verb) => verbs.includes(verb)) ? [] : [fieldError.notSupported(path, list, verbs)]
}

function requireAny(list: readonly string[] | undefined, path: FieldPath, missing: string, noun: string): FieldError[] {
  if (!list || list.length === 0) return [fieldError.required(path, missing)]
  return list.includes('*') ? refuseOthers(list, path, noun) : []
}

function refuseOthers(list: readonly string[], path: FieldPath, noun: string): FieldError[] {
  return list.length === 1 ? [] : [fieldError.invalid(path, list, `if '*' is present, must not specify other ${noun}`)]
}

function validateUrlPath(url: string, path: FieldPath): FieldError[] {
  const refuse = (detail: string) => [fieldError.invalid(path, url, detail)]
  if (url === '') return refuse('must not be empty')
  if (!url.startsWith('/')) return refuse('must start with slash')
  if (url.includes(' ')) return refuse('must not contain white-space')
  if (url.includes('//')) return refuse('must not contain double slash')
  const wildcards = url.split('*').length - 1
  return wildcards > 1 || (wildcards === 1 && !url.endsWith('/*')) ? refuse('wildcard can only do suffix matching') : []
}

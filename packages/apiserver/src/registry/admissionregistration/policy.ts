import type { Draft, FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, utf8Length, validateDns1035Label, validateDns1123Subdomain, validateQualifiedName } from 'steersman/api'
import type {
  AuditAnnotation,
  MutatingAdmissionPolicySpec,
  Mutation,
  ParamKind,
  TypeChecking,
  ValidatingAdmissionPolicySpec,
  Validation,
  Variable,
} from 'steersman/api/types/admissionregistration/v1'
import { MutatingAdmissionPolicy, ValidatingAdmissionPolicy } from 'steersman/api/types/admissionregistration/v1'
import { deepEqual } from 'steersman/internal'
import { validateChoice, validateRequiredChoice } from '../shared/choice.js'
import { validateConditions } from '../shared/condition-validation.js'
import { defineKind } from '../strategy.js'
import { validateMatchConditions } from './match-conditions.js'
import { validateReservedName } from './reserved-name.js'
import { defaultMatchResources, validateMatchResources, validateMutableOperations } from './rules.js'

type PolicySpec = ValidatingAdmissionPolicySpec & MutatingAdmissionPolicySpec

const specPath = fieldPath('spec')
const statusPath = fieldPath('status')
const maxAuditAnnotations = 20
const maxAnnotationExpressionBytes = 5 * 1024

/** Policies that validate. Their expressions are not compiled. */
export const validatingAdmissionPolicyKind = defineKind(ValidatingAdmissionPolicy, {
  validateName: validateDns1123Subdomain,
  allowBareFinalizers: true,
  default(policy) {
    policy.spec ??= {}
    defaultPolicy(policy.spec)
  },
  validate: (policy) => [...validateValidatingPolicy(policy), ...validateReservedName(policy.metadata.name)],
  validateUpdate: validateValidatingPolicy,
  changesGeneration: (policy, old) => !deepEqual(policy.spec, old.spec),
  allowUnconditionalUpdate: false,
  status: {
    initial: () => ({}),
    ignoresMetadata: true,
    validateUpdate: ({ status }) => [
      ...validateTypeChecking(status?.typeChecking),
      ...validateConditions(status?.conditions, statusPath.child('conditions')),
    ],
  },
})

/** Policies that change objects. Their expressions are not compiled. */
export const mutatingAdmissionPolicyKind = defineKind(MutatingAdmissionPolicy, {
  validateName: validateDns1123Subdomain,
  allowBareFinalizers: true,
  default(policy) {
    policy.spec ??= {}
    defaultPolicy(policy.spec)
  },
  validate: (policy) => [...validateMutatingPolicy(policy), ...validateReservedName(policy.metadata.name)],
  validateUpdate: validateMutatingPolicy,
  changesGeneration: (policy, old) => !deepEqual(policy.spec, old.spec),
  allowUnconditionalUpdate: false,
})

function defaultPolicy(spec: Draft<ValidatingAdmissionPolicySpec | MutatingAdmissionPolicySpec>): void {
  spec.failurePolicy ??= 'Fail'
  defaultMatchResources(spec.matchConstraints)
}

function validateValidatingPolicy({ metadata, spec = {} }: ValidatingAdmissionPolicy): FieldError[] {
  const { validations = [], auditAnnotations = [] } = spec
  const errors = [...validateMatching(spec), ...validateVariables(spec.variables)]
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item'
    errors.push(fieldError.required(specPath.child('validations'), detail))
    errors.push(fieldError.required(specPath.child('auditAnnotations'), detail))
  }
  return [
    ...errors,
    ...validations.flatMap((validation, index) => validateValidation(validation, specPath.child('validations').index(index))),
    ...validateAuditAnnotations(auditAnnotations, metadata.name),
  ]
}

function validateMutatingPolicy({ spec = {} }: MutatingAdmissionPolicy): FieldError[] {
  const { mutations = [] } = spec
  const path = specPath.child('mutations')
  return [
    ...validateMatching(spec, validateMutableOperations(spec.matchConstraints, specPath.child('matchConstraints'))),
    ...validateVariables(spec.variables),
    ...(mutations.length === 0 ? [fieldError.required(path, 'mutations must contain at least one item')] : []),
    ...mutations.flatMap((mutation, index) => validateMutation(mutation, path.index(index))),
    ...validateRequiredChoice(spec.reinvocationPolicy, ['IfNeeded', 'Never'], specPath.child('reinvocationPolicy')),
  ]
}

/** Which requests a policy is about, and what happens when it cannot decide. `more`: what else is wrong with the requests. */
function validateMatching(spec: PolicySpec, more: readonly FieldError[] = []): FieldError[] {
  const path = specPath.child('matchConstraints')
  const match = spec.matchConstraints
  return [
    ...validateChoice(spec.failurePolicy, ['Fail', 'Ignore'], specPath.child('failurePolicy')),
    ...(spec.paramKind === undefined ? [] : validateParamKind(spec.paramKind, specPath.child('paramKind'))),
    ...(match === undefined ? [fieldError.required(path)] : validateMatchResources(match, path)),
    ...(match !== undefined && (match.resourceRules ?? []).length === 0 ? [fieldError.required(path.child('resourceRules'))] : []),
    ...more,
    ...validateMatchConditions(spec.matchConditions, specPath.child('matchConditions')),
  ]
}

function validateParamKind({ apiVersion = '', kind = '' }: ParamKind, path: FieldPath): FieldError[] {
  const errors =
    apiVersion === '' ? [fieldError.required(path.child('apiVersion'))] : validateApiVersion(apiVersion, path.child('apiVersion'))
  const problems = validateDns1035Label(kind.toLowerCase())
  if (kind === '') errors.push(fieldError.required(path.child('kind')))
  else if (problems.length > 0) {
    const detail = `may have mixed case, but should otherwise match: ${problems.join(',')}`
    errors.push(fieldError.invalid(path.child('kind'), kind, detail))
  }
  return errors
}

function validateApiVersion(apiVersion: string, path: FieldPath): FieldError[] {
  const parts = apiVersion === '/' ? ['', ''] : apiVersion.split('/')
  if (parts.length > 2) return [fieldError.invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
  const [version = '', group = ''] = parts.reverse()
  const errors: FieldError[] = []
  const groupProblems = group === '' ? [] : validateDns1123Subdomain(group)
  if (groupProblems.length > 0) errors.push(fieldError.invalid(path, group, groupProblems.join(',')))
  const versionProblems = validateDns1035Label(version)
  if (version === '') errors.push(fieldError.invalid(path, apiVersion, 'version must be specified'))
  else if (versionProblems.length > 0) errors.push(fieldError.invalid(path, version, versionProblems.join(',')))
  return errors
}

const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/
const reservedWords = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
)

function validateVariables(variables: readonly Variable[] = []): FieldError[] {
  return variables.flatMap(({ name = '', expression = '' }, index) => {
    const path = specPath.child('variables').index(index)
    const errors: FieldError[] = []
    if (name.trim() === '') errors.push(fieldError.required(path.child('name'), 'name is not specified'))
    else if (!identifier.test(name) || reservedWords.has(name)) {
      errors.push(fieldError.invalid(path.child('name'), name, 'must be a valid CEL identifier'))
    }
    if (expression.trim() === '') errors.push(fieldError.required(path.child('expression'), 'expression is not specified'))
    return errors
  })
}

function validateValidation({ expression = '', message = '', messageExpression = '', reason }: Validation, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  if (expression.trim() === '') errors.push(fieldError.required(path.child('expression'), 'expression is not specified'))
  const mustSaySomething = 'must be non-empty if specified'
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.push(fieldError.invalid(path.child('messageExpression'), messageExpression, mustSaySomething))
  }
  if (message !== '' && message.trim() === '') errors.push(fieldError.invalid(path.child('message'), message, mustSaySomething))
  else if (/[\n\r]/.test(message.trim())) errors.push(fieldError.invalid(path.child('message'), message, 'must not contain line breaks'))
  return [...errors, ...validateChoice(reason, ['Forbidden', 'Invalid', 'RequestEntityTooLarge'], path.child('reason'))]
}

function validateAuditAnnotations(annotations: readonly AuditAnnotation[], policyName: string | undefined): FieldError[] {
  const path = specPath.child('auditAnnotations')
  const errors: FieldError[] = []
  if (annotations.length > maxAuditAnnotations) {
    errors.push(fieldError.invalid(path, annotations, `must not have more than ${maxAuditAnnotations} auditAnnotations`))
  }
  const seen = new Set<string>()
  annotations.forEach(({ key = '', valueExpression = '' }, index) => {
    const at = path.index(index)
    const name = `${policyName}/${key}`
    if (policyName) errors.push(...validateQualifiedName(name).map((detail) => fieldError.invalid(at.child('key'), name, detail)))
    else errors.push(fieldError.invalid(at.child('key'), key, 'requires metadata.name be non-empty'))
    const expression = valueExpression.trim()
    if (expression === '') errors.push(fieldError.required(at.child('valueExpression'), 'valueExpression is not specified'))
    else if (utf8Length(expression) > maxAnnotationExpressionBytes) {
      const detail = `must not exceed ${maxAnnotationExpressionBytes} bytes in length`
      errors.push(fieldError.required(at.child('valueExpression'), detail))
    }
    if (seen.has(key)) errors.push(fieldError.duplicate(at.child('key'), key))
    seen.add(key)
  })
  return errors
}

function validateMutation({ patchType = '', jsonPatch, applyConfiguration }: Partial<Mutation>, path: FieldPath): FieldError[] {
  const members = { jsonPatch, applyConfiguration }
  if (patchType !== 'JSONPatch' && patchType !== 'ApplyConfiguration') {
    return validateRequiredChoice(patchType, ['ApplyConfiguration', 'JSONPatch'], path.child('patchType'))
  }
  const [wanted, other] =
    patchType === 'JSONPatch' ? (['jsonPatch', 'applyConfiguration'] as const) : (['applyConfiguration', 'jsonPatch'] as const)
  const expression = members[wanted]?.expression?.trim()
  const errors: FieldError[] = []
  if (members[wanted] === undefined) {
    errors.push(fieldError.required(path.child(wanted), `must be specified when patchType is ${patchType}`))
  } else if (!expression) errors.push(fieldError.required(path.child(wanted, 'expression')))
  if (members[other] !== undefined) {
    errors.push(fieldError.invalid(path.child(other), `{${other}}`, `must not be specified when patchType is ${patchType}`))
  }
  return errors
}

function validateTypeChecking(checking: TypeChecking | undefined): FieldError[] {
  return (checking?.expressionWarnings ?? []).flatMap(({ warning, fieldRef }, index) => {
    const path = statusPath.child('typeChecking', 'expressionWarnings').index(index)
    return [
      ...(warning ? [] : [fieldError.required(path.child('warning'))]),
      ...(fieldRef?.trim() ? [] : [fieldError.required(path.child('fieldRef'))]),
    ]
  })
}

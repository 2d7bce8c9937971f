import type { Draft, FieldError, FieldPath, UnstructuredObject } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain, validatePathSegmentName } from 'steersman/api'
import type { MutatingAdmissionPolicyBindingSpec, ParamRef } from 'steersman/api/types/admissionregistration/v1'
import { MutatingAdmissionPolicyBinding, ValidatingAdmissionPolicyBinding } from 'steersman/api/types/admissionregistration/v1'
import { deepEqual } from 'steersman/internal'
import { validateChoice } from '../shared/choice.js'
import { validateLabelSelector } from '../shared/label-selector.js'
import { defineKind } from '../strategy.js'
import { validateReservedName } from './reserved-name.js'
import { defaultMatchResources, validateMatchResources, validateMutableOperations } from './rules.js'

type Binding = ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding

const specPath = fieldPath('spec')
const actions = ['Audit', 'Deny', 'Warn']

const shared = {
  validateName: validateDns1123Subdomain,
  allowBareFinalizers: true,
  default(binding: Draft<Binding>): undefined {
    defaultMatchResources(binding.spec?.matchResources)
  },
  changesGeneration: (binding: Binding, old: Binding) => !deepEqual(binding.spec, old.spec),
  allowUnconditionalUpdate: false,
}

/** Bindings of policies that validate. */
export const validatingAdmissionPolicyBindingKind = defineKind<ValidatingAdmissionPolicyBinding>(ValidatingAdmissionPolicyBinding, {
  ...shared,
  validate: (binding) => {
    // What is declared with the type is checked after everything else.
    const reserved = validateReservedName(binding.metadata.name)
    return [...validateValidatingBinding(binding), ...reserved, ...validateDeclared(binding)]
  },
  validateUpdate: (binding) => [...validateValidatingBinding(binding), ...validateDeclared(binding)],
})

/** Bindings of policies that change objects. */
export const mutatingAdmissionPolicyBindingKind = defineKind<MutatingAdmissionPolicyBinding>(MutatingAdmissionPolicyBinding, {
  ...shared,
  validate: (binding) => [...validateMutatingBinding(binding), ...validateReservedName(binding.metadata.name)],
  validateUpdate: validateMutatingBinding,
})

/** Fills in what v1alpha1 fills in: the action for parameters that are not there, too. */
export function defaultAlphaBinding(object: Draft<UnstructuredObject>): undefined {
  const binding = object as unknown as Draft<MutatingAdmissionPolicyBinding>
  if (binding.spec?.paramRef !== undefined) binding.spec.paramRef.parameterNotFoundAction ??= 'Deny'
  return shared.default(binding)
}

function validateValidatingBinding({ spec }: ValidatingAdmissionPolicyBinding): FieldError[] {
  return [
    ...(spec?.policyName ? validateSpec(spec) : validateSpec({ ...spec, policyName: 'declared' })),
    ...validateActions(spec?.validationActions ?? []),
  ]
}

function validateDeclared({ spec }: ValidatingAdmissionPolicyBinding): FieldError[] {
  const errors = spec?.policyName ? [] : [fieldError.required(specPath.child('policyName'))]
  if ((spec?.validationActions ?? []).length === 0) errors.push(fieldError.required(specPath.child('validationActions')))
  return errors
}

function validateMutatingBinding({ spec = {} }: MutatingAdmissionPolicyBinding): FieldError[] {
  return [...validateSpec(spec), ...validateMutableOperations(spec.matchResources, specPath.child('matchResources'))]
}

function validateSpec({ policyName = '', paramRef, matchResources }: MutatingAdmissionPolicyBindingSpec): FieldError[] {
  const path = specPath.child('policyName')
  return [
    ...(policyName === '' ? [fieldError.required(path)] : []),
    ...(policyName === '' ? [] : validateDns1123Subdomain(policyName).map((detail) => fieldError.invalid(path, policyName, detail))),
    ...(paramRef === undefined ? [] : validateParamRef(paramRef, specPath.child('paramRef'))),
    ...validateMatchResources(matchResources, specPath.child('matchResources')),
  ]
}

function validateParamRef({ name = '', selector, parameterNotFoundAction: action }: ParamRef, path: FieldPath): FieldError[] {
  const exclusive = 'name and selector are mutually exclusive'
  const isBoth = name !== '' && selector !== undefined
  return [
    ...validatePathSegmentName(name).map((detail) => fieldError.invalid(path.child('name'), name, detail)),
    ...(isBoth ? [fieldError.forbidden(path.child('name'), exclusive)] : []),
    ...validateLabelSelector(selector ?? {}, path.child('selector')),
    ...(isBoth ? [fieldError.forbidden(path.child('selector'), exclusive)] : []),
    ...(name === '' && selector === undefined ? [fieldError.required(path, 'one of name or selector must be specified')] : []),
    ...(action
      ? validateChoice(action, ['Deny', 'Allow'], path.child('parameterNotFoundAction'))
      : [fieldError.required(path.child('parameterNotFoundAction'))]),
  ]
}

function validateActions(list: readonly string[]): FieldError[] {
  const path = specPath.child('validationActions')
  const errors = list.flatMap((action, index) => [
    ...validateChoice(action, actions, path.index(index)),
    ...(list.indexOf(action) < index ? [fieldError.duplicate(path.index(index), action)] : []),
  ])
  if (!list.includes('Deny') || !list.includes('Warn')) return errors
  const detail =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)'
  return [...errors, fieldError.invalid(path, list, detail)]
}

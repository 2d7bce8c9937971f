import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, utf8Length, validateDns1123Label, validateDns1123Subdomain } from 'steersman/api'
import type { IngressClassParametersReference, IngressClassSpec } from 'steersman/api/types/networking/v1'
import { IngressClass } from 'steersman/api/types/networking/v1'
import { deepEqual } from 'steersman/internal'
import { validateImmutable } from '../metadata.js'
import { validateDomainPrefixedPath } from '../shared/domain-prefixed-path.js'
import { subdomainErrors } from '../shared/name-errors.js'
import { defineKind } from '../strategy.js'
import { segmentErrors } from './ingress-backend.js'

const maxControllerBytes = 250
const controllerPath = fieldPath('spec', 'controller')
const parametersPath = fieldPath('spec', 'parameters')
const scopes = ['Cluster', 'Namespace']

/** Ingress classes. */
export const ingressClassKind = defineKind(IngressClass, {
  validateName: validateDns1123Subdomain,
  default({ spec }) {
    if (spec?.parameters !== undefined) spec.parameters.scope ??= 'Cluster'
  },
  validate: ({ spec }) => validateSpec(spec ?? {}),
  validateUpdate: ({ spec = {} }, { spec: old = {} }) => [
    ...validateImmutable(spec.controller ?? '', old.controller, controllerPath),
    ...validateSpec(spec),
  ],
  changesGeneration: (ingressClass, old) => !deepEqual(ingressClass.spec, old.spec),
})

function validateSpec({ controller = '', parameters }: IngressClassSpec): FieldError[] {
  const errors = utf8Length(controller) > maxControllerBytes ? [fieldError.tooLong(controllerPath, maxControllerBytes)] : []
  errors.push(...validateDomainPrefixedPath(controller, controllerPath))
  if (parameters !== undefined) errors.push(...validateParameters(parameters))
  return errors
}

/** What is required is declared, and upstream finds what is declared after all else. */
function validateParameters(parameters: IngressClassParametersReference): FieldError[] {
  const { apiGroup, kind, name } = parameters
  const errors = apiGroup === undefined ? [] : subdomainErrors(apiGroup, parametersPath.child('apiGroup'))
  if (kind) errors.push(...segmentErrors(kind, parametersPath.child('kind')))
  if (name) errors.push(...segmentErrors(name, parametersPath.child('name')))
  errors.push(...validateScope(parameters))
  if (!kind) errors.push(fieldError.required(parametersPath.child('kind')))
  if (!name) errors.push(fieldError.required(parametersPath.child('name')))
  return errors
}

function validateScope({ scope: given, namespace }: IngressClassParametersReference): FieldError[] {
  const scope = given ?? ''
  const path = parametersPath.child('namespace')
  if (!scopes.includes(scope)) return [fieldError.notSupported(parametersPath.child('scope'), scope, scopes)]
  if (scope === 'Cluster') return namespace === undefined ? [] : [fieldError.forbidden(path, "`parameters.scope` is set to 'Cluster'")]
  if (namespace === undefined) return [fieldError.required(path, "`parameters.scope` is set to 'Namespace'")]
  return validateDns1123Label(namespace).map((detail) => fieldError.invalid(path, namespace, detail))
}

import type { FieldError } from 'steersman/api'
import {
  fieldError,
  fieldPath,
  goQuote,
  validateDns1035Label,
  validateDns1123Subdomain,
  validatePathSegmentName,
  validatePortNumber,
} from 'steersman/api'
import type { APIServiceCondition, APIServiceSpec } from 'steersman/api/types/apiregistration/v1'
import { APIService } from 'steersman/api/types/apiregistration/v1'
import { validateChoice } from '../shared/choice.js'
import { defineKind } from '../strategy.js'

const specPath = fieldPath('spec')

/** Group versions of the API and who serves them. Requests are not passed on to services. */
export const apiServiceKind = defineKind(APIService, {
  validateName: validatePathSegmentName,
  allowBareFinalizers: true,
  default(service) {
    if (service.spec?.service !== undefined) service.spec.service.port ??= 443
  },
  prepareForCreate(service, { now }) {
    if (service.spec?.service !== undefined) return
    service.status = { conditions: [localCondition(now)] }
  },
  validate: validateApiService,
  // The name is checked again: what it must be follows from the spec.
  validateUpdate: (service) => [
    ...validatePathSegmentName(service.metadata.name).map((detail) => fieldError.invalid('metadata.name', service.metadata.name, detail)),
    ...validateApiService(service),
  ],
  allowUnconditionalUpdate: false,
  status: {
    initial: () => ({}),
    ignoresMetadata: true,
    validateUpdate: ({ status }) =>
      (status?.conditions ?? []).flatMap((condition, index) => {
        const path = fieldPath('status', 'conditions').index(index).child('status')
        return validateChoice(condition.status ?? '', ['True', 'False', 'Unknown'], path)
      }),
  },
})

/** What is said of a group version that this server serves itself. */
export function localCondition(now: string): APIServiceCondition {
  const message = 'Local APIServices are always available'
  return { type: 'Available', status: 'True', lastTransitionTime: now, reason: 'Local', message }
}

function validateApiService({ metadata: { name }, spec }: APIService): FieldError[] {
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0, service } = spec ?? ({} as APIServiceSpec)
  const requiredName = `${version}.${group}`
  const errors: FieldError[] = []
  if (name && name !== requiredName && validatePathSegmentName(name).length === 0) {
    errors.push(fieldError.invalid('metadata.name', name, `must be \`spec.version+"."+spec.group\`: ${goQuote(requiredName)}`))
  }
  const groupPath = specPath.child('group')
  if (group !== '') errors.push(...validateDns1123Subdomain(group).map((detail) => fieldError.invalid(groupPath, group, detail)))
  else if (version !== 'v1') errors.push(fieldError.required(groupPath, 'only v1 may have an empty group and it better be legacy kube'))
  errors.push(...validateDns1035Label(version).map((detail) => fieldError.invalid(specPath.child('version'), version, detail)))
  errors.push(...validatePriority('groupPriorityMinimum', groupPriorityMinimum, 20_000))
  errors.push(...validatePriority('versionPriority', versionPriority, 1000))
  return [...errors, ...(service === undefined ? validateLocal(spec) : validateRemote(spec ?? {}, service))]
}

function validatePriority(field: string, value: number, max: number): FieldError[] {
  if (value > 0 && value <= max) return []
  return [fieldError.invalid(specPath.child(field), value, `must be positive and less than ${max}`)]
}

function validateLocal({ caBundle = '', insecureSkipTLSVerify = false }: Partial<APIServiceSpec> = {}): FieldError[] {
  const errors: FieldError[] = []
  if (caBundle !== '') {
    const size = `${Buffer.from(caBundle, 'base64').length} bytes`
    errors.push(fieldError.invalid(specPath.child('caBundle'), size, 'local APIServices may not have a caBundle'))
  }
  if (insecureSkipTLSVerify) {
    const detail = 'local APIServices may not have insecureSkipTLSVerify'
    errors.push(fieldError.invalid(specPath.child('insecureSkipTLSVerify'), true, detail))
  }
  return errors
}

function validateRemote(spec: Partial<APIServiceSpec>, service: NonNullable<APIServiceSpec['service']>): FieldError[] {
  const path = specPath.child('service')
  const { namespace = '', name = '', port = 0 } = service
  const errors: FieldError[] = []
  if (namespace === '') errors.push(fieldError.required(path.child('namespace')))
  if (name === '') errors.push(fieldError.required(path.child('name')))
  const problems = validatePortNumber(port)
  if (problems.length > 0) errors.push(fieldError.invalid(path.child('port'), port, `port is not valid: ${problems.join(', ')}`))
  if (spec.insecureSkipTLSVerify && spec.caBundle) {
    errors.push(fieldError.invalid(specPath.child('insecureSkipTLSVerify'), true, 'may not be true if caBundle is present'))
  }
  return errors
}

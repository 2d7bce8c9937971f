import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, goQuote, type NameValidator, utf8Length, validateDns1123Label, validateDns1123Subdomain } from 'steersman/api'

const maxDomainBytes = 253
/** A domain, a slash, and a namespace with a name. */
const maxBytes = maxDomainBytes + 253 + 63 + 2

/** What is wrong with the name of a signer, `example.com/name`. */
export function validateSignerName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [fieldError.required(path)]
  const [domain = '', rest, ...more] = name.split('/')
  if (rest === undefined || more.length > 0) {
    return [fieldError.invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")]
  }
  const labels = domain.split('.')
  const errors = utf8Length(domain) > maxDomainBytes ? [fieldError.tooLong(path, maxDomainBytes)] : []
  errors.push(...firstWrong(labels, domain, path, validateDns1123Label))
  if (labels.length < 2) errors.push(fieldError.invalid(path, domain, 'should be a domain with at least two segments separated by dots'))
  errors.push(...firstWrong(rest.split('.'), rest, path, validateDns1123Subdomain))
  if (utf8Length(name) > maxBytes) errors.push(fieldError.tooLong(path, maxBytes))
  return errors
}

function firstWrong(labels: readonly string[], value: string, path: FieldPath, validate: NameValidator): FieldError[] {
  const wrong = labels.find((label) => validate(label).length > 0)
  if (wrong === undefined) return []
  return validate(wrong).map((detail) => fieldError.invalid(path, value, `validating label ${goQuote(wrong)}: ${detail}`))
}

/** Whether a signer is one of Kubernetes' own. */
export function isKubernetesSigner(name: string): boolean {
  const [domain = ''] = name.split('/')
  return domain === 'kubernetes.io' || domain.endsWith('.kubernetes.io')
}

import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, utf8Length } from 'steersman/api'
import type { HTTPIngressPath, IngressRule } from 'steersman/api/types/networking/v1'
import { isIP } from '../../schema/index.js'
import { subdomainErrors } from '../shared/name-errors.js'
import { validateBackend } from './ingress-backend.js'

const subdomainPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'
const wildcard = new RegExp(`^\\*\\.${subdomainPattern}$`)
const wildcardMessage = `a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.${subdomainPattern}')`
const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix']
const refusedSequences = ['//', '/./', '/../', '%2f', '%2F']
const refusedEnds = ['/..', '/.']

/** What is wrong with the rules of an ingress. */
export function validateRules(rules: readonly IngressRule[], path: FieldPath): FieldError[] {
  return rules.flatMap(({ host, http }, index) => {
    const at = path.index(index)
    const errors: FieldError[] = []
    if (host) {
      if (isIP(host)) errors.push(fieldError.invalid(at.child('host'), host, 'must be a DNS name, not an IP address'))
      errors.push(...hostErrors(host, at.child('host')))
    }
    if (http === undefined) return errors
    const paths = http.paths ?? []
    if (paths.length === 0) errors.push(fieldError.required(at.child('http', 'paths')))
    errors.push(...paths.flatMap((one, position) => validatePath(one, at.child('http', 'paths').index(position))))
    return errors
  })
}

/** What is wrong with a host, which may be a wildcard. */
export function hostErrors(host: string, path: FieldPath): FieldError[] {
  if (!host.includes('*')) return subdomainErrors(host, path)
  const errors = utf8Length(host) > 253 ? [fieldError.invalid(path, host, 'must be no more than 253 characters')] : []
  return wildcard.test(host) ? errors : [...errors, fieldError.invalid(path, host, wildcardMessage)]
}

function validatePath({ path: text = '', pathType, backend = {} }: HTTPIngressPath, path: FieldPath): FieldError[] {
  if (pathType === undefined) return [fieldError.required(path.child('pathType'), 'pathType must be specified')]
  const errors: FieldError[] = []
  const refuse = (detail: string) => errors.push(fieldError.invalid(path.child('path'), text, detail))
  if (!pathTypes.includes(pathType)) errors.push(fieldError.notSupported(path.child('pathType'), pathType, pathTypes))
  else if (pathType === 'ImplementationSpecific') {
    if (text !== '' && !text.startsWith('/')) refuse('must be an absolute path')
  } else {
    if (!text.startsWith('/')) refuse('must be an absolute path')
    for (const sequence of refusedSequences) if (text.includes(sequence)) refuse(`must not contain '${sequence}'`)
    for (const end of refusedEnds) if (text.endsWith(end)) refuse(`cannot end with '${end}'`)
  }
  return [...errors, ...validateBackend(backend, path.child('backend'))]
}

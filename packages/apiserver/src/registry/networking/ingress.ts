import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, goQuote, validateDns1123Subdomain } from 'steersman/api'
import type { IngressSpec, IngressStatus, IngressTLS } from 'steersman/api/types/networking/v1'
import { Ingress } from 'steersman/api/types/networking/v1'
import { deepEqual } from 'steersman/internal'
import { isIP } from '../../schema/index.js'
import { addressErrors } from '../shared/address-validation.js'
import { subdomainErrors } from '../shared/name-errors.js'
import { defineKind } from '../strategy.js'
import { validateBackend } from './ingress-backend.js'
import { hostErrors, validateRules } from './ingress-rules.js'

const specPath = fieldPath('spec')
/** What named the class of an ingress before there was a field for it. */
const classAnnotation = 'kubernetes.io/ingress.class'

/** Ingresses. */
export const ingressKind = defineKind(Ingress, {
  validateName: validateDns1123Subdomain,
  validate: (ingress) => [...validateSpec(ingress.spec ?? {}), ...validateClassAnnotation(ingress)],
  validateUpdate: ({ spec }) => validateSpec(spec ?? {}),
  warn({ metadata, spec }, warn, old) {
    if (old !== undefined || spec?.ingressClassName !== undefined || metadata.annotations?.[classAnnotation] === undefined) return
    warn(`annotation ${goQuote(classAnnotation)} is deprecated, please use 'spec.ingressClassName' instead`)
  },
  changesGeneration: (ingress, old) => !deepEqual(ingress.spec, old.spec),
  status: { validateUpdate: ({ status }) => validateStatus(status ?? {}) },
})

function validateSpec(spec: IngressSpec): FieldError[] {
  const { rules = [], defaultBackend, tls = [], ingressClassName } = spec
  const errors: FieldError[] = []
  if (rules.length === 0 && defaultBackend === undefined) {
    errors.push(fieldError.invalid(specPath, spec.rules ?? null, 'either `defaultBackend` or `rules` must be specified'))
  }
  if (defaultBackend !== undefined) errors.push(...validateBackend(defaultBackend, specPath.child('defaultBackend')))
  errors.push(...validateRules(rules, specPath.child('rules')), ...validateTls(tls, specPath.child('tls')))
  if (ingressClassName !== undefined) errors.push(...subdomainErrors(ingressClassName, specPath.child('ingressClassName')))
  return errors
}

function validateTls(tls: readonly IngressTLS[], path: FieldPath): FieldError[] {
  return tls.flatMap(({ hosts = [], secretName }, index) => [
    ...hosts.flatMap((host, position) => hostErrors(host, path.index(index).child('hosts').index(position))),
    ...(secretName ? subdomainErrors(secretName, path.index(index).child('secretName')) : []),
  ])
}

function validateClassAnnotation({ metadata, spec }: Ingress): FieldError[] {
  const annotation = metadata.annotations?.[classAnnotation]
  const name = spec?.ingressClassName
  if (annotation === undefined || name === undefined || annotation === name) return []
  const detail = 'must match `ingressClassName` when both are specified'
  return [fieldError.invalid(fieldPath('annotations', classAnnotation), annotation, detail)]
}

function validateStatus({ loadBalancer }: IngressStatus): FieldError[] {
  const path = fieldPath('status', 'loadBalancer', 'ingress')
  return (loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }, index) => {
    const errors = ip ? addressErrors(ip, path.index(index).child('ip')) : []
    if (hostname) {
      const at = path.index(index).child('hostname')
      errors.push(...subdomainErrors(hostname, at))
      if (isIP(hostname)) errors.push(fieldError.invalid(at, hostname, 'must be a DNS name, not an IP address'))
    }
    return errors
  })
}

import type { Draft, FieldError } from 'steersman/api'
import { fieldError, fieldPath, utf8Length, validateDns1123Subdomain } from 'steersman/api'
import type { PodCertificateRequestSpec as Spec } from 'steersman/api/types/certificates/v1'
import { PodCertificateRequest } from 'steersman/api/types/certificates/v1'
import { validateImmutable } from '../metadata.js'
import { unsupportedField } from '../shared/fields.js'
import { goForm } from '../shared/go-form.js'
import { withStructValue } from '../shared/struct-value.js'
import { validateUserAnnotations } from '../shared/user-annotations.js'
import { defineKind } from '../strategy.js'
import { Pkcs10Error, parseRequest } from './pkcs10.js'
import { validateDecision } from './pod-certificate-status.js'
import { isKubernetesSigner, validateSignerName } from './signer-name.js'

const specPath = fieldPath('spec')
const daySeconds = 86_400
const minExpirationSeconds = 3_600
const maxUidBytes = 128
const maxRequestBytes = 10 * 1024
const curves = ['prime256v1', 'secp384r1', 'secp521r1']

/** Requests of kubelets for certificates of pods. */
export const podCertificateRequestKind = defineKind(PodCertificateRequest, {
  validateName: validateDns1123Subdomain,
  allowUnconditionalUpdate: false,
  default(request) {
    request.spec ??= {} as Draft<Spec>
    request.spec.maxExpirationSeconds ??= daySeconds
  },
  validate: ({ spec }) => validateSpec(spec),
  validateUpdate: ({ spec }, old) =>
    validateImmutable(spec, old.spec, specPath).map((error) => withStructValue(error, goForm('PodCertificateRequestSpec', spec))),
  selectableFields: {
    'spec.signerName': ({ spec }) => spec?.signerName,
    'spec.podName': ({ spec }) => spec?.podName,
    'spec.nodeName': ({ spec }) => spec?.nodeName,
  },
  unknownField: unsupportedField,
  selectsByNamespace: false,
  status: { ignoresMetadata: true, validateUpdate: validateDecision },
})

function validateSpec(spec: Partial<Spec> = {}): FieldError[] {
  const { signerName = '', maxExpirationSeconds = daySeconds, stubPKCS10Request = '' } = spec
  const max = isKubernetesSigner(signerName) ? daySeconds : 91 * daySeconds
  const isInRange = maxExpirationSeconds >= minExpirationSeconds && maxExpirationSeconds <= max
  return [
    ...validateSignerName(signerName, specPath.child('signerName')),
    ...validateUserAnnotations(spec.unverifiedUserAnnotations, specPath.child('unverifiedUserAnnotations')),
    ...validateName(spec, 'podName'),
    ...validateUid(spec, 'podUID'),
    ...validateName(spec, 'serviceAccountName'),
    ...validateUid(spec, 'serviceAccountUID'),
    ...validateName(spec, 'nodeName'),
    ...validateUid(spec, 'nodeUID'),
    ...(isInRange
      ? []
      : [
          fieldError.invalid(
            specPath.child('maxExpirationSeconds'),
            maxExpirationSeconds,
            `must be in the range [${minExpirationSeconds}, ${max}]`,
          ),
        ]),
    ...validateRequest(stubPKCS10Request),
  ]
}

function validateName(spec: Partial<Spec>, field: 'podName' | 'serviceAccountName' | 'nodeName'): FieldError[] {
  const name = spec[field] ?? ''
  return validateDns1123Subdomain(name).map((detail) => fieldError.invalid(specPath.child(field), name, detail))
}

function validateUid(spec: Partial<Spec>, field: 'podUID' | 'serviceAccountUID' | 'nodeUID'): FieldError[] {
  const uid = spec[field] ?? ''
  if (uid === '') return [fieldError.invalid(specPath.child(field), '', 'must not be empty')]
  return utf8Length(uid) > maxUidBytes ? [fieldError.tooLong(specPath.child(field), maxUidBytes)] : []
}

function validateRequest(base64: string): FieldError[] {
  const path = specPath.child('stubPKCS10Request')
  const wrong = (detail: string) => [fieldError.invalid(path, undefined, detail)]
  if (base64 === '') {
    const detail = 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set'
    return [fieldError.invalid(specPath, undefined, detail)]
  }
  const der = Buffer.from(base64, 'base64')
  if (der.length > maxRequestBytes) return [fieldError.tooLong(path, maxRequestBytes)]
  try {
    const request = parseRequest(der)
    const { namedCurve = '', modulusLength = 0 } = request.publicKey.asymmetricKeyDetails ?? {}
    switch (request.publicKey.asymmetricKeyType) {
      case 'ed25519':
        break
      case 'ec':
        if (curves.includes(namedCurve)) break
        return [fieldError.invalid(path, `curve ${namedCurve}`, 'elliptic public keys must use curve P256, P384, or P521')]
      case 'rsa':
        if (modulusLength === 3072 || modulusLength === 4096) break
        return [fieldError.invalid(path, `${modulusLength}-bit modulus`, 'RSA keys must have modulus size 3072 or 4096')]
      default:
        return wrong('unknown public key type; supported types are Ed25519, ECDSA, and RSA')
    }
    return request.hasRightSignature() ? [] : wrong('invalid signature')
  } catch (error) {
    if (error instanceof Pkcs10Error) return wrong('must be a valid PKCS#10 CSR')
    throw error
  }
}

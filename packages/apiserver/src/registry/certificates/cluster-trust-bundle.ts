import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, utf8Length, validateDns1123Subdomain } from 'steersman/api'
import { ClusterTrustBundle } from 'steersman/api/types/certificates/v1'
import { validateImmutable } from '../metadata.js'
import { unsupportedField } from '../shared/fields.js'
import { defineKind } from '../strategy.js'
import { decodePem, type PemBlock } from './pem.js'
import { validateSignerName } from './signer-name.js'
import { parseCertificate } from './signing-request-validation.js'

const signerPath = fieldPath('spec', 'signerName')
const bundlePath = fieldPath('spec', 'trustBundle')
const maxBundleBytes = 1024 * 1024

/** Certificates to trust, for the whole cluster. */
export const clusterTrustBundleKind = defineKind(ClusterTrustBundle, {
  // What a name may be depends on the signer.
  validateName: () => [],
  allowUnconditionalUpdate: false,
  validate: (bundle) => validateBundle(bundle),
  validateUpdate: (bundle, old) => [
    ...validateBundle(bundle, old),
    ...validateImmutable(bundle.spec?.signerName ?? '', old.spec?.signerName ?? '', signerPath),
  ],
  selectableFields: { 'spec.signerName': ({ spec }) => spec?.signerName },
  unknownField: unsupportedField,
})

function validateBundle({ metadata, spec }: ClusterTrustBundle, old?: ClusterTrustBundle): FieldError[] {
  const { signerName = '', trustBundle = '' } = spec ?? {}
  const isUnchanged = old !== undefined && trustBundle === (old.spec?.trustBundle ?? '')
  return [
    ...(metadata.name ? nameProblems(metadata.name, signerName) : []).map((detail) =>
      fieldError.invalid('metadata.name', metadata.name, detail),
    ),
    ...(signerName === '' ? [] : validateSignerName(signerName, signerPath)),
    ...(isUnchanged ? [] : validateCertificates(trustBundle)),
  ]
}

function nameProblems(name: string, signerName: string): readonly string[] {
  if (signerName === '') {
    return name.includes(':') ? ['ClusterTrustBundle without signer name must not have ":" in its name'] : validateDns1123Subdomain(name)
  }
  const prefix = `${signerName.replaceAll('/', ':')}:`
  if (!name.startsWith(prefix)) return [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`]
  return validateDns1123Subdomain(name.slice(prefix.length))
}

function validateCertificates(text: string): FieldError[] {
  if (utf8Length(text) > maxBundleBytes) return [fieldError.tooLong(bundlePath, maxBundleBytes)]
  const wrong = (detail: string) => fieldError.invalid(bundlePath, '<value omitted>', detail)
  const blocks = decodePem(text)
  const errors = blocks.flatMap((block, index) => {
    const problem = entryProblem(block)
    return problem === undefined ? [] : [wrong(`entry ${index} ${problem}`)]
  })
  if (errors.length > 0) return errors
  if (blocks.length === 0) return [wrong('at least one trust anchor must be provided')]
  const places = new Map<string, number[]>()
  blocks.forEach(({ bytes }, index) => {
    const key = bytes.toString('base64')
    places.set(key, [...(places.get(key) ?? []), index])
  })
  return [...places.values()]
    .filter(({ length }) => length > 1)
    .map((indexes) => wrong(`duplicate trust anchor (indices [${indexes.join(' ')}])`))
}

function entryProblem({ type, hasHeaders, bytes }: PemBlock): string | undefined {
  if (type !== 'CERTIFICATE') return `has bad block type: ${type}`
  if (hasHeaders) return 'has PEM block headers'
  const certificate = parseCertificate(bytes)
  if (certificate === undefined) return 'does not parse as X.509'
  return certificate.ca ? undefined : 'does not have the CA bit set'
}

import { X509Certificate } from 'node:crypto'
import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath } from 'steersman/api'
import type { CertificateSigningRequest, CertificateSigningRequestCondition as Condition } from 'steersman/api/types/certificates/v1'
import { deepEqual } from 'steersman/internal'
import { decodePem } from './pem.js'
import { Pkcs10Error, parsePemRequest } from './pkcs10.js'
import { validateSignerName } from './signer-name.js'

const specPath = fieldPath('spec')
const conditionsPath = fieldPath('status', 'conditions')
const certificatePath = fieldPath('status', 'certificate')

const legacySigner = 'kubernetes.io/legacy-unknown'
const minExpirationSeconds = 600
const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
]

/** Everything wrong with a request. What was wrong with `old` already may stay so. */
export function validateSigningRequest(request: CertificateSigningRequest, old?: CertificateSigningRequest): FieldError[] {
  const { certificate = '' } = request.status ?? {}
  const isOldCertificate =
    old !== undefined && (certificate === (old.status?.certificate ?? '') || certificateProblem(old.status?.certificate) !== undefined)
  const problem = isOldCertificate ? undefined : certificateProblem(certificate)
  return [
    ...validateSpec(request, old),
    ...validateConditions(request.status?.conditions ?? [], old?.status?.conditions),
    ...(problem === undefined ? [] : [fieldError.invalid(certificatePath, '<certificate data>', problem)]),
    ...validateDecision(request.status?.conditions ?? [], old?.status?.conditions),
  ]
}

function validateSpec({ spec }: CertificateSigningRequest, old: CertificateSigningRequest | undefined): FieldError[] {
  const { request, usages: wanted = [], signerName = '', expirationSeconds } = spec ?? {}
  const errors: FieldError[] = []
  const problem = requestProblem(request ?? '')
  if (problem !== undefined) errors.push(fieldError.invalid(specPath.child('request'), request ?? null, problem))
  if (wanted.length === 0) errors.push(fieldError.required(specPath.child('usages')))
  if (!(old?.spec?.usages ?? []).some((usage) => !usages.includes(usage))) {
    wanted.forEach((usage, index) => {
      if (!usages.includes(usage)) errors.push(fieldError.notSupported(specPath.child('usages').index(index), usage, usages))
    })
  }
  if (!hasDuplicates(old?.spec?.usages ?? [])) {
    wanted.forEach((usage, index) => {
      if (wanted.indexOf(usage) < index) errors.push(fieldError.duplicate(specPath.child('usages').index(index), usage))
    })
  }
  const signerPath = specPath.child('signerName')
  if (signerName === legacySigner && old?.spec?.signerName !== legacySigner) {
    errors.push(fieldError.invalid(signerPath, signerName, 'the legacy signerName is not allowed via this API version'))
  } else errors.push(...validateSignerName(signerName, signerPath))
  if (expirationSeconds !== undefined && expirationSeconds < minExpirationSeconds) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)'
    errors.push(fieldError.invalid(specPath.child('expirationSeconds'), expirationSeconds, detail))
  }
  return errors
}

function requestProblem(base64: string): string | undefined {
  try {
    const request = parsePemRequest(Buffer.from(base64, 'base64').toString('latin1'))
    return request.hasRightSignature() ? undefined : 'x509: signature verification failed'
  } catch (error) {
    if (error instanceof Pkcs10Error) return error.message
    throw error
  }
}

/** What is wrong with the PEM of certificates. */
function certificateProblem(base64 = ''): string | undefined {
  if (base64 === '') return undefined
  const blocks = decodePem(Buffer.from(base64, 'base64').toString('latin1'))
  for (const { type, hasHeaders, bytes } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found "${type}"`
    if (hasHeaders) return 'no PEM block headers are permitted'
    if (parseCertificate(bytes) === undefined) return 'x509: malformed certificate'
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined
}

/** A certificate from its DER; `undefined` for other bytes. */
export function parseCertificate(der: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(der)
  } catch {
    // The reason is told in the words of OpenSSL, which no client expects.
    return undefined
  }
}

const decisions = ['Approved', 'Denied']
const onlyTrue = [...decisions, 'Failed']

function validateConditions(conditions: readonly Condition[], old: readonly Condition[] = []): FieldError[] {
  const mayLackType = old.some(({ type }) => !type)
  const mayRepeat = hasDuplicates(old.map(({ type }) => type))
  return conditions.flatMap(({ type = '', status = '' }, index) => {
    const path = conditionsPath.index(index)
    const allowed = onlyTrue.includes(type) ? ['True'] : ['False', 'True', 'Unknown']
    const errors: FieldError[] = []
    if (type === '' && !mayLackType) errors.push(fieldError.required(path.child('type')))
    if (status === '') errors.push(fieldError.required(path.child('status')))
    else if (!allowed.includes(status)) errors.push(fieldError.notSupported(path.child('status'), status, allowed))
    if (!mayRepeat && conditions.findIndex((other) => (other.type ?? '') === type) < index) {
      errors.push(fieldError.duplicate(path.child('type'), type))
    }
    return errors
  })
}

/** A request is approved or denied, not both. */
function validateDecision(conditions: readonly Condition[], old: readonly Condition[] = []): FieldError[] {
  const both = (list: readonly Condition[]) => decisions.every((decision) => list.some(({ type }) => type === decision))
  if (!both(conditions) || both(old)) return []
  const names = decisions.map((decision) => `conditions[{"type": "${decision}"}]`)
  const detail = `must specify at most one of: ${names.map((name) => `\`${name}\``).join(', ')}`
  return [fieldError.invalid(conditionsPath, `{${names.join(', ')}}`, detail)]
}

function hasDuplicates(values: readonly string[]): boolean {
  return new Set(values).size < values.length
}

/** Everything wrong with a request as a successor of `old`. `subresource`: the one that is written. */
export function validateSigningRequestUpdate(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  subresource: '' | 'status' | 'approval',
): FieldError[] {
  const errors = validateSigningRequest(request, old)
  const [before, after] = [old.status?.conditions ?? [], request.status?.conditions ?? []]
  const of = (list: readonly Condition[], type: string) => list.filter((condition) => condition.type === type)
  for (const type of onlyTrue) {
    if (of(after, type).length < of(before, type).length) {
      errors.push(fieldError.forbidden(conditionsPath, `updates may not remove a condition of type "${type}"`))
    }
  }
  if (subresource !== 'approval') {
    for (const type of decisions) {
      const [was, is] = [of(before, type), of(after, type)]
      if (is.length > was.length) errors.push(fieldError.forbidden(conditionsPath, `updates may not add a condition of type "${type}"`))
      else if (is.length === was.length && !deepEqual(was, is)) {
        errors.push(fieldError.forbidden(conditionsPath, `updates may not modify a condition of type "${type}"`))
      }
    }
  }
  const [oldCertificate = '', certificate = ''] = [old.status?.certificate, request.status?.certificate]
  if (certificate === oldCertificate) return errors
  if (subresource !== 'status') errors.push(fieldError.forbidden(certificatePath, 'updates may not set certificate content'))
  else if (oldCertificate !== '') errors.push(fieldError.forbidden(certificatePath, 'updates may not modify existing certificate content'))
  return errors
}

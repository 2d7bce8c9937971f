import type { X509Certificate } from 'node:crypto'
import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, utf8Length } from 'steersman/api'
import type { PodCertificateRequest, PodCertificateRequestStatus as Status } from 'steersman/api/types/certificates/v1'
import { validateConditions } from '../shared/condition-validation.js'
import { isSameValue } from '../shared/same-value.js'
import { decodePem, type PemBlock } from './pem.js'
import { parseRequest } from './pkcs10.js'
import { parseCertificate } from './signing-request-validation.js'

const statusPath = fieldPath('status')
const conditionsPath = statusPath.child('conditions')
const chainPath = statusPath.child('certificateChain')

const decisions = ['Issued', 'Denied', 'Failed']
const maxChainBytes = 100 * 1024
const hourMs = 3_600_000
const tenMinutesMs = 600_000

/** What is wrong with a decision on a request. How old an issued certificate is by the server's clock is not looked at. */
export function validateDecision(request: PodCertificateRequest, old: PodCertificateRequest): FieldError[] {
  const errors = [...validateTypes(request), ...validateConditions(request.status?.conditions, conditionsPath)]
  if (errors.length > 0) return errors
  const wrong = (detail: string) => [fieldError.invalid(statusPath, undefined, detail)]
  const isSame = isSameValue(request.status, old.status)
  if (decisionOf(old) !== undefined) {
    return isSame ? [] : wrong('immutable after PodCertificateRequest is issued, denied, or failed')
  }
  const decision = decisionOf(request)
  if (decision === 'Issued') return validateIssued(request.status ?? {}, old)
  if (decision === undefined) return isSame ? [] : wrong('status is immutable unless transitioning to "Issued", "Denied", or "Failed"')
  const { conditions: _, ...issued } = request.status ?? {}
  if (Object.keys(issued).length === 0) return []
  return wrong('non-condition status fields must be empty when denying or failing the PodCertificateRequest')
}

function decisionOf({ status }: PodCertificateRequest): string | undefined {
  return (status?.conditions ?? []).find(({ type, status: is }) => decisions.includes(type) && is === 'True')?.type
}

function validateTypes({ status }: PodCertificateRequest): FieldError[] {
  let known = 0
  return (status?.conditions ?? []).flatMap(({ type = '', status: is }, index) => {
    // The real server writes the index as if it were a name.
    const path = conditionsPath.child(`[${index}]`)
    if (!decisions.includes(type)) return [fieldError.notSupported(path.child('type'), type, decisions)]
    known++
    const single = 'There may be at most one condition with type "Issued", "Denied", or "Failed"'
    return [
      ...(known > 1 ? [fieldError.invalid(path.child('type'), type, single)] : []),
      ...(is === 'True' ? [] : [fieldError.notSupported(path.child('status'), is, ['True'])]),
    ]
  })
}

function validateIssued(status: Status, { spec }: PodCertificateRequest): FieldError[] {
  const { certificateChain: chain = '' } = status
  if (utf8Length(chain) > maxChainBytes) return [fieldError.tooLong(chainPath, maxChainBytes)]
  const wrong = (detail: string) => [fieldError.invalid(chainPath, chain, detail)]
  const [block, ...others] = decodePem(chain)
  if (block === undefined) return wrong('issued certificate chain must contain at least one certificate')
  if (block.type !== 'CERTIFICATE') return wrong('issued certificate chain must consist entirely of CERTIFICATE PEM blocks')
  const certificate = parseCertificate(block.bytes)
  if (certificate === undefined) return wrong('leaf certificate does not parse as valid X.509')
  const { publicKey } = parseRequest(Buffer.from(spec?.stubPKCS10Request ?? '', 'base64'))
  if (!publicKey.equals(certificate.publicKey)) return wrong('leaf certificate was not issued to the requested public key')
  const missing = requireTimes(status)
  if (missing.length > 0) return missing
  return firstOf([() => validateTimes(status, certificate, spec?.maxExpirationSeconds ?? 0), () => others.flatMap(intermediateProblems)])

  function intermediateProblems({ type, bytes }: PemBlock): FieldError[] {
    if (type !== 'CERTIFICATE') return wrong('issued certificate chain must consist entirely of CERTFICATE PEM blocks')
    return parseCertificate(bytes) === undefined ? wrong('intermediate certificate does not parse as valid X.509') : []
  }
}

/** The first error of the first check that finds some. */
function firstOf(checks: readonly (() => FieldError[])[]): FieldError[] {
  for (const check of checks) {
    const [first] = check()
    if (first !== undefined) return [first]
  }
  return []
}

function requireTimes(status: Status): FieldError[] {
  const consistent = 'must be present and consistent with the issued certificate'
  const details = {
    notBefore: consistent,
    notAfter: consistent,
    beginRefreshAt: 'must be present and in the range [notbefore+10min, notafter-10min]',
  } as const
  return (['notBefore', 'notAfter', 'beginRefreshAt'] as const).flatMap((field) =>
    status[field] ? [] : [fieldError.required(statusPath.child(field), details[field])],
  )
}

function validateTimes(status: Status, certificate: X509Certificate, maxSeconds: number): FieldError[] {
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  const time = (field: 'notBefore' | 'notAfter' | 'beginRefreshAt') => Date.parse(status[field] ?? '')
  const errors: FieldError[] = []
  const check = (isRight: boolean, field: 'notBefore' | 'notAfter' | 'beginRefreshAt', detail: string) => {
    if (!isRight) errors.push(fieldError.invalid(statusPath.child(field), status[field], detail))
  }
  check(time('notBefore') === from, 'notBefore', 'must be set to the NotBefore time encoded in the leaf certificate')
  check(time('notAfter') === to, 'notAfter', 'must be set to the NotAfter time encoded in the leaf certificate')
  const lifetime = BigInt(to - from) * 1_000_000n
  if (to - from < hourMs) errors.push(fieldError.invalid(chainPath, lifetime, 'leaf certificate lifetime must be >= 1 hour'))
  if (to - from > maxSeconds * 1000) {
    const detail = `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${maxSeconds})`
    errors.push(fieldError.invalid(chainPath, lifetime, detail))
  }
  check(time('beginRefreshAt') >= from + tenMinutesMs, 'beginRefreshAt', 'must be at least 10 minutes after status.notBefore')
  check(time('beginRefreshAt') <= to - tenMinutesMs, 'beginRefreshAt', 'must be at least 10 minutes before status.notAfter')
  return errors
}

import { randomBytes } from 'node:crypto'
import { CertificateAuthority, type CertificatePair } from 'steersman/internal'

/** What an HTTPS server and its administrator need. PEM. */
export interface ServingCertificates {
  /** Signs the server's certificate and those of clients. */
  readonly authority: CertificateAuthority
  readonly server: CertificatePair
}

const hourMs = 3_600_000
const yearMs = 365 * 24 * hourMs

/** From an hour ago, for clients whose clock is behind, for ten years. */
function validity(nowMs: number) {
  return { notBefore: nowMs - hourMs, notAfter: nowMs + 10 * yearMs }
}

/**
 * Makes an authority of its own for one server, and the server's certificate.
 *
 * @param host a further name or address that clients reach the server by.
 */
export function makeServingCertificates(nowMs: number, host: string): ServingCertificates {
  const times = validity(nowMs)
  const authority = new CertificateAuthority({ commonName: 'steersman-ca', randomBytes, ...times })
  const isAddress = /^[\d.]+$/.test(host) || host.includes(':')
  const server = authority.issueServerCertificate({
    commonName: 'kube-apiserver',
    dnsNames: [...new Set(['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', ...(isAddress ? [] : [host])])],
    ipAddresses: [...new Set(['127.0.0.1', '::1', ...(isAddress ? [host] : [])])],
    ...times,
  })
  return { authority, server }
}

/** A certificate that makes its holder this user, a member of these groups. */
export function makeClientCertificate(
  authority: CertificateAuthority,
  nowMs: number,
  user: string,
  groups: readonly string[],
): CertificatePair {
  return authority.issueClientCertificate({ commonName: user, organizations: groups, ...validity(nowMs) })
}

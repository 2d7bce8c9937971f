import type { KeyObject } from 'node:crypto'
import { bitString, boolean, explicit, implicit, integer, objectIdentifier, octetString, sequence, set, time, utf8String } from './der.js'
import { parseIpAddress } from './ip-address.js'

/** A certificate and its private key, both PEM; the key is PKCS #8. */
export interface CertificatePair {
  readonly certificate: string
  readonly privateKey: string
}

/** When a certificate is valid, in milliseconds since the epoch, rounded down to seconds. */
export interface CertificateValidity {
  readonly notBefore: number
  readonly notAfter: number
}

export interface CertificateAuthorityOptions extends CertificateValidity {
  readonly commonName: string
  /** Random bytes for serial numbers, such as `randomBytes` of `node:crypto`. */
  readonly randomBytes: (length: number) => Uint8Array
}

export interface ServerCertificateOptions extends CertificateValidity {
  readonly commonName: string
  /** Names that the certificate is good for; the leftmost label may be `*`. Clients look only here, not at the common name. */
  readonly dnsNames?: readonly string[]
  /** IPv4 and IPv6 addresses in text form. */
  readonly ipAddresses?: readonly string[]
}

export interface ClientCertificateOptions extends CertificateValidity {
  /** The user's name. */
  readonly commonName: string
  /** The user's groups. */
  readonly organizations?: readonly string[]
}

/** Loaded on first use: importing it costs 3 ms, which most programs that import this room need not pay. */
const crypto = () => process.getBuiltinModule('node:crypto')

const oid = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
  clientAuthentication: '1.3.6.1.5.5.7.3.2',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const

/**
 * Issues X.509 version 3 certificates (RFC 5280) with EC P-256 keys, for development clusters and webhooks. Everything is synchronous and takes
 * well under a millisecond per certificate, after the first use.
 *
 * The key of the authority stays in memory; `pair` hands it out for those who must store it.
 */
export class CertificateAuthority {
  /** The authority's own certificate and key. */
  readonly pair: CertificatePair
  readonly #name: Uint8Array
  readonly #keys: KeyPair
  readonly #randomBytes: (length: number) => Uint8Array

  /** Makes a new key and a self-signed certificate. */
  constructor(options: CertificateAuthorityOptions) {
    this.#name = distinguishedName(options.commonName, [])
    this.#keys = generateKeyPair()
    this.#randomBytes = options.randomBytes
    this.pair = this.#issue(this.#keys, this.#name, options, [
      extension(oid.basicConstraints, true, sequence(boolean(true))),
      // digitalSignature, keyCertSign, cRLSign
      extension(oid.keyUsage, true, bitString(Uint8Array.of(0b1000_0110), 1)),
    ])
  }

  /** The authority's certificate, PEM: what clients must trust. */
  get certificate(): string {
    return this.pair.certificate
  }

  /**
   * A certificate for a TLS server.
   *
   * @throws {RangeError} when a DNS name is not ASCII or an IP address is not one.
   */
  issueServerCertificate(options: ServerCertificateOptions): CertificatePair {
    const names = [...(options.dnsNames ?? []).map(dnsName), ...(options.ipAddresses ?? []).map(ipAddress)]
    const alternatives = names.length === 0 ? [] : [extension(oid.subjectAlternativeName, false, sequence(...names))]
    const subject = distinguishedName(options.commonName, [])
    return this.#issue(generateKeyPair(), subject, options, [...leafExtensions(oid.serverAuthentication), ...alternatives])
  }

  /** A certificate for a TLS client: the common name is the user, each organization a group. */
  issueClientCertificate(options: ClientCertificateOptions): CertificatePair {
    const subject = distinguishedName(options.commonName, options.organizations ?? [])
    return this.#issue(generateKeyPair(), subject, options, leafExtensions(oid.clientAuthentication))
  }

  #issue(keys: KeyPair, subject: Uint8Array, validity: CertificateValidity, extensions: readonly Uint8Array[]): CertificatePair {
    const { notBefore, notAfter } = validity
    if (!(notBefore <= notAfter))
      throw new RangeError(`Cannot issue a certificate: notBefore ${notBefore} is not before notAfter ${notAfter}`)
    const algorithm = sequence(objectIdentifier(oid.ecdsaWithSha256))
    const toBeSigned = sequence(
      explicit(0, integer(Uint8Array.of(2))),
      integer(this.#serialNumber()),
      algorithm,
      this.#name,
      sequence(time(notBefore), time(notAfter)),
      subject,
      keys.publicKeyInfo,
      explicit(
        3,
        sequence(
          ...extensions,
          extension(oid.subjectKeyIdentifier, false, octetString(keys.identifier)),
          extension(oid.authorityKeyIdentifier, false, sequence(implicit(0, this.#keys.identifier))),
        ),
      ),
    )
    const signature = crypto().sign('sha256', toBeSigned, this.#keys.privateKey)
    return {
      certificate: pem('CERTIFICATE', sequence(toBeSigned, algorithm, bitString(signature))),
      privateKey: pem('PRIVATE KEY', keys.privateKey.export({ type: 'pkcs8', format: 'der' })),
    }
  }

  /** 16 bytes: positive and in the shortest form, because the two top bits are 01. */
  #serialNumber(): Uint8Array {
    const bytes = Uint8Array.from(this.#randomBytes(16))
    bytes[0] = (bytes[0]! & 0x3f) | 0x40
    return bytes
  }
}

interface KeyPair {
  readonly privateKey: KeyObject
  /** The element SubjectPublicKeyInfo. */
  readonly publicKeyInfo: Uint8Array
  /** SHA-1 of the public key's bits (RFC 5280 section 4.2.1.2): a name, nothing's safety rests on it. */
  readonly identifier: Uint8Array
}

function generateKeyPair(): KeyPair {
  const { privateKey, publicKey } = crypto().generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicKeyInfo = publicKey.export({ type: 'spki', format: 'der' })
  // The last 65 bytes are the uncompressed point.
  const identifier = crypto().createHash('sha1').update(publicKeyInfo.subarray(-65)).digest()
  return { privateKey, publicKeyInfo, identifier }
}

function distinguishedName(commonName: string, organizations: readonly string[]): Uint8Array {
  const attribute = (type: string, value: string) => set(sequence(objectIdentifier(type), utf8String(value)))
  return sequence(...organizations.map((name) => attribute(oid.organization, name)), attribute(oid.commonName, commonName))
}

function leafExtensions(purpose: string): Uint8Array[] {
  return [
    extension(oid.basicConstraints, true, sequence()),
    // digitalSignature
    extension(oid.keyUsage, true, bitString(Uint8Array.of(0b1000_0000), 7)),
    extension(oid.extendedKeyUsage, false, sequence(objectIdentifier(purpose))),
  ]
}

function extension(type: string, isCritical: boolean, value: Uint8Array): Uint8Array {
  return sequence(objectIdentifier(type), ...(isCritical ? [boolean(true)] : []), octetString(value))
}

function dnsName(name: string): Uint8Array {
  if (!/^[\x21-\x7e]+$/.test(name))
    throw new RangeError(`Cannot issue a certificate for ${JSON.stringify(name)}: expected an ASCII DNS name`)
  return implicit(2, new TextEncoder().encode(name))
}

function ipAddress(text: string): Uint8Array {
  const bytes = parseIpAddress(text)
  if (bytes === undefined) throw new RangeError(`Cannot issue a certificate for ${JSON.stringify(text)}: expected an IP address`)
  return implicit(7, bytes)
}

function pem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

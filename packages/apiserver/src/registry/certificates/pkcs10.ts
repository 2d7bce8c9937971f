import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type DerElement, DerError, objectIdentifier, readElement, readElements } from './der-reader.js'
import { decodePem } from './pem.js'

/** A request for a certificate, PKCS#10 (RFC 2986). */
export interface CertificationRequest {
  readonly publicKey: KeyObject
  /** Organizations of the subject. */
  readonly organizations: readonly string[]
  /** Whether who asks has the private key. */
  hasRightSignature(): boolean
}

/** Why bytes are no request. */
export class Pkcs10Error extends Error {}

const organizationOid = '2.5.4.10'

/** Digests by the object identifier of the signature's algorithm. */
const digests: Readonly<Record<string, string | null>> = {
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.3.101.112': null,
}

/** Reads the PEM of a request. @throws {Pkcs10Error} */
export function parsePemRequest(pem: string): CertificationRequest {
  const [block] = decodePem(pem)
  if (block?.type !== 'CERTIFICATE REQUEST') throw new Pkcs10Error('PEM block type must be CERTIFICATE REQUEST')
  return parseRequest(block.bytes)
}

/** Reads the DER of a request. @throws {Pkcs10Error} */
export function parseRequest(der: Uint8Array): CertificationRequest {
  try {
    const [info, algorithm, signature] = members(readElement(der), 3)
    const [, subject, key] = members(info, 3)
    const [oid] = members(algorithm, 1)
    const publicKey = createPublicKey({ key: Buffer.from(key.bytes), format: 'der', type: 'spki' })
    return {
      publicKey,
      organizations: organizationsOf(subject),
      // The first byte of a bit string counts the bits at its end that are not used.
      hasRightSignature: () => isSignedBy(publicKey, objectIdentifier(oid.content), info.bytes, signature.content.subarray(1)),
    }
  } catch (cause) {
    throw new Pkcs10Error(`asn1: structure error: ${cause instanceof DerError ? cause.message : 'no certification request'}`, { cause })
  }
}

/** The members of a sequence, of which there are at least so many. */
function members<Count extends 1 | 3>(
  element: DerElement,
  least: Count,
): Count extends 3 ? [DerElement, DerElement, DerElement] : [DerElement] {
  const found = element.tag === 0x30 ? readElements(element.content) : []
  if (found.length < least) throw new DerError('sequence truncated')
  return found as unknown as Count extends 3 ? [DerElement, DerElement, DerElement] : [DerElement]
}

function organizationsOf(subject: DerElement): readonly string[] {
  return readElements(subject.content)
    .flatMap((set) => readElements(set.content))
    .map((attribute) => readElements(attribute.content))
    .flatMap(([oid, value]) =>
      oid !== undefined && value !== undefined && objectIdentifier(oid.content) === organizationOid
        ? [Buffer.from(value.content).toString('utf8')]
        : [],
    )
}

function isSignedBy(key: KeyObject, algorithm: string, signed: Uint8Array, signature: Uint8Array): boolean {
  const digest = digests[algorithm]
  if (digest === undefined) return false
  try {
    return verify(digest, signed, key, signature)
  } catch {
    // The algorithm is none for this kind of key.
    return false
  }
}

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import type { TokenSigner } from '../../contracts/index.js'

/** Options of a {@link JwtSigner}. */
export interface TokenSignerOptions {
  /** Who issues the tokens: a URL. */
  readonly issuer: string
  /** Who tokens are for that name no audience. @default the issuer */
  readonly audiences?: readonly string[]
  /** PEM of a private key: EC on the curve P-256, or RSA. @default an EC key of its own, made when it is first needed */
  readonly signingKey?: string
  /** PEM of further keys, public or in certificates, whose tokens are good too. Each may hold several. */
  readonly verificationKeys?: readonly string[]
}

/** A public key as JSON Web Key Sets hold it. */
export type JsonWebKey = Readonly<Record<string, unknown>>

/** So many tokens are remembered; each takes a kilobyte, for longer ones are not. */
const maxVerified = 1_000
const maxVerifiedCharacters = 8_192

/** Decoding would pass over all other characters, and many tokens would be the same one. */
const encodedToken = /^[\w.-]*$/

interface Keys {
  readonly signing: KeyObject
  /** What tokens call the public part of the signing key. */
  readonly id: string
  readonly verification: ReadonlyMap<string, KeyObject>
}

/** Signs tokens of service accounts as JSON Web Tokens (RFC 7519), with ES256 or, for an RSA key, RS256, and knows its own again. */
export class JwtSigner implements TokenSigner {
  readonly issuer: string
  readonly audiences: readonly string[]
  readonly #options: TokenSignerOptions
  #keys: Keys | undefined
  /** Claims of tokens whose signature was found to be right: a client sends the same token again and again. */
  readonly #verified = new Map<string, Readonly<Record<string, unknown>>>()

  /** @throws {TypeError} for a key that cannot be used. */
  constructor(options: TokenSignerOptions) {
    this.issuer = options.issuer
    this.audiences = options.audiences ?? [options.issuer]
    this.#options = options
    const { signingKey, verificationKeys = [] } = options
    if (signingKey !== undefined || verificationKeys.length > 0) this.#keys = loadKeys(options)
  }

  sign(claims: Readonly<Record<string, unknown>>): string {
    const { signing, id } = this.#loaded()
    const signed = `${encode({ alg: algorithmOf(signing), kid: id })}.${encode({ ...claims, iss: this.issuer })}`
    return `${signed}.${sign('sha256', Buffer.from(signed), { key: signing, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  }

  /** The claims of a token whose signature is right; `undefined` for anything else. */
  verify(token: string): Readonly<Record<string, unknown>> | undefined {
    const known = this.#verified.get(token)
    if (known !== undefined) return known
    const claims = this.#verify(token)
    if (claims === undefined || token.length > maxVerifiedCharacters) return claims
    const [oldest] = this.#verified.keys()
    if (oldest !== undefined && this.#verified.size >= maxVerified) this.#verified.delete(oldest)
    this.#verified.set(token, claims)
    return claims
  }

  #verify(token: string): Readonly<Record<string, unknown>> | undefined {
    const [head = '', payload = '', signature, ...rest] = token.split('.')
    if (signature === undefined || rest.length > 0 || !encodedToken.test(token)) return undefined
    const { alg, kid = '' } = decode(head) ?? {}
    const { verification } = this.#loaded()
    const keys = kid === '' ? [...verification.values()] : [verification.get(String(kid))]
    const isRight = keys.some(
      (key) =>
        key !== undefined &&
        alg === algorithmOf(key) &&
        verify('sha256', Buffer.from(`${head}.${payload}`), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')),
    )
    return isRight ? decode(payload) : undefined
  }

  /** The public keys, for others who check tokens. */
  publicKeys(): readonly JsonWebKey[] {
    return Array.from(this.#loaded().verification, ([kid, key]) => {
      const { kty, ...members } = key.export({ format: 'jwk' })
      return { use: 'sig', kty, kid, alg: algorithmOf(key), ...members }
    })
  }

  #loaded(): Keys {
    this.#keys ??= loadKeys(this.#options)
    return this.#keys
  }
}

function loadKeys({ signingKey, verificationKeys = [] }: TokenSignerOptions): Keys {
  try {
    const signing = signingKey === undefined ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : createPrivateKey(signingKey)
    const own = createPublicKey(signing)
    const all = [own, ...verificationKeys.flatMap(pemBlocks).map((pem) => createPublicKey(pem))]
    for (const key of all) algorithmOf(key)
    return { signing, id: keyId(own), verification: new Map(all.map((key) => [keyId(key), key])) }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new TypeError(`Cannot sign tokens of service accounts: a key cannot be used: ${reason}`, { cause })
  }
}

/** The blocks of a PEM text; the text itself when there is none, for whoever reads it to say what is wrong. */
function pemBlocks(text: string): readonly string[] {
  return text.match(/-----BEGIN ([^-]+)-----[\s\S]*?-----END \1-----/g) ?? [text]
}

/** @throws {TypeError} for a key of another kind. */
function algorithmOf(key: KeyObject): 'ES256' | 'RS256' {
  if (key.asymmetricKeyType === 'rsa') return 'RS256'
  if (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return 'ES256'
  throw new TypeError(`expected an RSA key or an EC key on P-256, got ${key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType}`)
}

/** As the real server names keys: the hash of the public key. */
function keyId(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('base64url')
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decode(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    // Whatever else it is, it is no part of a token.
    return undefined
  }
}

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import type { TokenSigner } from '../../contracts/index.js'

/** Options of an {@link EcdsaTokenSigner}. */
export interface TokenSignerOptions {
  /** Who issues the tokens: a URL. */
  readonly issuer: string
  /** Who tokens are for that name no audience. @default the issuer */
  readonly audiences?: readonly string[]
  /** PEM of an EC key on the curve P-256. @default one of its own, made when it is first needed */
  readonly signingKey?: string
  /** PEM of further keys, public or certificates, whose tokens are good too. */
  readonly verificationKeys?: readonly string[]
}

/** A public key as JSON Web Key Sets hold it. */
export type JsonWebKey = Readonly<Record<string, unknown>>

/** Signs tokens of service accounts with ES256 (RFC 7518) and knows its own again. */
export class EcdsaTokenSigner implements TokenSigner {
  readonly issuer: string
  readonly audiences: readonly string[]
  readonly #options: TokenSignerOptions
  #keys: { readonly signing: KeyObject; readonly id: string; readonly verification: ReadonlyMap<string, KeyObject> } | undefined

  constructor(options: TokenSignerOptions) {
    this.issuer = options.issuer
    this.audiences = options.audiences ?? [options.issuer]
    this.#options = options
  }

  sign(claims: Readonly<Record<string, unknown>>): string {
    const { signing, id } = this.#loaded()
    const signed = `${encode({ alg: 'ES256', kid: id })}.${encode({ ...claims, iss: this.issuer })}`
    return `${signed}.${sign('sha256', Buffer.from(signed), { key: signing, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  }

  /** The claims of a token whose signature is right; `undefined` for anything else. */
  verify(token: string): Readonly<Record<string, unknown>> | undefined {
    const [head = '', payload = '', signature, ...rest] = token.split('.')
    if (signature === undefined || rest.length > 0) return undefined
    const { alg, kid } = decode(head) ?? {}
    if (alg !== 'ES256') return undefined
    const { verification } = this.#loaded()
    const known = verification.get(String(kid))
    const candidates = known === undefined ? [...verification.values()] : [known]
    const signed = Buffer.from(`${head}.${payload}`)
    const bytes = Buffer.from(signature, 'base64url')
    const isRight = candidates.some((key) => verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, bytes))
    return isRight ? decode(payload) : undefined
  }

  /** The public keys, for others who check tokens. */
  publicKeys(): readonly JsonWebKey[] {
    return Array.from(this.#loaded().verification, ([kid, key]) => {
      const { kty, crv, x, y } = key.export({ format: 'jwk' })
      return { use: 'sig', kty, kid, crv, alg: 'ES256', x, y }
    })
  }

  #loaded() {
    this.#keys ??= loadKeys(this.#options)
    return this.#keys
  }
}

function loadKeys({ signingKey, verificationKeys = [] }: TokenSignerOptions) {
  const signing = signingKey === undefined ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : createPrivateKey(signingKey)
  const own = createPublicKey(signing)
  const id = keyId(own)
  const others = verificationKeys.map((pem) => createPublicKey(pem))
  return { signing, id, verification: new Map([own, ...others].map((key) => [keyId(key), key])) }
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

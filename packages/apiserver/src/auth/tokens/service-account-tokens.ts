import { isNotFound, StatusError, type UnstructuredObject, unauthorized } from 'steersman/api'
import type { Authenticator, Registry, TokenVerdict, UserInfo } from '../../contracts/index.js'
import { quoteList } from '../rbac/policy-rules.js'
import { serviceAccountGroups, serviceAccountPrefix } from '../service-account-name.js'
import type { JwtSigner } from './jwt-signer.js'

/** How far clocks may be apart. */
const leewaySeconds = 60
const invalidated = 'service account token has been invalidated'
const extraPrefix = 'authentication.kubernetes.io/'

interface Reference {
  readonly name?: string
  readonly uid?: string
}

/** What a token of ours says of what it is for. */
interface BoundClaims {
  readonly namespace?: string
  readonly serviceaccount?: Reference
  readonly pod?: Reference
  readonly node?: Reference
  readonly secret?: Reference
}

type Claims = Readonly<Record<string, unknown>>

/** Parts of {@link serviceAccountTokens}. */
export interface ServiceAccountTokensOptions {
  readonly signer: JwtSigner
  /** Accounts and what tokens are bound to are looked up here, each time: a token ends with them. */
  readonly registry: Pick<Registry, 'resource'>
  readonly now: () => number
}

/** Takes tokens of service accounts for their accounts, as long as these and what the tokens are bound to exist. */
export function serviceAccountTokens(options: ServiceAccountTokensOptions): Authenticator & Required<Pick<Authenticator, 'reviewToken'>> {
  const { signer } = options
  return {
    async authenticate({ bearerToken }) {
      if (bearerToken === undefined) return undefined
      const { user, error } = await verdict(options, bearerToken, signer.audiences)
      if (error !== undefined) throw new StatusError(unauthorized())
      return user
    },
    reviewToken: (token, audiences) => verdict(options, token, audiences.length === 0 ? signer.audiences : audiences),
  }
}

async function verdict(options: ServiceAccountTokensOptions, token: string, audiences: readonly string[]): Promise<TokenVerdict> {
  const { signer } = options
  const claims = signer.verify(token)
  // A token of another issuer is not ours to judge.
  if (claims === undefined || claims.iss !== signer.issuer) return {}
  const own = [claims.aud ?? []].flat().map(String)
  const shared = audiences.filter((audience) => own.includes(audience))
  if (shared.length === 0) {
    return { error: `token audiences ${quoteList(own)} is invalid for the target audiences ${quoteList(audiences)}` }
  }
  const error = checkTimes(claims, options.now() / 1000) ?? (await checkObjects(options, claims))
  return error === undefined ? { user: userOf(claims), audiences: shared } : { error }
}

function checkTimes({ exp, nbf, iat }: Claims, now: number): string | undefined {
  const time = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise)
  if (now - leewaySeconds > time(exp, Number.POSITIVE_INFINITY)) return 'service account token has expired'
  if (now + leewaySeconds < time(nbf, 0)) return 'service account token is not valid yet'
  if (now + leewaySeconds < time(iat, 0)) return 'service account token is issued in the future'
  return undefined
}

function boundClaims(claims: Claims): BoundClaims {
  return (claims['kubernetes.io'] ?? {}) as BoundClaims
}

/** Why the token ended before its time. */
async function checkObjects({ registry, now }: ServiceAccountTokensOptions, claims: Claims): Promise<string | undefined> {
  const { namespace = '', pod, node, secret, ...rest } = boundClaims(claims)
  const serviceaccount = rest.serviceaccount ?? {}
  const read = (plural: string, { name = '' }: Reference, home = namespace) => find(registry, plural, { namespace: home, name })
  const isGone = (object: UnstructuredObject) => isDeletedBefore(object, now() - leewaySeconds * 1000)
  const account = await read('serviceaccounts', serviceaccount)
  if (account === undefined) return `serviceaccounts "${serviceaccount.name}" not found`
  const { uid = '' } = account.metadata
  if (uid !== serviceaccount.uid) return `service account UID (${uid}) does not match claim (${serviceaccount.uid})`
  if (isGone(account)) return `service account ${namespace}/${serviceaccount.name} has been deleted`
  const bound: readonly (readonly [kind: string, plural: string, reference: Reference | undefined, home?: string])[] = [
    ['secret', 'secrets', secret],
    ['pod', 'pods', pod],
    ['node', 'nodes', pod ? undefined : node, ''],
  ]
  for (const [kind, plural, reference, home] of bound) {
    if (!reference) continue
    const object = await read(plural, reference, home)
    if (object === undefined) return invalidated
    const found = object.metadata.uid ?? ''
    if (found !== reference.uid) return `${kind} UID (${found}) does not match service account ${kind} ref claim (${reference.uid})`
    if (isGone(object)) return invalidated
  }
  return undefined
}

async function find(
  registry: Pick<Registry, 'resource'>,
  plural: string,
  key: { readonly namespace: string; readonly name: string },
): Promise<UnstructuredObject | undefined> {
  try {
    return await registry.resource('', 'v1', plural)?.get(key)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

function isDeletedBefore({ metadata }: UnstructuredObject, timeMs: number): boolean {
  return metadata.deletionTimestamp !== undefined && Date.parse(metadata.deletionTimestamp) < timeMs
}

function userOf(claims: Claims): UserInfo {
  const { namespace = '', serviceaccount = {}, pod, node } = boundClaims(claims)
  const told = (values: Readonly<Record<string, unknown>>) =>
    Object.entries(values).flatMap(([key, value]) => (value ? [[extraPrefix + key, [String(value)]] as const] : []))
  const extra = Object.fromEntries([
    ...told({ 'pod-name': pod?.name, 'pod-uid': pod?.uid }),
    ...told({ 'credential-id': claims.jti ? `JTI=${String(claims.jti)}` : undefined }),
    ...told({ 'node-name': node?.name, 'node-uid': node?.uid }),
  ])
  return {
    name: `${serviceAccountPrefix}${namespace}:${serviceaccount.name}`,
    uid: serviceaccount.uid ?? '',
    groups: serviceAccountGroups(namespace),
    extra,
  }
}

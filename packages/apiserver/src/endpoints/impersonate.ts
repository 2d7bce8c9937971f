import { badRequest, goQuote, StatusError, validateDns1123Subdomain } from 'steersman/api'
import type { TransportRequest } from 'steersman/environment'
import { authenticatedGroup, mastersGroup, serviceAccountGroups, serviceAccountOf } from '../auth/index.js'
import type { Authorizer, RequestInfo, UserInfo } from '../contracts/index.js'
import { refusalOf, requireAllowed } from './authorize.js'
import { anonymous } from './identify.js'

const unauthenticatedGroup = 'system:unauthenticated'
const nodePrefix = 'system:node:'
const nodeNameExtra = 'authentication.kubernetes.io/node-name'

/** Whom the headers of a request name. */
interface WantedUser {
  readonly name: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

/** A way to act as somebody else, and whom it is for. */
interface Mode {
  readonly name: string
  appliesTo(wanted: WantedUser, requestor: UserInfo): boolean
}

/**
 * Ways that allow less than the old verb `impersonate`: they ask for `impersonate:<mode>` of the user and `impersonate-on:<mode>:<verb>` of what the
 * request is about. The first one that allows it counts; a refusal is that of the first one that was tried.
 */
const modes: readonly Mode[] = [
  { name: 'associated-node', appliesTo: (wanted, requestor) => isNameOnly(wanted) && isNodeOf(requestor, wanted.name) },
  { name: 'arbitrary-node', appliesTo: (wanted) => isNameOnly(wanted) && nodeOf(wanted.name) !== undefined },
  { name: 'serviceaccount', appliesTo: (wanted) => isNameOnly(wanted) && serviceAccountOf(wanted.name) !== undefined },
  { name: 'user-info', appliesTo: ({ name }) => nodeOf(name) === undefined && serviceAccountOf(name) === undefined },
]

/** Whom the headers say that the request is made as. @throws {StatusError} BadRequest, Forbidden. */
export async function impersonate(
  authorizer: Authorizer,
  request: TransportRequest,
  requestor: UserInfo,
  info: RequestInfo,
): Promise<UserInfo> {
  const wanted = wantedUser(request.headers)
  if (wanted === undefined) return requestor
  let refusal: unknown
  for (const mode of modes) {
    if (!mode.appliesTo(wanted, requestor)) continue
    try {
      await requireAllowed(authorizer, requestor, { ...info, verb: `impersonate-on:${mode.name}:${info.verb}` })
      return await actAs(authorizer, requestor, wanted, mode.name)
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      refusal ??= error
    }
  }
  try {
    return await actAs(authorizer, requestor, wanted)
  } catch (error) {
    throw refusal ?? error
  }
}

/** @throws {StatusError} BadRequest when something is wanted of a user that is not named. */
function wantedUser(headers: TransportRequest['headers']): WantedUser | undefined {
  if (!namesSomebody(headers)) return undefined
  const name = headers['impersonate-user'] ?? ''
  const uid = headers['impersonate-uid'] ?? ''
  const groups = splitValues(headers['impersonate-group'])
  const extra = extraOf(headers)
  if (name !== '') return { name, uid, groups, extra }
  if (uid === '' && groups.length === 0 && Object.keys(extra).length === 0) return undefined
  throw new StatusError(badRequest(`requested ${goUser({ name, uid, groups, extra })} without impersonating a user name`))
}

/** Nearly no request does, so this looks at no more than it must. */
function namesSomebody(headers: TransportRequest['headers']): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true
  return false
}

/** A user as Go's verb `%#v` writes it. */
function goUser({ name, uid, groups, extra }: WantedUser): string {
  const strings = (values: readonly string[]) => `[]string${values.length === 0 ? '(nil)' : `{${values.map(goQuote).join(', ')}}`}`
  const entries = Object.entries(extra).map(([key, values]) => `${goQuote(key)}:${strings(values)}`)
  const map = `map[string][]string${entries.length === 0 ? '(nil)' : `{${entries.join(', ')}}`}`
  return `&user.DefaultInfo{Name:${goQuote(name)}, UID:${goQuote(uid)}, Groups:${strings(groups)}, Extra:${map}}`
}

function splitValues(header: string | undefined): string[] {
  return header === undefined ? [] : header.split(',').map((value) => value.trim())
}

const extraPrefix = 'impersonate-extra-'

function extraOf(headers: TransportRequest['headers']): Record<string, readonly string[]> {
  const extra = new Map<string, readonly string[]>()
  for (const [header, value] of Object.entries(headers)) {
    if (!header.startsWith(extraPrefix)) continue
    const key = decodeHeaderKey(header.slice(extraPrefix.length))
    extra.set(key, [...(extra.get(key) ?? []), ...splitValues(value)])
  }
  return Object.fromEntries(extra)
}

function decodeHeaderKey(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    // A key that is not percent-encoded stands for itself.
    return key
  }
}

/** What the authorizer is asked for, one part of the wanted user at a time. */
interface Claim {
  readonly group: string
  readonly resource: string
  readonly subresource?: string
  readonly name: string
  readonly namespace?: string
}

/** The user, if the requestor may be it. `mode`: absent for the old verb. @throws {StatusError} Forbidden. */
async function actAs(authorizer: Authorizer, requestor: UserInfo, wanted: WantedUser, mode?: string): Promise<UserInfo> {
  const { name, uid, groups, extra } = wanted
  const verb = mode === undefined ? 'impersonate' : `impersonate:${mode}`
  if (mode !== undefined) refusePowerfulGroups(requestor, verb, groups)
  for (const claim of claims(wanted, mode !== undefined)) await requireAllowed(authorizer, requestor, requestFor(verb, claim))
  return {
    name,
    groups: completeGroups(name, groups.length > 0 ? groups : fixedGroups(name, mode)),
    ...(uid === '' ? {} : { uid }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}

/** @throws {StatusError} Forbidden for groups that only the old verb gives. */
function refusePowerfulGroups(requestor: UserInfo, verb: string, groups: readonly string[]): void {
  const refused = groups.includes('') ? '' : groups.includes(mastersGroup) ? mastersGroup : undefined
  if (refused === undefined) return
  const claim = requestFor(verb, { group: 'authentication.k8s.io', resource: 'groups', name: refused })
  throw refusalOf(requestor, claim, `impersonating the ${refused || 'empty string'} group is not allowed`)
}

function requestFor(verb: string, { group, resource, subresource = '', name, namespace = '' }: Claim): RequestInfo {
  return { isResourceRequest: true, path: '', verb, version: 'v1', group, resource, subresource, name, namespace }
}

function claims({ name, uid, groups, extra }: WantedUser, isConstrained: boolean): Claim[] {
  const authentication = 'authentication.k8s.io'
  const group = isConstrained ? authentication : ''
  return [
    userClaim(name, group, isConstrained),
    ...(uid === '' ? [] : [{ group: authentication, resource: 'uids', name: uid }]),
    ...groups.map((member) => ({ group, resource: 'groups', name: member })),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => ({ group: authentication, resource: 'userextras', subresource: key, name: value })),
    ),
  ]
}

function userClaim(name: string, group: string, isConstrained: boolean): Claim {
  const account = serviceAccountOf(name)
  if (account !== undefined) return { group, resource: 'serviceaccounts', ...account }
  const node = isConstrained ? nodeOf(name) : undefined
  return node === undefined ? { group, resource: 'users', name } : { group, resource: 'nodes', name: node }
}

/** Groups that follow from the name. */
function fixedGroups(name: string, mode: string | undefined): readonly string[] {
  const account = serviceAccountOf(name)
  if (account !== undefined) return serviceAccountGroups(account.namespace)
  return mode !== undefined && nodeOf(name) !== undefined ? ['system:nodes'] : []
}

function completeGroups(name: string, groups: readonly string[]): readonly string[] {
  const missing = name === anonymous.name ? unauthenticatedGroup : authenticatedGroup
  if (groups.includes(missing) || groups.includes(unauthenticatedGroup)) return groups
  return [...groups, missing]
}

function isNameOnly({ uid, groups, extra }: WantedUser): boolean {
  return uid === '' && groups.length === 0 && Object.keys(extra).length === 0
}

function nodeOf(user: string): string | undefined {
  if (!user.startsWith(nodePrefix)) return undefined
  const name = user.slice(nodePrefix.length)
  return validateDns1123Subdomain(name).length === 0 ? name : undefined
}

/** Whether a service account asks whose token is bound to this node. */
function isNodeOf({ name, extra }: UserInfo, user: string): boolean {
  const node = nodeOf(user)
  const [own, ...others] = extra?.[nodeNameExtra] ?? []
  return node !== undefined && own === node && others.length === 0 && serviceAccountOf(name) !== undefined
}

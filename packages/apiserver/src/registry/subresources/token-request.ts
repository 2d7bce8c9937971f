import type { FieldError, ObjectKey, UnstructuredObject } from 'steersman/api'
import { badRequest, conflict, fieldError, fieldPath, invalid, methodNotAllowed, notFound, StatusError } from 'steersman/api'
import type { BoundObjectReference, TokenRequest, TokenRequestSpec } from 'steersman/api/types/authentication/v1'
import { deepFreeze } from 'steersman/internal'
import type { ServedSubresource, SubresourceStore, TokenSigner, UpdateResult, WriteRequest } from '../../contracts/index.js'
import type { CreateSubresource } from '../builtin-kind.js'
import type { Decode } from '../store.js'
import type { StoreContext } from '../store-context.js'
import { admissionAttributes, resourcePrefix, storageKey, timestamp } from '../store-context.js'

const group = 'authentication.k8s.io'
const kind = 'TokenRequest'
const specPath = fieldPath('spec')

const defaultExpirationSeconds = 3_600
const minExpirationSeconds = 600
const maxExpirationSeconds = 2 ** 32
/** Pods are given tokens of this life; they get a longer one, and a time from which their use is looked at. */
const extendedExpirationSeconds = 3_607
const extensionSeconds = 365 * 24 * 3_600

/** Name and uid of an object, as a token carries them. */
interface Reference {
  readonly name: string
  readonly uid?: string
}

/** The `token` subresource of service accounts: makes tokens that this server takes for the account. */
export class TokenRequestSubresource implements SubresourceStore {
  readonly served: ServedSubresource
  readonly decode: Decode
  readonly #context: StoreContext
  readonly #signer: TokenSigner

  constructor(served: ServedSubresource, context: StoreContext, decode: Decode, signer: TokenSigner) {
    this.served = served
    this.decode = decode
    this.#context = context
    this.#signer = signer
  }

  get(): Promise<UnstructuredObject> {
    return this.#refuse('get')
  }

  update(): Promise<UpdateResult> {
    return this.#refuse('update')
  }

  async create(key: ObjectKey, body: UnstructuredObject, write: WriteRequest): Promise<UnstructuredObject> {
    const { name, namespace = '' } = key
    const asked = body as unknown as TokenRequest
    const given = asked.metadata?.name
    if (given && given !== name) {
      const error = fieldError.invalid('metadata.name', given, 'must match the service account name if specified')
      throw new StatusError(invalid(kind, group, name, [error]))
    }
    const account = await this.#read(storageKey(this.#context, namespace, name), this.#context.type, name)
    const uid = account.metadata.uid ?? ''
    if (asked.metadata?.uid && asked.metadata.uid !== uid) {
      const reason = `the UID in the token request (${asked.metadata.uid}) does not match the UID of the service account (${uid})`
      throw new StatusError(conflict({ group, plural: kind }, name, reason))
    }
    const { request, nowMs } = this.#completed(asked, { name, namespace, uid })
    const errors = validate(request.spec)
    if (errors.length > 0) throw new StatusError(invalid(kind, group, '', errors))
    await this.#validateByAdmission(key, request, write)
    const bound = await this.#boundObjects(request.spec, namespace, name)
    const token = this.#sign(request.spec, { name, namespace, uid }, bound, nowMs)
    const expirationTimestamp = timestamp(nowMs + (request.spec.expirationSeconds ?? 0) * 1000)
    return deepFreeze({ ...request, status: { token, expirationTimestamp } }) as unknown as UnstructuredObject
  }

  /** The request with its defaults, and when it was made. */
  #completed(asked: TokenRequest, account: { readonly name: string; readonly namespace: string; readonly uid: string }) {
    const nowMs = this.#context.environment.now()
    const spec: TokenRequestSpec = asked.spec ?? {}
    const audiences = (spec.audiences ?? []).length > 0 ? spec.audiences : this.#signer.audiences
    const expirationSeconds = spec.expirationSeconds ?? defaultExpirationSeconds
    const metadata = { ...asked.metadata, ...account, creationTimestamp: timestamp(nowMs) }
    const request = { ...asked, metadata, spec: { ...spec, audiences, boundObjectRef: spec.boundObjectRef ?? null, expirationSeconds } }
    return { request: request as unknown as TokenRequest & { readonly spec: TokenRequestSpec }, nowMs }
  }

  async #validateByAdmission(key: ObjectKey, request: TokenRequest, write: WriteRequest): Promise<void> {
    const object = deepFreeze({ ...request }) as unknown as UnstructuredObject
    const attributes = admissionAttributes(this.#context, write, { operation: 'CREATE', subresource: 'token', key, object })
    await write.admission.admit?.(attributes)
    await write.admission.validate?.(attributes)
  }

  /** What the token is good with: a pod and its node, a node, or a secret. */
  async #boundObjects(spec: TokenRequestSpec, namespace: string, account: string): Promise<Readonly<Record<string, Reference>>> {
    const reference = spec.boundObjectRef
    if (!reference) return {}
    const { apiVersion = '', kind: boundKind = '', name = '' } = reference
    const plural = apiVersion.includes('/') ? undefined : boundPlurals[boundKind]
    if (plural === undefined) {
      const type = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`
      throw new StatusError(badRequest(`cannot bind token to object of type ${type}, Kind=${boundKind}`))
    }
    const path = `${resourcePrefix('', plural)}${plural === 'nodes' ? '' : `${namespace}/`}${name}`
    const object = await this.#read(path, { group: '', plural }, name)
    const nodeName = boundKind === 'Pod' ? accountPodNode(object, account) : ''
    checkBoundUid(reference, object)
    const bound = { [boundKind.toLowerCase()]: { name, uid: object.metadata.uid ?? '' } }
    return nodeName === '' ? bound : { ...bound, node: await this.#nodeReference(nodeName) }
  }

  /** A node that does not exist is still told by its name. */
  async #nodeReference(name: string): Promise<Reference> {
    const node = await this.#context.storage.get(resourcePrefix('', 'nodes') + name)
    return node?.metadata.uid === undefined ? { name } : { name, uid: node.metadata.uid }
  }

  async #read(path: string, type: { readonly group: string; readonly plural: string }, name: string): Promise<UnstructuredObject> {
    const found = await this.#context.storage.get(path)
    if (found === undefined) throw new StatusError(notFound(type, name))
    return found
  }

  #sign(
    spec: TokenRequestSpec,
    account: { readonly name: string; readonly namespace: string; readonly uid: string },
    bound: Readonly<Record<string, Reference>>,
    nowMs: number,
  ): string {
    const { name, namespace, uid } = account
    const now = Math.floor(nowMs / 1000)
    const audiences = spec.audiences ?? []
    const asked = spec.expirationSeconds ?? 0
    const isForServer = audiences.every((audience) => this.#signer.audiences.includes(audience))
    const isExtended = bound.pod !== undefined && asked === extendedExpirationSeconds && isForServer
    return this.#signer.sign({
      aud: audiences,
      exp: now + (isExtended ? extensionSeconds : asked),
      iat: now,
      jti: this.#context.environment.uuid(),
      'kubernetes.io': {
        namespace,
        ...bound,
        serviceaccount: { name, uid },
        ...(isExtended ? { warnafter: now + asked } : {}),
      },
      nbf: now,
      sub: `system:serviceaccount:${namespace}:${name}`,
    })
  }

  #refuse(verb: string): Promise<never> {
    return Promise.reject(new StatusError(methodNotAllowed(this.#context.type, verb)))
  }
}

/** Makes the subresource. The registry serves it only where tokens can be signed. */
export const createTokenRequest: CreateSubresource = (served, context, decode) => {
  const { tokenSigner } = context
  if (tokenSigner === undefined) throw new TypeError('Cannot serve tokens of service accounts: nothing signs them')
  return new TokenRequestSubresource(served, context, decode, tokenSigner)
}

const boundPlurals: Readonly<Record<string, string>> = { Pod: 'pods', Node: 'nodes', Secret: 'secrets' }

/** The node of a pod that runs as the account. @throws {StatusError} BadRequest for the pod of another. */
function accountPodNode(pod: UnstructuredObject, account: string): string {
  const { serviceAccountName, nodeName = '' } = (pod.spec ?? {}) as { readonly serviceAccountName?: string; readonly nodeName?: string }
  if (serviceAccountName === account) return nodeName
  const message = `cannot bind token for serviceaccount "${account}" to pod running with different serviceaccount name.`
  throw new StatusError(badRequest(message))
}

function checkBoundUid({ uid, kind: boundKind = '', name = '' }: BoundObjectReference, object: UnstructuredObject): void {
  if (!uid || uid === object.metadata.uid) return
  const reason = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`
  throw new StatusError(conflict({ group: '', plural: boundKind }, name, reason))
}

function validate({ expirationSeconds: given, attestations }: TokenRequestSpec): FieldError[] {
  const expirationSeconds = given ?? 0
  if (Object.keys(attestations ?? {}).length > 0) {
    const detail = 'attestations may only be specified with a webhook bound object reference'
    return [fieldError.invalid(specPath.child('attestations'), attestations, detail)]
  }
  const path = specPath.child('expirationSeconds')
  if (expirationSeconds < minExpirationSeconds) {
    return [fieldError.invalid(path, expirationSeconds, 'may not specify a duration less than 10 minutes')]
  }
  if (expirationSeconds > maxExpirationSeconds) {
    return [fieldError.invalid(path, expirationSeconds, 'may not specify a duration larger than 2^32 seconds')]
  }
  return []
}

/**
 * Owner references: dependents name their owners; the garbage collector deletes a dependent whose owners are all gone.
 */
import type { GroupVersionKind } from './gvk.js'
import { apiVersionOf, gvkText, parseApiVersion } from './gvk.js'
import type { KubernetesObject, OwnerReference } from './meta.js'

/** A dependent has a controller already: only one may manage it. */
export class AlreadyOwnedError extends Error {
  readonly code = 'ALREADY_OWNED'
  /** The controller it has. */
  readonly owner: OwnerReference

  constructor(object: KubernetesObject, owner: OwnerReference) {
    super(
      `Cannot set controller reference on ${describe(object)}: object is already owned by another controller: ${owner.kind} "${owner.name}" (uid ${owner.uid})`,
    )
    this.name = 'AlreadyOwnedError'
    this.owner = owner
  }
}

/** An owner that a reference can name: one that the server has stored. */
export interface Owner extends KubernetesObject {
  readonly metadata: KubernetesObject['metadata'] & { readonly name?: string; readonly uid?: string }
}

/** How an owner reference is made. */
export interface OwnerReferenceOptions {
  /**
   * Whether the owner, deleted in the foreground, waits for this dependent.
   * @default false; true for `controllerReference`
   */
  readonly blockOwnerDeletion?: boolean
}

/**
 * A reference to an owner that does not manage the dependent.
 *
 * @throws TypeError when the owner has no name or uid: it was never stored.
 */
export function ownerReference(type: GroupVersionKind, owner: Owner, options: OwnerReferenceOptions = {}): OwnerReference {
  const reference = baseReference(type, owner)
  return options.blockOwnerDeletion === undefined ? reference : { ...reference, blockOwnerDeletion: options.blockOwnerDeletion }
}

/**
 * A reference to the owner that manages the dependent (`controller: true`). An object has at most one.
 *
 * @throws TypeError when the owner has no name or uid: it was never stored.
 */
export function controllerReference(type: GroupVersionKind, owner: Owner, options: OwnerReferenceOptions = {}): OwnerReference {
  return { ...baseReference(type, owner), controller: true, blockOwnerDeletion: options.blockOwnerDeletion ?? true }
}

function baseReference(type: GroupVersionKind, owner: Owner): OwnerReference {
  const { name, uid } = owner.metadata
  if (!name || !uid) {
    throw new TypeError(
      `Cannot refer to an owner of kind ${gvkText(type)}: it has no ${name ? 'uid' : 'name'}; only an object that the server stored can own`,
    )
  }
  return { apiVersion: apiVersionOf(type), kind: type.kind, name, uid }
}

/** The reference to the owner that manages the object, if any. */
export function controllerOf(object: KubernetesObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true)
}

/** Whether the object names the owner among its owners, as its controller or not. The uid decides. */
export function isOwnedBy(object: KubernetesObject, owner: Owner): boolean {
  return object.metadata.ownerReferences?.some((reference) => reference.uid === owner.metadata.uid) ?? false
}

/** Whether the owner manages the object. The uid decides. */
export function isControlledBy(object: KubernetesObject, owner: Owner): boolean {
  const reference = controllerOf(object)
  return reference !== undefined && reference.uid === owner.metadata.uid
}

/**
 * The object with the owner as its controller; the same object when it is already.
 *
 * A reference to the same owner (same group, kind and name, whatever the version and uid) is replaced in its place.
 *
 * @throws AlreadyOwnedError when another controller manages it.
 * @throws TypeError when the owner is in a namespace and the object in none or another: the garbage collector would delete it.
 */
export function withControllerReference<Resource extends KubernetesObject>(
  object: Resource,
  type: GroupVersionKind,
  owner: Owner,
  options: OwnerReferenceOptions = {},
): Resource {
  const present = controllerOf(object)
  if (present !== undefined && !isSameOwner(present, { type, name: owner.metadata.name })) throw new AlreadyOwnedError(object, present)
  return withReference(object, owner, controllerReference(type, owner, options))
}

/**
 * The object with the owner among its owners; the same object when it is already.
 *
 * @throws TypeError when the owner is in a namespace and the object in none or another.
 */
export function withOwnerReference<Resource extends KubernetesObject>(
  object: Resource,
  type: GroupVersionKind,
  owner: Owner,
  options: OwnerReferenceOptions = {},
): Resource {
  return withReference(object, owner, ownerReference(type, owner, options))
}

function withReference<Resource extends KubernetesObject>(object: Resource, owner: Owner, reference: OwnerReference): Resource {
  refuseOtherNamespace(object, owner)
  const references = object.metadata.ownerReferences ?? []
  const gvk = { type: { ...parseApiVersion(reference.apiVersion), kind: reference.kind }, name: reference.name }
  const index = references.findIndex((candidate) => isSameOwner(candidate, gvk))
  const before = references[index]
  if (before !== undefined && isSameReference(before, reference)) return object
  const ownerReferences = before === undefined ? [...references, reference] : references.with(index, reference)
  return { ...object, metadata: { ...object.metadata, ownerReferences } }
}

function refuseOtherNamespace(object: KubernetesObject, owner: Owner): void {
  const ownerNamespace = owner.metadata.namespace ?? ''
  const namespace = object.metadata.namespace ?? ''
  if (ownerNamespace === '' || ownerNamespace === namespace) return
  const problem =
    namespace === ''
      ? `cluster-scoped resource must not have a namespace-scoped owner, owner's namespace ${ownerNamespace}`
      : `cross-namespace owner references are disallowed, owner's namespace ${ownerNamespace}, obj's namespace ${namespace}`
  throw new TypeError(`Cannot set owner reference on ${describe(object)}: ${problem}`)
}

interface OwnerName {
  readonly type: { readonly group: string; readonly kind: string }
  readonly name: string | undefined
}

function isSameOwner(reference: OwnerReference, owner: OwnerName): boolean {
  const [group] = reference.apiVersion.includes('/') ? reference.apiVersion.split('/') : ['']
  return group === owner.type.group && reference.kind === owner.type.kind && reference.name === owner.name
}

function isSameReference(a: OwnerReference, b: OwnerReference): boolean {
  return (
    a.apiVersion === b.apiVersion &&
    a.kind === b.kind &&
    a.name === b.name &&
    a.uid === b.uid &&
    a.controller === b.controller &&
    a.blockOwnerDeletion === b.blockOwnerDeletion
  )
}

function describe({ kind, metadata }: KubernetesObject): string {
  const name = metadata.name ?? metadata.generateName ?? ''
  return `${kind ?? 'object'} "${metadata.namespace ? `${metadata.namespace}/` : ''}${name}"`
}

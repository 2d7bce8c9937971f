import { controllerReference, isConflict, isInvalid, isNotFound, mergePatch } from 'steersman'
import type { AnyResourceType, KubernetesObject, ResourceOf } from 'steersman/api'
import type { Client, Reader } from 'steersman/client'
import { controllerOwner } from './pod-state.js'

/** Who claims, and what. */
export interface Claim<Type extends AnyResourceType> {
  readonly client: Client
  /** Reads the owner again before something is adopted: a cache may not know yet that it is being deleted. */
  readonly liveReader: Reader
  readonly ownerType: AnyResourceType
  readonly owner: KubernetesObject & { readonly metadata: { readonly name: string; readonly uid: string } }
  readonly type: Type
  /** Whether the owner's selector matches. */
  readonly matches: (object: ResourceOf<Type> & KubernetesObject) => boolean
}

/**
 * The candidates that belong to the owner: its own that match, and orphans that match, which it adopts. Its own that no longer match are released.
 *
 * Nothing is adopted when the owner is being deleted, or when a live read shows that it is another object of the same name by now.
 */
export async function claimDependents<Type extends AnyResourceType>(
  claim: Claim<Type>,
  candidates: readonly (ResourceOf<Type> & KubernetesObject)[],
): Promise<ResourceOf<Type>[]> {
  const { liveReader, owner, ownerType, matches } = claim
  let mayAdopt: boolean | undefined
  const claimed: ResourceOf<Type>[] = []
  for (const candidate of candidates) {
    const controller = controllerOwner(candidate)
    if (controller !== undefined) {
      if (controller.uid !== owner.metadata.uid) continue
      if (matches(candidate)) claimed.push(candidate)
      else if (owner.metadata.deletionTimestamp === undefined) await release(claim, candidate)
      continue
    }
    if (!matches(candidate) || candidate.metadata.deletionTimestamp !== undefined || owner.metadata.deletionTimestamp !== undefined)
      continue
    mayAdopt ??= await isStillThere(liveReader, ownerType, owner)
    const adopted = mayAdopt ? await adopt(claim, candidate) : undefined
    if (adopted !== undefined) claimed.push(adopted)
  }
  return claimed
}

async function isStillThere(reader: Reader, type: AnyResourceType, owner: Claim<AnyResourceType>['owner']): Promise<boolean> {
  try {
    const fresh: KubernetesObject = await reader.get(type, keyOf(owner))
    return fresh.metadata.uid === owner.metadata.uid && fresh.metadata.deletionTimestamp === undefined
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

async function adopt<Type extends AnyResourceType>(claim: Claim<Type>, object: KubernetesObject): Promise<ResourceOf<Type> | undefined> {
  const reference = controllerReference(claim.ownerType, claim.owner as never)
  const ownerReferences = [...(object.metadata.ownerReferences ?? []), reference]
  return patchOwners(claim, object, ownerReferences)
}

async function release<Type extends AnyResourceType>(claim: Claim<Type>, object: KubernetesObject): Promise<void> {
  const ownerReferences = (object.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== claim.owner.metadata.uid)
  await patchOwners(claim, object, ownerReferences)
}

/** `undefined` when somebody else was quicker: the next reconcile sees what they did. */
async function patchOwners<Type extends AnyResourceType>(
  claim: Claim<Type>,
  object: KubernetesObject,
  ownerReferences: readonly unknown[],
): Promise<ResourceOf<Type> | undefined> {
  const { uid, resourceVersion } = object.metadata
  try {
    return await claim.client.patch(claim.type, keyOf(object), mergePatch({ metadata: { uid, resourceVersion, ownerReferences } }))
  } catch (error) {
    if (isNotFound(error) || isConflict(error) || isInvalid(error)) return undefined
    throw error
  }
}

export function keyOf(object: KubernetesObject): { readonly namespace?: string; readonly name: string } {
  const { name, namespace } = object.metadata
  if (name === undefined) throw new TypeError(`A ${object.kind ?? 'object'} without a name was not read from a server`)
  return { name, ...(namespace === undefined ? {} : { namespace }) }
}

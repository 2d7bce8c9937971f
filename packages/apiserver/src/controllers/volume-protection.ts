import { type ControllerHost, controllerManagedBy, enqueueRequestsFromMap, ignoreNotFound } from 'steersman'
import type { KubernetesObject, ResourceType, Stored } from 'steersman/api'
import { PersistentVolume, PersistentVolumeClaim, Pod } from 'steersman/api/types/core/v1'
import { VolumeAttributesClass } from 'steersman/api/types/storage/v1'
import type { Client } from 'steersman/client'
import { retryingOutdated } from './outdated.js'
import { controllerOwner } from './pod-state.js'

/** Keeps a claim that is being deleted until no pod on a node uses it. */
export function addPersistentVolumeClaimProtection(manager: ControllerHost): void {
  const protection = protect(PersistentVolumeClaim, 'kubernetes.io/pvc-protection', async (claim, client) => {
    // The kubelet starts no pod with a claim that is being deleted, so that only what has a node counts.
    const { items } = await (manager.liveClient ?? client).list(Pod, { namespace: claim.metadata.namespace ?? '' })
    return items.some((pod) => Boolean(pod.spec?.nodeName) && usesClaim(pod, claim))
  })
  controllerManagedBy(manager)
    .named('persistentvolumeclaim-protection-controller')
    .for(PersistentVolumeClaim)
    .watches(
      Pod,
      enqueueRequestsFromMap((pod: Pod) => claimNames(pod).map((name) => ({ name, namespace: pod.metadata.namespace ?? '', cluster: '' }))),
    )
    .complete(protection)
}

/** Keeps a volume that is being deleted until it is no longer bound. */
export function addPersistentVolumeProtection(manager: ControllerHost): void {
  controllerManagedBy(manager)
    .named('persistentvolume-protection-controller')
    .for(PersistentVolume)
    .complete(protect(PersistentVolume, 'kubernetes.io/pv-protection', async ({ status }) => status?.phase === 'Bound'))
}

/** Keeps a volume attributes class that is being deleted until no volume and no claim has it. */
export function addVolumeAttributesClassProtection(manager: ControllerHost): void {
  const toClass = (names: readonly (string | undefined)[]) =>
    names.filter((name) => name !== undefined && name !== '').map((name) => ({ name: name ?? '', namespace: '', cluster: '' }))
  controllerManagedBy(manager)
    .named('volumeattributesclass-protection-controller')
    .for(VolumeAttributesClass)
    .watches(
      PersistentVolumeClaim,
      enqueueRequestsFromMap((claim: PersistentVolumeClaim) => toClass(classNames(claim))),
    )
    .watches(
      PersistentVolume,
      enqueueRequestsFromMap((volume: PersistentVolume) => toClass([volume.spec?.volumeAttributesClassName])),
    )
    .complete(
      protect(VolumeAttributesClass, 'kubernetes.io/vac-protection', async ({ metadata: { name } }, client) => {
        const [volumes, claims] = [await client.list(PersistentVolume), await client.list(PersistentVolumeClaim)]
        const hasVolume = volumes.items.some(({ spec }) => spec?.volumeAttributesClassName === name)
        return hasVolume || claims.items.some((claim) => classNames(claim).includes(name))
      }),
    )
}

/** A reconcile that takes the finalizer from what is deleted and not used, and gives it to what is there and lacks it. */
function protect<Resource extends KubernetesObject>(
  type: ResourceType<Resource>,
  finalizer: string,
  isUsed: (object: Stored<Resource>, client: Client) => Promise<boolean>,
) {
  return retryingOutdated(async (request, { client }) => {
    const object = await client.get(type, request).catch(ignoreNotFound)
    if (object === undefined) return
    const { finalizers = [], deletionTimestamp } = object.metadata
    const isProtected = finalizers.includes(finalizer)
    const write = (next: readonly string[]) =>
      client.update(type, { ...object, metadata: { ...object.metadata, finalizers: next } } as never)
    if (deletionTimestamp === undefined) {
      if (!isProtected) await write([...finalizers, finalizer])
    } else if (isProtected && !(await isUsed(object as Stored<Resource>, client))) {
      await write(finalizers.filter((other) => other !== finalizer))
    }
  })
}

/** The claims of a pod: those that it names, and those that were made for it. */
function claimNames({ metadata, spec }: Pod): readonly string[] {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName]
    return ephemeral === undefined ? [] : [`${metadata.name}-${name}`]
  })
}

function usesClaim(pod: Pod, claim: PersistentVolumeClaim): boolean {
  const { name } = claim.metadata
  const isShutDown = pod.metadata.deletionTimestamp !== undefined && pod.metadata.deletionGracePeriodSeconds === 0
  return (pod.spec?.volumes ?? []).some((volume) => {
    if (volume.persistentVolumeClaim !== undefined) return volume.persistentVolumeClaim.claimName === name
    const isMadeForIt = volume.ephemeral !== undefined && `${pod.metadata.name}-${volume.name}` === name
    return isMadeForIt && !isShutDown && controllerOwner(claim)?.uid === pod.metadata.uid
  })
}

function classNames({ spec, status }: PersistentVolumeClaim): readonly (string | undefined)[] {
  return [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ]
}

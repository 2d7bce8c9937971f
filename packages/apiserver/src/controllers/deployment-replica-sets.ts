import { controllerReference, isAlreadyExists, structuredCopy } from 'steersman'
import { Deployment, ReplicaSet } from 'steersman/api/types/apps/v1'
import type { PodTemplateSpec } from 'steersman/api/types/core/v1'
import type { Client } from 'steersman/client'
import { deepEqual } from 'steersman/internal'
import { desiredReplicasAnnotation, limitsOf, maxReplicasAnnotation, type ReplicaCount, scaleNew } from './deployment-rollout.js'

export const hashLabel = 'pod-template-hash'
export const revisionAnnotation = 'deployment.kubernetes.io/revision'
const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'
/** Annotations that belong to the Deployment or to the ReplicaSet alone and are not copied down. */
const ownAnnotations = new Set([
  lastAppliedAnnotation,
  revisionAnnotation,
  'deployment.kubernetes.io/revision-history',
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  'deprecated.deployment.rollback.to',
])

/** The oldest ReplicaSet that has the Deployment's template, hash label aside. */
export function findNewReplicaSet(deployment: Deployment, replicaSets: readonly ReplicaSet[]): ReplicaSet | undefined {
  return [...replicaSets]
    .sort(
      (left, right) =>
        compareText(left.metadata.creationTimestamp, right.metadata.creationTimestamp) ||
        compareText(left.metadata.name, right.metadata.name),
    )
    .find((replicaSet) => deepEqual(withoutHash(replicaSet.spec?.template), withoutHash(deployment.spec?.template)))
}

export function revisionOf(object: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } }): number {
  return Number(object.metadata.annotations?.[revisionAnnotation] ?? 0) || 0
}

/** What {@link ensureNewReplicaSet} found or made. */
export interface EnsuredReplicaSet {
  readonly replicaSet: ReplicaSet
  readonly isCreated: boolean
}

/** Finds or creates the ReplicaSet of the present template and gives it the highest revision. `undefined`: its name was taken, try again. */
export async function ensureNewReplicaSet(
  client: Client,
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[],
): Promise<EnsuredReplicaSet | undefined> {
  const existing = findNewReplicaSet(deployment, replicaSets)
  const highest = Math.max(0, ...replicaSets.filter((replicaSet) => replicaSet !== existing).map(revisionOf))
  if (existing === undefined) return createReplicaSet(client, deployment, replicaSets, highest + 1)
  return { replicaSet: await syncReplicaSet(client, deployment, existing, highest + 1), isCreated: false }
}

async function syncReplicaSet(client: Client, deployment: Deployment, replicaSet: ReplicaSet, revision: number): Promise<ReplicaSet> {
  const draft = structuredCopy(replicaSet)
  draft.metadata.annotations = {
    ...draft.metadata.annotations,
    ...inheritedAnnotations(deployment),
    [revisionAnnotation]: String(Math.max(revisionOf(replicaSet), revision)),
  }
  if (draft.spec !== undefined) {
    const { minReadySeconds } = deployment.spec ?? {}
    if (minReadySeconds === undefined || minReadySeconds === 0) delete draft.spec.minReadySeconds
    else draft.spec.minReadySeconds = minReadySeconds
  }
  return deepEqual(draft, replicaSet) ? replicaSet : client.update(ReplicaSet, draft as never)
}

async function createReplicaSet(
  client: Client,
  deployment: Deployment,
  old: readonly ReplicaSet[],
  revision: number,
): Promise<EnsuredReplicaSet | undefined> {
  const template = withoutHash(deployment.spec?.template) ?? {}
  const hash = templateHash(template, deployment.status?.collisionCount)
  const name = `${deployment.metadata.name}-${hash}`
  const limits = limitsOf(deployment)
  const none: ReplicaCount = { name, desired: 0, available: 0, createdAtMs: 0 }
  const oldCounts = old.map((replicaSet) => ({ ...none, desired: replicaSet.spec?.replicas ?? 0 }))
  const labels = { ...template.metadata?.labels, [hashLabel]: hash }
  const selector = deployment.spec?.selector ?? {}
  try {
    const replicaSet = await client.create(ReplicaSet, {
      metadata: {
        name,
        namespace: deployment.metadata.namespace as string,
        labels,
        annotations: {
          ...inheritedAnnotations(deployment),
          [revisionAnnotation]: String(revision),
          [desiredReplicasAnnotation]: String(limits.replicas),
          [maxReplicasAnnotation]: String(limits.replicas + limits.maxSurge),
        },
        ownerReferences: [controllerReference(Deployment, deployment)],
      },
      spec: {
        replicas: scaleNew(limits, none, deployment.spec?.strategy?.type === 'Recreate' ? [] : oldCounts),
        ...(deployment.spec?.minReadySeconds ? { minReadySeconds: deployment.spec.minReadySeconds } : {}),
        selector: { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    })
    return { replicaSet, isCreated: true }
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
    await countCollision(client, deployment, name)
    return undefined
  }
}

/** A ReplicaSet of this name with another template or another owner: the next name is made with another salt. */
async function countCollision(client: Client, deployment: Deployment, name: string): Promise<void> {
  const taken = await client.get(ReplicaSet, { namespace: deployment.metadata.namespace as string, name })
  const isOurs =
    taken.metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === deployment.metadata.uid) === true
  if (isOurs && deepEqual(withoutHash(taken.spec?.template), withoutHash(deployment.spec?.template))) return
  const draft = structuredCopy(deployment)
  draft.status = { ...draft.status, collisionCount: (draft.status?.collisionCount ?? 0) + 1 }
  await client.status.update(Deployment, draft as never)
}

function inheritedAnnotations(deployment: Deployment): Record<string, string> {
  return Object.fromEntries(Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => !ownAnnotations.has(name)))
}

function withoutHash(template: PodTemplateSpec | undefined): PodTemplateSpec | undefined {
  const labels = template?.metadata?.labels
  if (template === undefined || labels === undefined || !(hashLabel in labels)) return template
  const rest = Object.fromEntries(Object.entries(labels).filter(([name]) => name !== hashLabel))
  return { ...template, metadata: { ...template.metadata, labels: rest } }
}

/** A short name for a template: stable for equal templates; letters and digits that make no words. The value itself is not an interface. */
function templateHash(template: PodTemplateSpec, collisionCount: number | undefined): string {
  const alphabet = 'bcdfghjklmnpqrstvwxz2456789'
  let hash = 0x811c9dc5
  for (const char of JSON.stringify(template) + (collisionCount ?? '')) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  }
  let text = ''
  for (let rest = hash; text.length < 10; rest = Math.floor(rest / 3) ^ Math.imul(hash, text.length + 7))
    text += alphabet[(rest >>> 0) % alphabet.length]
  return text
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

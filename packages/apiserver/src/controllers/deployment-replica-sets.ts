import { controllerReference, isAlreadyExists } from 'steersman'
import { safeEncodeName, stringifyJson } from 'steersman/api'
import { Deployment, ReplicaSet } from 'steersman/api/types/apps/v1'
import type { PodTemplateSpec } from 'steersman/api/types/core/v1'
import type { Client, Reader } from 'steersman/client'
import { deepEqual } from 'steersman/internal'
import { desiredReplicasAnnotation, limitsOf, maxReplicasAnnotation, type ReplicaCount, scaleNew } from './deployment-rollout.js'

const hashLabel = 'pod-template-hash'
export const revisionAnnotation = 'deployment.kubernetes.io/revision'
const revisionHistoryAnnotation = 'deployment.kubernetes.io/revision-history'
const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'
const maxNameLength = 253
const maxRevisionHistoryLength = 2000

/** Annotations that belong to the Deployment or to the ReplicaSet alone and are not copied down. */
const ownAnnotations = new Set([
  lastAppliedAnnotation,
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  'deprecated.deployment.rollback.to',
])

/** The oldest ReplicaSet that has the Deployment's template, hash label aside. */
export function findNewReplicaSet(deployment: Deployment, replicaSets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const template = withoutHash(deployment.spec?.template)
  return [...replicaSets]
    .sort(
      (left, right) =>
        compareText(left.metadata.creationTimestamp, right.metadata.creationTimestamp) ||
        compareText(left.metadata.name, right.metadata.name),
    )
    .find((replicaSet) => deepEqual(withoutHash(replicaSet.spec?.template), template))
}

export function revisionOf(object: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } }): number {
  return Number(object.metadata.annotations?.[revisionAnnotation] ?? 0) || 0
}

/** What {@link ensureNewReplicaSet} works with. */
export interface ReplicaSetSource {
  readonly client: Client
  readonly liveReader: Reader
  readonly deployment: Deployment
  readonly replicaSets: readonly ReplicaSet[]
}

/** What {@link ensureNewReplicaSet} found or made. */
export interface EnsuredReplicaSet {
  readonly replicaSet: ReplicaSet
  readonly isCreated: boolean
}

/** Finds or creates the ReplicaSet of the present template and gives it the highest revision. `undefined`: its name was taken, try again. */
export async function ensureNewReplicaSet(source: ReplicaSetSource): Promise<EnsuredReplicaSet | undefined> {
  const existing = findNewReplicaSet(source.deployment, source.replicaSets)
  if (existing === undefined) return createReplicaSet(source, nextRevision(source.replicaSets))
  return { replicaSet: await syncNewReplicaSet(source, existing), isCreated: false }
}

/** Gives the ReplicaSet of the present template the highest revision and the Deployment's annotations. */
export function syncNewReplicaSet({ client, deployment, replicaSets }: ReplicaSetSource, existing: ReplicaSet): Promise<ReplicaSet> {
  const revision = nextRevision(replicaSets.filter((replicaSet) => replicaSet !== existing))
  const annotations = { ...existing.metadata.annotations, ...inheritedAnnotations(deployment), ...revisionAnnotations(existing, revision) }
  const { minReadySeconds } = deployment.spec ?? {}
  if (deepEqual(annotations, existing.metadata.annotations) && (existing.spec?.minReadySeconds ?? 0) === (minReadySeconds ?? 0))
    return Promise.resolve(existing)
  const { minReadySeconds: _, ...spec } = existing.spec ?? { selector: {} }
  return client.update(ReplicaSet, {
    ...existing,
    metadata: { ...existing.metadata, annotations },
    spec: { ...spec, ...(minReadySeconds === undefined ? {} : { minReadySeconds }) },
  })
}

function nextRevision(old: readonly ReplicaSet[]): number {
  return Math.max(0, ...old.map(revisionOf)) + 1
}

/** A ReplicaSet that comes back gets a new revision and remembers those it had. */
function revisionAnnotations(replicaSet: ReplicaSet, revision: number): Record<string, string> {
  const before = revisionOf(replicaSet)
  if (before >= revision) return {}
  const { [revisionHistoryAnnotation]: history } = replicaSet.metadata.annotations ?? {}
  if (before === 0) return { [revisionAnnotation]: String(revision) }
  const revisions = history === undefined ? [] : history.split(',')
  revisions.push(String(before))
  while (revisions.join(',').length > maxRevisionHistoryLength) revisions.shift()
  return { [revisionAnnotation]: String(revision), [revisionHistoryAnnotation]: revisions.join(',') }
}

async function createReplicaSet(source: ReplicaSetSource, revision: number): Promise<EnsuredReplicaSet | undefined> {
  const { client, deployment } = source
  const wanted = replicaSetFor(source, revision)
  try {
    return { replicaSet: await client.create(ReplicaSet, wanted), isCreated: true }
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
  const { name, namespace } = wanted.metadata
  const taken = await source.liveReader.get(ReplicaSet, { namespace, name })
  const isOurs =
    taken.metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === deployment.metadata.uid) === true
  if (isOurs && deepEqual(withoutHash(taken.spec?.template), withoutHash(deployment.spec?.template)))
    return { replicaSet: taken, isCreated: false }
  // Another template, or another owner, has this name: the next name is made with another salt.
  const status = { ...deployment.status, collisionCount: (deployment.status?.collisionCount ?? 0) + 1 }
  await client.status.update(Deployment, { ...deployment, status })
  return undefined
}

/** The name that a new ReplicaSet of the present template gets. */
export function newReplicaSetName(deployment: Deployment): string {
  return `${deployment.metadata.name.slice(0, maxNameLength - 1 - hashOf(deployment).length)}-${hashOf(deployment)}`
}

function replicaSetFor({ deployment, replicaSets }: ReplicaSetSource, revision: number) {
  const template = withoutHash(deployment.spec?.template) ?? {}
  const hash = hashOf(deployment)
  const name = newReplicaSetName(deployment)
  const limits = limitsOf(deployment)
  const none: ReplicaCount = { name, desired: 0, available: 0, createdAtMs: 0 }
  const oldCounts = replicaSets.map((replicaSet) => ({ ...none, desired: replicaSet.spec?.replicas ?? 0 }))
  const labels = { ...template.metadata?.labels, [hashLabel]: hash }
  const selector = deployment.spec?.selector ?? {}
  const { minReadySeconds } = deployment.spec ?? {}
  return {
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
      replicas: deployment.spec?.strategy?.type === 'Recreate' ? limits.replicas : scaleNew(limits, none, oldCounts),
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  }
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

/** A short name for a template: the same for the same template (FNV-1a, in letters that make no words). The value itself is not an interface. */
function hashOf(deployment: Deployment): string {
  const text = stringifyJson(withoutHash(deployment.spec?.template) ?? {}) + (deployment.status?.collisionCount ?? '')
  let hash = 0x811c9dc5
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return safeEncodeName(String(hash))
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

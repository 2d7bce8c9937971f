import { type Client, retryOnConflict } from 'steersman'
import { Deployment, ReplicaSet } from 'steersman/api/types/apps/v1'
import { Event, Pod } from 'steersman/api/types/core/v1'
import type { ControlledWorld } from './world.js'

export const namespace = 'default'

/** A Deployment of small pods. */
export function deployment(
  name: string,
  spec: { readonly replicas?: number; readonly image?: string; readonly [field: string]: unknown } = {},
) {
  const { image = 'nginx:1', ...rest } = spec
  return {
    metadata: { name, namespace },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image }] } },
      ...rest,
    },
  }
}

function isRolledOut({ spec, status, metadata }: Deployment): boolean {
  const replicas = spec?.replicas ?? 1
  return (
    (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0) &&
    (status?.updatedReplicas ?? 0) === replicas &&
    (status?.replicas ?? 0) === replicas &&
    (status?.availableReplicas ?? 0) === replicas
  )
}

export function rolledOut(cluster: ControlledWorld, name: string, withinMs?: number): Promise<Deployment> {
  return cluster.until(
    `${name} is rolled out`,
    async () => {
      const found = await cluster.client.get(Deployment, { namespace, name })
      return isRolledOut(found) && progressing(found)?.reason === 'NewReplicaSetAvailable' ? found : undefined
    },
    withinMs,
  )
}

export function progressing(found: Deployment) {
  return found.status?.conditions?.find((condition) => condition.type === 'Progressing')
}

export function setImage(cluster: ControlledWorld, name: string, image: string): Promise<void> {
  return change(cluster, name, (spec) => ({ template: { ...spec.template, spec: { containers: [{ name: 'web', image }] } } }))
}

export function setSpec(cluster: ControlledWorld, name: string, fields: object): Promise<void> {
  return change(cluster, name, () => fields)
}

function change({ client, user }: ControlledWorld, name: string, fields: (spec: NonNullable<Deployment['spec']>) => object): Promise<void> {
  return retryOnConflict(user, async () => {
    const found = await client.get(Deployment, { namespace, name })
    const spec = found.spec ?? { selector: {} }
    await client.update(Deployment, { ...found, spec: { ...spec, ...fields(spec) } })
  })
}

export async function replicaSetsOf(client: Client, name: string): Promise<readonly ReplicaSet[]> {
  return (await client.list(ReplicaSet, { namespace, labelSelector: `app=${name}` })).items
}

export async function podsOf(client: Client, name: string): Promise<readonly Pod[]> {
  return (await client.list(Pod, { namespace, labelSelector: `app=${name}` })).items
}

export async function eventsAbout(client: Client, kind: string): Promise<string[]> {
  const events = await client.list(Event, { namespace })
  return events.items.filter(({ involvedObject }) => involvedObject.kind === kind).map(({ reason, message }) => `${reason}: ${message}`)
}

/**
 * Fields of pods whose features are not on in the real server: it takes them and leaves them out.
 *
 * So no stored object has one of them, and nobody has to ask whether an older version of the object does.
 */
import type { Draft } from 'steersman/api'
import type { Container, PodStatus, PodTemplateSpec, Volume } from 'steersman/api/types/core/v1'

const deadAnnotations = [
  'pod.beta.kubernetes.io/init-containers',
  'pod.alpha.kubernetes.io/init-containers',
  'pod.beta.kubernetes.io/init-container-statuses',
  'pod.alpha.kubernetes.io/init-container-statuses',
]

/** Drops them from a pod, or from a template of pods. */
export function dropDisabledPodFields(pod: Draft<PodTemplateSpec> | undefined): void {
  const annotations = pod?.metadata?.annotations
  if (annotations !== undefined) for (const key of deadAnnotations) delete annotations[key]
  const spec = pod?.spec
  if (spec === undefined) return
  delete spec.schedulingGroup
  delete spec.evictionResponders
  for (const field of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    for (const container of (spec[field] ?? []) as Draft<Container>[]) dropFromContainer(container)
  }
  for (const volume of spec.volumes ?? []) dropFromVolume(volume)
}

/** Drops them from the status of a pod. */
export function dropDisabledPodStatus(status: Draft<PodStatus> | undefined): void {
  if (status === undefined) return
  delete status.volumeHealth
  delete status.nodeAllocatableResourceClaimStatuses
  for (const field of ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'] as const) {
    for (const { volumeMounts } of status[field] ?? []) for (const mount of volumeMounts ?? []) delete mount.volumeStatus
  }
}

function dropFromContainer(container: Draft<Container>): void {
  const { volumeMounts, livenessProbe, readinessProbe, startupProbe, lifecycle } = container
  for (const mount of volumeMounts ?? []) delete mount.bindMountOptions
  for (const probe of [livenessProbe, readinessProbe, startupProbe]) {
    delete probe?.grpc?.mode
    delete probe?.httpGet?.protocol
  }
  if (lifecycle === undefined) return
  delete lifecycle.postStart?.httpGet?.protocol
  delete lifecycle.preStop?.httpGet?.protocol
  if (lifecycle.stopSignal === undefined) return
  delete lifecycle.stopSignal
  if (Object.keys(lifecycle).length === 0) delete container.lifecycle
}

/** What says whose a file is. */
interface Owned {
  user?: number
}

function dropFromVolume({ emptyDir, secret, configMap, downwardAPI, projected }: Draft<Volume>): void {
  delete emptyDir?.mode
  for (const source of [secret, configMap, downwardAPI, projected]) delete source?.defaultUser
  for (const source of [secret, configMap, downwardAPI]) dropUsers(source?.items)
  for (const source of projected?.sources ?? []) {
    for (const { items } of [source.secret ?? {}, source.configMap ?? {}, source.downwardAPI ?? {}]) dropUsers(items)
    for (const file of [source.serviceAccountToken, source.clusterTrustBundle, source.podCertificate]) delete file?.user
  }
}

function dropUsers(files: readonly Owned[] | undefined): void {
  for (const file of files ?? []) delete file.user
}

import type { Draft } from 'steersman/api'
import type { Container, EphemeralContainer, HTTPGetAction, Lifecycle, PodSpec, Probe, Volume } from 'steersman/api/types/core/v1'
import { defaultClaimSpec } from './claim-spec.js'
import { defaultVolumeSource } from './common-volume-sources.js'
import { canonicalizeResources, canonicalQuantity } from './quantity.js'

type AnyContainer = Draft<Container> | Draft<EphemeralContainer>

/** Fills in a pod spec as in every template. What only pods get is in `pod.ts`. */
export function defaultPodSpec(spec: Draft<PodSpec>): void {
  const account = spec.serviceAccountName || spec.serviceAccount
  if (account) {
    spec.serviceAccountName = account
    spec.serviceAccount = account
  }
  spec.restartPolicy ||= 'Always'
  spec.terminationGracePeriodSeconds ??= 30
  spec.dnsPolicy ||= 'ClusterFirst'
  spec.securityContext ??= {}
  spec.schedulerName ||= 'default-scheduler'
  canonicalizeResources(spec.overhead)
  canonicalizeResources(spec.resources?.limits)
  canonicalizeResources(spec.resources?.requests)
  for (const volume of spec.volumes ?? []) defaultVolume(volume)
  for (const container of containersOf(spec)) defaultContainer(container)
}

/** All containers of a pod spec: init, regular, ephemeral. */
function containersOf(spec: Draft<PodSpec>): AnyContainer[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])]
}

function defaultContainer(container: AnyContainer): void {
  for (const port of container.ports ?? []) port.protocol ||= 'TCP'
  for (const { valueFrom } of container.env ?? []) {
    if (valueFrom?.fieldRef !== undefined) valueFrom.fieldRef.apiVersion ||= 'v1'
    if (valueFrom?.fileKeyRef !== undefined) valueFrom.fileKeyRef.optional ??= false
  }
  container.resources ??= {}
  canonicalizeResources(container.resources.limits)
  canonicalizeResources(container.resources.requests)
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) defaultProbe(probe)
  defaultLifecycle(container.lifecycle)
  container.terminationMessagePath ||= '/dev/termination-log'
  container.terminationMessagePolicy ||= 'File'
  container.imagePullPolicy ||= isLatest(container.image ?? '') ? 'Always' : 'IfNotPresent'
}

const longestRepository = 255
const referencePattern =
  /^(?:(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::\d+)?|\[[0-9a-fA-F:]+\](?::\d+)?)\/)?[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*(?::\w[\w.-]{0,127})?$/

/** Whether an image reference means the tag `latest`, said or not. A digest means a fixed image. */
function isLatest(image: string): boolean {
  const [reference = '', digest] = image.split('@')
  if (!referencePattern.test(reference) || fullName(reference).length > longestRepository) return false
  const lastSlash = reference.lastIndexOf('/')
  const colon = reference.indexOf(':', lastSlash + 1)
  if (colon === -1) return digest === undefined
  return reference.slice(colon + 1) === 'latest'
}

/** The repository with the domain that it has when none is said, without a tag. */
function fullName(reference: string): string {
  const repository = reference.replace(/:[^:/]*$/, '')
  const [first = '', ...rest] = repository.split('/')
  if (rest.length === 0) return `docker.io/library/${repository}`
  return /[.:A-Z]/.test(first) || first === 'localhost' ? repository : `docker.io/${repository}`
}

function defaultProbe(probe: Draft<Probe> | undefined): void {
  if (probe === undefined) return
  defaultHttpGet(probe.httpGet)
  if (probe.grpc !== undefined) probe.grpc.service ??= ''
  probe.timeoutSeconds ||= 1
  probe.periodSeconds ||= 10
  probe.successThreshold ||= 1
  probe.failureThreshold ||= 3
}

function defaultLifecycle(lifecycle: Draft<Lifecycle> | undefined): void {
  defaultHttpGet(lifecycle?.postStart?.httpGet)
  defaultHttpGet(lifecycle?.preStop?.httpGet)
}

function defaultHttpGet(action: Draft<HTTPGetAction> | undefined): void {
  if (action === undefined) return
  action.path ||= '/'
  action.scheme ||= 'HTTP'
}

const plainFileMode = 0o644

function defaultVolume(volume: Draft<Volume>): void {
  if (Object.keys(volume).every((key) => key === 'name')) volume.emptyDir = {}
  for (const source of [volume.secret, volume.configMap, volume.downwardAPI, volume.projected]) {
    if (source !== undefined) source.defaultMode ??= plainFileMode
  }
  if (volume.emptyDir?.sizeLimit !== undefined) volume.emptyDir.sizeLimit = canonicalQuantity(volume.emptyDir.sizeLimit)
  defaultVolumeSource(volume)
  if (volume.ephemeral?.volumeClaimTemplate !== undefined) {
    volume.ephemeral.volumeClaimTemplate.spec ??= {}
    defaultClaimSpec(volume.ephemeral.volumeClaimTemplate.spec)
  }
  if (volume.image !== undefined) volume.image.pullPolicy ||= isLatest(volume.image.reference ?? '') ? 'Always' : 'IfNotPresent'
  for (const item of volume.downwardAPI?.items ?? []) if (item.fieldRef !== undefined) item.fieldRef.apiVersion ||= 'v1'
  for (const source of volume.projected?.sources ?? []) {
    if (source.serviceAccountToken !== undefined) source.serviceAccountToken.expirationSeconds ??= 3600
    for (const item of source.downwardAPI?.items ?? []) if (item.fieldRef !== undefined) item.fieldRef.apiVersion ||= 'v1'
  }
}

import type { FieldPath } from 'steersman/api'
import { goQuote } from 'steersman/api'
import type { Volume, VolumeProjection } from 'steersman/api/types/core/v1'
import { amountOf } from './quantity.js'

type Warn = (text: string) => void

/** Kinds of volumes that are on their way out, in the order in which they are told, and what is told of them. */
const oldVolumes: Readonly<Partial<Record<keyof Volume, string>>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
}

/** Says what is right in volumes but hardly meant. */
export function warnOfVolumes(volumes: readonly Volume[], path: FieldPath, warn: Warn): void {
  for (const [index, volume] of volumes.entries()) {
    const at = path.index(index)
    for (const [field, message] of Object.entries(oldVolumes)) {
      if (field === 'cephfs') warnOfClaim(volume, at.child('ephemeral', 'volumeClaimTemplate', 'spec'), warn)
      if (volume[field as keyof Volume] !== undefined) warn(`${at.child(field === 'storageos' ? 'storageOS' : field)}: ${message}`)
    }
  }
  for (const volume of volumes) warnOfOverlaps(volume, warn)
}

function warnOfClaim({ ephemeral }: Volume, path: FieldPath, warn: Warn): void {
  const resources = ephemeral?.volumeClaimTemplate?.spec?.resources
  for (const field of ['requests', 'limits'] as const) {
    const quantity = resources?.[field]?.storage
    if (quantity === undefined || (amountOf(quantity) ?? 0n) % 1_000_000_000n === 0n) continue
    const at = path.child('resources', field).key('storage')
    warn(`${at}: fractional byte value ${goQuote(quantity)} is invalid, must be an integer`)
  }
}

interface File {
  readonly path: string
  /** Empty when all files are of one source. */
  readonly source: string
}

function warnOfOverlaps({ name, configMap, secret, downwardAPI, projected }: Volume, warn: Warn): void {
  const tell = (what: string, files: readonly File[]) => {
    for (const overlap of overlaps(files)) warn(`volume ${goQuote(name)} (${what}): overlapping paths: ${overlap}`)
  }
  tell(`ConfigMap ${goQuote(configMap?.name ?? '')}`, files(configMap?.items))
  tell(`Secret ${goQuote(secret?.secretName ?? '')}`, files(secret?.items))
  tell('DownwardAPI', files(downwardAPI?.items))
  const sources = projected?.sources ?? []
  for (const source of sources) {
    if (Object.values(source).every((value) => !value)) warn(`volume ${goQuote(name)} (Projected) has no sources provided`)
  }
  tell('Projected', sources.flatMap(projectedFiles))
}

function files(items: readonly { readonly path?: string }[] | undefined, source = ''): File[] {
  return (items ?? []).map(({ path = '' }) => ({ path: path.replace(/\/+$/, ''), source }))
}

function projectedFiles(projection: VolumeProjection): File[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = projection
  if (configMap?.items) return files(configMap.items, `ConfigMap ${goQuote(configMap.name ?? '')}`)
  if (secret?.items) return files(secret.items, `Secret ${goQuote(secret.name ?? '')}`)
  if (downwardAPI?.items) return files(downwardAPI.items, 'DownwardAPI')
  if (serviceAccountToken) return files([serviceAccountToken], 'ServiceAccountToken')
  if (clusterTrustBundle) {
    return files([clusterTrustBundle], `ClusterTrustBundle ${goQuote(clusterTrustBundle.name ?? clusterTrustBundle.signerName ?? '')}`)
  }
  if (!podCertificate) return []
  const { certificateChainPath, keyPath, credentialBundlePath } = podCertificate
  const named = { chain: certificateChainPath, key: keyPath, 'credential bundle': credentialBundlePath }
  return Object.entries(named).flatMap(([what, path]) => (path ? files([{ path }], `PodCertificate ${what}`) : []))
}

function overlaps(all: readonly File[]): string[] {
  const shown = ({ path, source }: File) => (source === '' ? goQuote(path) : `${goQuote(path)} (${source})`)
  return all.flatMap((file, index) =>
    all
      .slice(0, index)
      .filter((other) => file.path !== '' && other.path !== '' && areNested(file.path, other.path))
      .map((other) => `${shown(file)} with ${shown(other)}`),
  )
}

function areNested(a: string, b: string): boolean {
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`)
}

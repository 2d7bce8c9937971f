/** Where volumes of pods and persistent volumes alike come from. */
import type { Draft, FieldError, FieldPath } from 'steersman/api'
import type { PersistentVolumeSpec, Volume } from 'steersman/api/types/core/v1'
import { labelErrors } from './name-errors.js'
import { requiredFields } from './required-fields.js'
import {
  partitionErrors,
  validateAzureDisk,
  validateFibreChannel,
  validateFlex,
  validateFlocker,
  validateHostPath,
  validateNfs,
  validateQuobyte,
} from './volume-source-parts.js'

/** How one source of volumes is looked at. `Owner`: what has it as a field. */
export interface VolumeSource<Owner> {
  /** What is wrong with the source. `name`: of the volume, where it is persistent. */
  validate(owner: Owner, path: FieldPath, name?: string): FieldError[]
  /** What the real server calls the field when it is one too many. @default its name */
  readonly refusedAs?: string
  /** What the real server calls the field elsewhere. @default its name */
  readonly reportedAs?: string
}

/** What a volume of a pod and a persistent volume have in common. */
type AnyVolume = Partial<{ readonly [Field in keyof Volume & keyof PersistentVolumeSpec]: Volume[Field] | PersistentVolumeSpec[Field] }>

/** Sources that follow the same rules wherever they stand. */
export const commonVolumeSources = {
  hostPath: { validate: ({ hostPath }, path) => validateHostPath(hostPath ?? { path: '' }, path) },
  gcePersistentDisk: {
    reportedAs: 'persistentDisk',
    validate: ({ gcePersistentDisk: disk }, path) => [...requiredFields(disk, ['pdName'], path), ...partitionErrors(disk?.partition, path)],
  },
  awsElasticBlockStore: {
    validate: ({ awsElasticBlockStore: disk }, path) => [
      ...requiredFields(disk, ['volumeID'], path),
      ...partitionErrors(disk?.partition, path),
    ],
  },
  nfs: { validate: ({ nfs }, path) => validateNfs(nfs ?? { server: '', path: '' }, path) },
  flocker: { validate: ({ flocker }, path) => validateFlocker(flocker ?? {}, path) },
  rbd: { validate: ({ rbd }, path) => requiredFields(rbd, ['monitors', 'image'], path) },
  cephfs: { refusedAs: 'cephFS', validate: ({ cephfs }, path) => requiredFields(cephfs, ['monitors'], path) },
  quobyte: { validate: ({ quobyte }, path) => validateQuobyte(quobyte ?? { registry: '', volume: '' }, path) },
  fc: { validate: ({ fc }, path) => validateFibreChannel(fc ?? {}, path) },
  flexVolume: { validate: ({ flexVolume }, path) => validateFlex(flexVolume ?? { driver: '' }, path) },
  vsphereVolume: { validate: ({ vsphereVolume }, path) => requiredFields(vsphereVolume, ['volumePath'], path) },
  photonPersistentDisk: { validate: ({ photonPersistentDisk }, path) => requiredFields(photonPersistentDisk, ['pdID'], path) },
  portworxVolume: { validate: ({ portworxVolume }, path) => requiredFields(portworxVolume, ['volumeID'], path) },
  azureDisk: { validate: ({ azureDisk }, path) => validateAzureDisk(azureDisk ?? { diskName: '', diskURI: '' }, path) },
  scaleIO: { validate: ({ scaleIO }, path) => requiredFields(scaleIO, ['gateway', 'system', 'volumeName'], path) },
} satisfies Partial<Record<keyof AnyVolume, VolumeSource<AnyVolume>>>

/** What is wrong with a volume of StorageOS. `secretErrors`: what is wrong with the reference to its secret. */
export function validateStorageOs<Reference>(
  source: { readonly volumeName?: string; readonly volumeNamespace?: string; readonly secretRef?: Reference } | undefined,
  path: FieldPath,
  secretErrors: (reference: Reference | undefined, path: FieldPath) => FieldError[],
): FieldError[] {
  return [
    ...requiredFields(source, ['volumeName'], path),
    ...(source?.volumeName ? labelErrors(source.volumeName, path.child('volumeName')) : []),
    ...(source?.volumeNamespace ? labelErrors(source.volumeNamespace, path.child('volumeNamespace')) : []),
    ...secretErrors(source?.secretRef, path),
  ]
}

/** Fills in what sources leave out. */
export function defaultVolumeSource({ hostPath, iscsi, rbd, azureDisk, scaleIO }: Draft<AnyVolume>): void {
  if (hostPath !== undefined) hostPath.type ??= ''
  if (iscsi !== undefined) iscsi.iscsiInterface ||= 'default'
  if (rbd !== undefined) {
    rbd.pool ||= 'rbd'
    rbd.user ||= 'admin'
    rbd.keyring ||= '/etc/ceph/keyring'
  }
  if (azureDisk !== undefined) {
    azureDisk.cachingMode ??= 'ReadWrite'
    azureDisk.fsType ??= 'ext4'
    azureDisk.readOnly ??= false
    azureDisk.kind ??= 'Shared'
  }
  if (scaleIO !== undefined) {
    scaleIO.storageMode ||= 'ThinProvisioned'
    scaleIO.fsType ||= 'xfs'
  }
}

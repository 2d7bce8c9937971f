/**
 * Where volumes come from, in the order in which the real server looks at them: all but the first of a volume are one too many.
 */
import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import type { CSIVolumeSource, EphemeralVolumeSource, LocalObjectReference, Volume } from 'steersman/api/types/core/v1'
import { validateAnnotations, validateLabels } from '../metadata.js'
import { validateChoice } from './choice.js'
import { validateClaimSpec } from './claim-spec.js'
import type { VolumeSource } from './common-volume-sources.js'
import { commonVolumeSources, validateStorageOs } from './common-volume-sources.js'
import { driverNameErrors } from './driver-name.js'
import { modeErrors, validateDownwardFile, validateKeys } from './file-items.js'
import { subdomainErrors } from './name-errors.js'
import { validateProjected } from './projected-volume-validation.js'
import { amountOf } from './quantity.js'
import { relativePathErrors } from './relative-path.js'
import { requiredFields } from './required-fields.js'
import { validateIscsi } from './volume-source-parts.js'

const pullPolicies = ['Always', 'IfNotPresent', 'Never']

/** The sources, in order. */
export const volumeSources: Readonly<Partial<Record<keyof Volume, VolumeSource<Volume>>>> = {
  emptyDir: {
    validate: ({ emptyDir }, path) =>
      emptyDir?.sizeLimit !== undefined && (amountOf(emptyDir.sizeLimit) ?? 0n) < 0n
        ? [fieldError.forbidden(path.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity')]
        : [],
  },
  hostPath: commonVolumeSources.hostPath,
  gitRepo: {
    validate: ({ gitRepo }, path) => [
      ...requiredFields(gitRepo, ['repository'], path),
      ...relativePathErrors(gitRepo?.directory ?? '', path.child('directory')),
    ],
  },
  gcePersistentDisk: commonVolumeSources.gcePersistentDisk,
  awsElasticBlockStore: commonVolumeSources.awsElasticBlockStore,
  secret: {
    validate: ({ secret }, path) => [
      ...requiredFields(secret, ['secretName'], path),
      ...modeErrors(secret?.defaultMode, path.child('defaultMode')),
      ...validateKeys(secret?.items, path.child('items')),
    ],
  },
  nfs: commonVolumeSources.nfs,
  iscsi: { validate: ({ iscsi }, path) => (iscsi === undefined ? [] : validateIscsi(iscsi, path)) },
  glusterfs: { validate: ({ glusterfs }, path) => requiredFields(glusterfs, ['endpoints', 'path'], path) },
  flocker: commonVolumeSources.flocker,
  persistentVolumeClaim: { validate: ({ persistentVolumeClaim: claim }, path) => requiredFields(claim, ['claimName'], path) },
  rbd: commonVolumeSources.rbd,
  cinder: { validate: ({ cinder }, path) => [...requiredFields(cinder, ['volumeID'], path), ...secretNameErrors(cinder?.secretRef, path)] },
  cephfs: commonVolumeSources.cephfs,
  quobyte: commonVolumeSources.quobyte,
  downwardAPI: {
    refusedAs: 'downwarAPI',
    validate: ({ downwardAPI }, path) => [
      ...modeErrors(downwardAPI?.defaultMode, path.child('defaultMode')),
      ...(downwardAPI?.items ?? []).flatMap((file) => validateDownwardFile(file, path)),
    ],
  },
  fc: commonVolumeSources.fc,
  flexVolume: commonVolumeSources.flexVolume,
  configMap: {
    validate: ({ configMap }, path) => [
      ...requiredFields(configMap, ['name'], path),
      ...modeErrors(configMap?.defaultMode, path.child('defaultMode')),
      ...validateKeys(configMap?.items, path.child('items')),
    ],
  },
  azureFile: { validate: ({ azureFile }, path) => requiredFields(azureFile, ['secretName', 'shareName'], path) },
  vsphereVolume: commonVolumeSources.vsphereVolume,
  photonPersistentDisk: commonVolumeSources.photonPersistentDisk,
  portworxVolume: commonVolumeSources.portworxVolume,
  azureDisk: commonVolumeSources.azureDisk,
  storageos: { validate: ({ storageos }, path) => validateStorageOs(storageos, path, secretNameErrors) },
  projected: { validate: ({ projected }, path) => validateProjected(projected ?? {}, path) },
  scaleIO: commonVolumeSources.scaleIO,
  csi: { validate: ({ csi }, path) => validateCsi(csi ?? { driver: '' }, path) },
  ephemeral: { validate: ({ ephemeral }, path) => validateClaimTemplate(ephemeral ?? {}, path.child('volumeClaimTemplate')) },
  image: {
    validate: ({ image }, path) => [
      ...requiredFields(image, ['reference'], path),
      ...validateChoice(image?.pullPolicy, pullPolicies, path.child('pullPolicy')),
    ],
  },
}

function secretNameErrors(reference: LocalObjectReference | undefined, path: FieldPath): FieldError[] {
  return reference !== undefined && !reference.name ? [fieldError.required(path.child('secretRef', 'name'))] : []
}

function validateCsi({ driver = '', nodePublishSecretRef }: CSIVolumeSource, path: FieldPath): FieldError[] {
  const errors = driverNameErrors(driver, path.child('driver'))
  if (nodePublishSecretRef === undefined) return errors
  const { name } = nodePublishSecretRef
  if (!name) return [...errors, fieldError.required(path.child('nodePublishSecretRef', 'name'))]
  return [...errors, ...subdomainErrors(name, path.child('name'))]
}

function validateClaimTemplate({ volumeClaimTemplate: template }: EphemeralVolumeSource, path: FieldPath): FieldError[] {
  if (template === undefined) return [fieldError.required(path)]
  const { annotations, labels, ...others } = template.metadata ?? {}
  return [
    ...validateAnnotations(annotations, path.child('metadata', 'annotations')),
    ...validateLabels(labels, path.child('metadata', 'labels')),
    ...Object.keys(others).map((field) => fieldError.forbidden(path.child('metadata', field), 'cannot be set')),
    ...validateClaimSpec(template.spec ?? {}, path.child('spec')),
  ]
}

import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, validateDns1123Label } from 'steersman/api'
import type {
  CSIPersistentVolumeSource,
  ISCSIPersistentVolumeSource,
  PersistentVolumeSpec,
  SecretReference,
} from 'steersman/api/types/core/v1'
import type { VolumeSource } from '../shared/common-volume-sources.js'
import { commonVolumeSources, validateStorageOs } from '../shared/common-volume-sources.js'
import { driverNameErrors } from '../shared/driver-name.js'
import { labelErrors, subdomainErrors } from '../shared/name-errors.js'
import { backstepErrors } from '../shared/relative-path.js'
import { requiredFields } from '../shared/required-fields.js'
import { isIscsiName, lunErrors } from '../shared/volume-source-parts.js'

/** The sources in the order in which they are looked at. */
const sources: Readonly<Partial<Record<keyof PersistentVolumeSpec, VolumeSource<PersistentVolumeSpec>>>> = {
  hostPath: commonVolumeSources.hostPath,
  gcePersistentDisk: commonVolumeSources.gcePersistentDisk,
  awsElasticBlockStore: commonVolumeSources.awsElasticBlockStore,
  glusterfs: { validate: ({ glusterfs }, path) => validateGlusterfs(glusterfs, path) },
  flocker: commonVolumeSources.flocker,
  nfs: commonVolumeSources.nfs,
  rbd: commonVolumeSources.rbd,
  quobyte: commonVolumeSources.quobyte,
  cephfs: commonVolumeSources.cephfs,
  iscsi: { validate: ({ iscsi }, path, name = '') => (iscsi === undefined ? [] : validateIscsi(iscsi, path, name)) },
  cinder: {
    validate: ({ cinder }, path) => [...requiredFields(cinder, ['volumeID'], path), ...secretNameErrors(cinder?.secretRef, path)],
  },
  fc: commonVolumeSources.fc,
  flexVolume: commonVolumeSources.flexVolume,
  azureFile: {
    validate: ({ azureFile }, path) => [
      ...requiredFields(azureFile, ['secretName', 'shareName'], path),
      ...(azureFile?.secretNamespace === '' ? [fieldError.required(path.child('secretNamespace'))] : []),
    ],
  },
  vsphereVolume: commonVolumeSources.vsphereVolume,
  photonPersistentDisk: commonVolumeSources.photonPersistentDisk,
  portworxVolume: commonVolumeSources.portworxVolume,
  azureDisk: commonVolumeSources.azureDisk,
  scaleIO: commonVolumeSources.scaleIO,
  local: { validate: ({ local }, path) => validatePath(local?.path, path.child('path')) },
  storageos: { validate: ({ storageos }, path) => validateStorageOs(storageos, path, secretNameErrors) },
  csi: { validate: ({ csi }, path) => (csi === undefined ? [] : validateCsi(csi, path)) },
}

/** The fields of a volume's spec that say where it comes from. */
export const sourceFields = Object.keys(sources) as readonly (keyof PersistentVolumeSpec)[]

/** What is wrong with where a volume comes from. `name`: of the volume. */
export function validateSource(spec: PersistentVolumeSpec, path: FieldPath, name: string): FieldError[] {
  const errors: FieldError[] = []
  let isFirst = true
  for (const field of sourceFields) {
    const source = sources[field]
    if (spec[field] === undefined || source === undefined) continue
    // A flex volume is the only one that may stand beside others.
    if (isFirst || field === 'flexVolume') errors.push(...source.validate(spec, path.child(source.reportedAs ?? field), name))
    else errors.push(fieldError.forbidden(path.child(source.refusedAs ?? field), 'may not specify more than 1 volume type'))
    const isChosen = isFirst
    isFirst = false
    if (isChosen && field === 'local' && spec.nodeAffinity === undefined) {
      errors.push(fieldError.required(path.child('nodeAffinity'), 'Local volume requires node affinity'))
    }
  }
  return isFirst ? [...errors, fieldError.required(path, 'must specify a volume type')] : errors
}

function secretNameErrors(secret: SecretReference | undefined, path: FieldPath): FieldError[] {
  return secret === undefined ? [] : requiredFields(secret, ['name', 'namespace'], path.child('secretRef'))
}

function validatePath(text: string | undefined, path: FieldPath): FieldError[] {
  return text ? backstepErrors(text, path) : [fieldError.required(path)]
}

function validateGlusterfs(source: PersistentVolumeSpec['glusterfs'], path: FieldPath): FieldError[] {
  const errors = requiredFields(source, ['endpoints', 'path'], path)
  const { endpointsNamespace: namespace } = source ?? {}
  if (namespace === undefined) return errors
  const at = path.child('endpointsNamespace')
  if (namespace === '') {
    return [...errors, fieldError.invalid(at, namespace, 'if the endpointnamespace is set, it must be a valid namespace name')]
  }
  return [...errors, ...validateDns1123Label(namespace).map((detail) => fieldError.invalid(at, namespace, detail))]
}

function validateIscsi(source: ISCSIPersistentVolumeSource, path: FieldPath, name: string): FieldError[] {
  const { targetPortal = '', iqn = '', lun, initiatorName, secretRef } = source
  const errors = requiredFields(source, ['targetPortal'], path)
  if (initiatorName !== undefined && `${name}:${targetPortal}`.length > 64) {
    const detail = 'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.'
    errors.push(fieldError.invalid(path.child('targetportal'), targetPortal, detail))
  }
  if (iqn === '') errors.push(fieldError.required(path.child('iqn')))
  else if (!isIscsiName(iqn)) errors.push(fieldError.invalid(path.child('iqn'), iqn, 'must be valid format'))
  errors.push(...lunErrors(lun, path))
  const authenticates = source.chapAuthDiscovery === true || source.chapAuthSession === true
  if (authenticates && secretRef === undefined) errors.push(fieldError.required(path.child('secretRef')))
  if (secretRef !== undefined) errors.push(...requiredFields(secretRef, ['name'], path.child('secretRef')))
  if (initiatorName !== undefined && !isIscsiName(initiatorName)) {
    errors.push(fieldError.invalid(path.child('initiatorname'), initiatorName, 'must be valid format'))
  }
  return errors
}

const secretFields = ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef'] as const

function validateCsi(source: CSIPersistentVolumeSource, path: FieldPath): FieldError[] {
  const errors = [...driverNameErrors(source.driver, path.child('driver')), ...requiredFields(source, ['volumeHandle'], path)]
  for (const field of secretFields) {
    const secret = source[field]
    if (secret === undefined) continue
    const { name, namespace } = secret
    const at = path.child(field)
    errors.push(...(name ? subdomainErrors(name, at.child('name')) : [fieldError.required(at.child('name'))]))
    errors.push(...(namespace ? labelErrors(namespace, at.child('namespace')) : [fieldError.required(at.child('namespace'))]))
  }
  return errors
}

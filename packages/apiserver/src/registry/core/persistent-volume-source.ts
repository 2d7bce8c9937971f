import type { Draft, FieldError, FieldPath } from 'steersman/api'
import { fieldError, validateDns1123Label } from 'steersman/api'
import type {
  CSIPersistentVolumeSource,
  ISCSIPersistentVolumeSource,
  PersistentVolumeSpec,
  SecretReference,
} from 'steersman/api/types/core/v1'
import { driverNameErrors } from '../shared/driver-name.js'
import { labelErrors, subdomainErrors } from '../shared/name-errors.js'
import { backstepErrors } from '../shared/relative-path.js'
import { requiredFields } from '../shared/required-fields.js'
import {
  isIscsiName,
  lunErrors,
  partitionErrors,
  validateAzureDisk,
  validateFibreChannel,
  validateFlex,
  validateFlocker,
  validateHostPath,
  validateNfs,
  validateQuobyte,
} from '../shared/volume-source-parts.js'

/** A source of volumes: what is wrong with one, and where that is reported when it is not under the name of the field. */
interface Source {
  readonly validate: (spec: PersistentVolumeSpec, path: FieldPath, name: string) => FieldError[]
  readonly reportedAs?: string
  /** The name in the refusal of a second source, where it is another one. */
  readonly refusedAs?: string
}

/** The sources in the order in which they are looked at. */
const sources: Readonly<Partial<Record<keyof PersistentVolumeSpec, Source>>> = {
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
  glusterfs: { validate: ({ glusterfs }, path) => validateGlusterfs(glusterfs, path) },
  flocker: { validate: ({ flocker }, path) => validateFlocker(flocker ?? {}, path) },
  nfs: { validate: ({ nfs }, path) => validateNfs(nfs ?? { server: '', path: '' }, path) },
  rbd: { validate: ({ rbd }, path) => requiredFields(rbd, ['monitors', 'image'], path) },
  quobyte: { validate: ({ quobyte }, path) => validateQuobyte(quobyte ?? { registry: '', volume: '' }, path) },
  cephfs: { refusedAs: 'cephFS', validate: ({ cephfs }, path) => requiredFields(cephfs, ['monitors'], path) },
  iscsi: { validate: ({ iscsi }, path, name) => (iscsi === undefined ? [] : validateIscsi(iscsi, path, name)) },
  cinder: {
    validate: ({ cinder }, path) => [...requiredFields(cinder, ['volumeID'], path), ...secretNameErrors(cinder?.secretRef, path)],
  },
  fc: { validate: ({ fc }, path) => validateFibreChannel(fc ?? {}, path) },
  flexVolume: { validate: ({ flexVolume }, path) => validateFlex(flexVolume ?? { driver: '' }, path) },
  azureFile: {
    validate: ({ azureFile }, path) => [
      ...requiredFields(azureFile, ['secretName', 'shareName'], path),
      ...(azureFile?.secretNamespace === '' ? [fieldError.required(path.child('secretNamespace'))] : []),
    ],
  },
  vsphereVolume: { validate: ({ vsphereVolume }, path) => requiredFields(vsphereVolume, ['volumePath'], path) },
  photonPersistentDisk: { validate: ({ photonPersistentDisk }, path) => requiredFields(photonPersistentDisk, ['pdID'], path) },
  portworxVolume: { validate: ({ portworxVolume }, path) => requiredFields(portworxVolume, ['volumeID'], path) },
  azureDisk: { validate: ({ azureDisk }, path) => validateAzureDisk(azureDisk ?? { diskName: '', diskURI: '' }, path) },
  scaleIO: { validate: ({ scaleIO }, path) => requiredFields(scaleIO, ['gateway', 'system', 'volumeName'], path) },
  local: { validate: ({ local }, path) => validatePath(local?.path, path.child('path')) },
  storageos: {
    validate: ({ storageos }, path) => [
      ...requiredFields(storageos, ['volumeName'], path),
      ...(storageos?.volumeName ? labelErrors(storageos.volumeName, path.child('volumeName')) : []),
      ...(storageos?.volumeNamespace ? labelErrors(storageos.volumeNamespace, path.child('volumeNamespace')) : []),
      ...secretNameErrors(storageos?.secretRef, path),
    ],
  },
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

/** Fills in what sources leave out. */
export function defaultSource(spec: Draft<PersistentVolumeSpec>): void {
  const { hostPath, rbd, iscsi, azureDisk, scaleIO } = spec
  if (hostPath !== undefined) hostPath.type ??= ''
  if (rbd !== undefined) {
    rbd.pool ||= 'rbd'
    rbd.user ||= 'admin'
    rbd.keyring ||= '/etc/ceph/keyring'
  }
  if (iscsi !== undefined) iscsi.iscsiInterface ||= 'default'
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

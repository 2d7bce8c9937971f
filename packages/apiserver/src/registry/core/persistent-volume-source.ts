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
    validate: ({ gcePersistentDisk: disk }, path) => [...required(disk, ['pdName'], path), ...partitionErrors(disk?.partition, path)],
  },
  awsElasticBlockStore: {
    validate: ({ awsElasticBlockStore: disk }, path) => [...required(disk, ['volumeID'], path), ...partitionErrors(disk?.partition, path)],
  },
  glusterfs: { validate: ({ glusterfs }, path) => validateGlusterfs(glusterfs, path) },
  flocker: { validate: ({ flocker }, path) => validateFlocker(flocker, path) },
  nfs: { validate: ({ nfs }, path) => validateNfs(nfs ?? {}, path) },
  rbd: { validate: ({ rbd }, path) => required(rbd, ['monitors', 'image'], path) },
  quobyte: { validate: ({ quobyte }, path) => validateQuobyte(quobyte, path) },
  cephfs: { refusedAs: 'cephFS', validate: ({ cephfs }, path) => required(cephfs, ['monitors'], path) },
  iscsi: { validate: ({ iscsi }, path, name) => (iscsi === undefined ? [] : validateIscsi(iscsi, path, name)) },
  cinder: {
    validate: ({ cinder }, path) => [...required(cinder, ['volumeID'], path), ...secretNameErrors(cinder?.secretRef, path)],
  },
  fc: { validate: ({ fc }, path) => validateFibreChannel(fc, path) },
  flexVolume: { validate: ({ flexVolume }, path) => validateFlex(flexVolume, path) },
  azureFile: {
    validate: ({ azureFile }, path) => [
      ...required(azureFile, ['secretName', 'shareName'], path),
      ...(azureFile?.secretNamespace === '' ? [fieldError.required(path.child('secretNamespace'))] : []),
    ],
  },
  vsphereVolume: { validate: ({ vsphereVolume }, path) => required(vsphereVolume, ['volumePath'], path) },
  photonPersistentDisk: { validate: ({ photonPersistentDisk }, path) => required(photonPersistentDisk, ['pdID'], path) },
  portworxVolume: { validate: ({ portworxVolume }, path) => required(portworxVolume, ['volumeID'], path) },
  azureDisk: { validate: ({ azureDisk }, path) => validateAzureDisk(azureDisk, path) },
  scaleIO: { validate: ({ scaleIO }, path) => required(scaleIO, ['gateway', 'system', 'volumeName'], path) },
  local: { validate: ({ local }, path) => validatePath(local?.path, path.child('path')) },
  storageos: {
    validate: ({ storageos }, path) => [
      ...required(storageos, ['volumeName'], path),
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
    isFirst = false
    if (field === 'local' && spec.nodeAffinity === undefined) {
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

/** An error for each of the fields that is empty. */
function required<Part extends object>(part: Part | undefined, fields: readonly (keyof Part & string)[], path: FieldPath): FieldError[] {
  const isEmpty = (value: unknown) => !value || (Array.isArray(value) && value.length === 0)
  return fields.filter((field) => isEmpty(part?.[field])).map((field) => fieldError.required(path.child(field)))
}

function partitionErrors(partition: number | undefined, path: FieldPath): FieldError[] {
  if (partition === undefined || (partition >= 0 && partition <= 255)) return []
  return [fieldError.invalid(path.child('partition'), partition, 'must be between 1 and 255, inclusive')]
}

function secretNameErrors(secret: SecretReference | undefined, path: FieldPath): FieldError[] {
  return secret === undefined ? [] : required(secret, ['name', 'namespace'], path.child('secretRef'))
}

const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket']

function validateHostPath({ path: text, type }: NonNullable<PersistentVolumeSpec['hostPath']>, path: FieldPath): FieldError[] {
  const errors = validatePath(text, path.child('path'))
  if (!text || type === undefined || hostPathTypes.includes(type)) return errors
  return [...errors, fieldError.notSupported(path.child('type'), type, hostPathTypes)]
}

function validatePath(text: string | undefined, path: FieldPath): FieldError[] {
  if (!text) return [fieldError.required(path)]
  return text.split('/').includes('..') ? [fieldError.invalid(path, text, "must not contain '..'")] : []
}

function validateNfs({ server, path: text = '' }: Partial<NonNullable<PersistentVolumeSpec['nfs']>>, path: FieldPath): FieldError[] {
  const errors = required({ server, path: text }, ['server', 'path'], path)
  return text.startsWith('/') ? errors : [...errors, fieldError.invalid(path.child('path'), text, 'must be an absolute path')]
}

function validateGlusterfs(source: PersistentVolumeSpec['glusterfs'], path: FieldPath): FieldError[] {
  const errors = required(source, ['endpoints', 'path'], path)
  const { endpointsNamespace: namespace } = source ?? {}
  if (namespace === undefined) return errors
  const at = path.child('endpointsNamespace')
  if (namespace === '') {
    return [...errors, fieldError.invalid(at, namespace, 'if the endpointnamespace is set, it must be a valid namespace name')]
  }
  return [...errors, ...validateDns1123Label(namespace).map((detail) => fieldError.invalid(at, namespace, detail))]
}

function validateFlocker(source: PersistentVolumeSpec['flocker'], path: FieldPath): FieldError[] {
  const { datasetName = '', datasetUUID = '' } = source ?? {}
  const errors: FieldError[] = []
  if (datasetName === '' && datasetUUID === '') errors.push(fieldError.required(path, 'one of datasetName and datasetUUID is required'))
  if (datasetName !== '' && datasetUUID !== '') {
    errors.push(fieldError.invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'))
  }
  if (datasetName.includes('/')) errors.push(fieldError.invalid(path.child('datasetName'), datasetName, "must not contain '/'"))
  return errors
}

function validateQuobyte(source: PersistentVolumeSpec['quobyte'], path: FieldPath): FieldError[] {
  const { registry = '', tenant = '' } = source ?? {}
  const detail = 'must be a host:port pair or multiple pairs separated by commas'
  const errors: FieldError[] = []
  if (registry === '') errors.push(fieldError.required(path.child('registry'), detail))
  else if (tenant.length >= 65) {
    errors.push(fieldError.required(path.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters'))
  } else {
    const malformed = registry.split(',').filter((pair) => !/^([^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(pair))
    errors.push(...malformed.map(() => fieldError.invalid(path.child('registry'), registry, detail)))
  }
  return [...errors, ...required(source, ['volume'], path)]
}

function validateFibreChannel(source: PersistentVolumeSpec['fc'], path: FieldPath): FieldError[] {
  const { targetWWNs = [], wwids = [], lun } = source ?? {}
  const at = path.child('targetWWNs')
  const errors: FieldError[] = []
  if (targetWWNs.length === 0 && wwids.length === 0) {
    errors.push(fieldError.required(at, 'must specify either targetWWNs or wwids, but not both'))
  }
  if (targetWWNs.length === 0) return errors
  if (wwids.length > 0) errors.push(fieldError.invalid(at, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'))
  if (lun === undefined) errors.push(fieldError.required(path.child('lun'), 'lun is required if targetWWNs is specified'))
  return [...errors, ...lunErrors(lun, path)]
}

function lunErrors(lun: number | undefined, path: FieldPath): FieldError[] {
  if (lun === undefined || (lun >= 0 && lun <= 255)) return []
  return [fieldError.invalid(path.child('lun'), lun, 'must be between 0 and 255, inclusive')]
}

function validateFlex(source: PersistentVolumeSpec['flexVolume'], path: FieldPath): FieldError[] {
  const reserved = Object.keys(source?.options ?? {}).filter((key) =>
    /\.(kubernetes|k8s)\.io$/.test(`.${key.split('/')[0]?.toLowerCase()}`),
  )
  const detail = 'kubernetes.io and k8s.io namespaces are reserved'
  return [...required(source, ['driver'], path), ...reserved.map((key) => fieldError.invalid(path.child('options').key(key), key, detail))]
}

const cachingModes = ['None', 'ReadOnly', 'ReadWrite']
const diskKinds = ['Dedicated', 'Managed', 'Shared']
const managedDiskUri = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'
const blobDiskUri = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'

function validateAzureDisk(source: PersistentVolumeSpec['azureDisk'], path: FieldPath): FieldError[] {
  const errors = required(source, ['diskName', 'diskURI'], path)
  const { cachingMode, kind, diskURI = '' } = source ?? {}
  if (cachingMode !== undefined && !cachingModes.includes(cachingMode)) {
    errors.push(fieldError.notSupported(path.child('cachingMode'), cachingMode, cachingModes))
  }
  if (kind === undefined) return errors
  if (!diskKinds.includes(kind)) errors.push(fieldError.notSupported(path.child('kind'), kind, diskKinds))
  const [start, shape] = kind === 'Managed' ? ['/subscriptions/', managedDiskUri] : ['https://', blobDiskUri]
  if (!diskURI.startsWith(start)) errors.push(fieldError.notSupported(path.child('diskURI'), diskURI, [shape]))
  return errors
}

const initiatorPatterns: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
}

function validateIscsi(source: ISCSIPersistentVolumeSource, path: FieldPath, name: string): FieldError[] {
  const { targetPortal = '', iqn = '', lun, initiatorName, secretRef } = source
  const errors = required(source, ['targetPortal'], path)
  if (initiatorName !== undefined && `${name}:${targetPortal}`.length > 64) {
    const detail = 'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.'
    errors.push(fieldError.invalid(path.child('targetportal'), targetPortal, detail))
  }
  if (iqn === '') errors.push(fieldError.required(path.child('iqn')))
  else if (!isInitiator(iqn)) errors.push(fieldError.invalid(path.child('iqn'), iqn, 'must be valid format'))
  errors.push(...lunErrors(lun, path))
  const authenticates = source.chapAuthDiscovery === true || source.chapAuthSession === true
  if (authenticates && secretRef === undefined) errors.push(fieldError.required(path.child('secretRef')))
  if (secretRef !== undefined) errors.push(...required(secretRef, ['name'], path.child('secretRef')))
  if (initiatorName !== undefined && !isInitiator(initiatorName)) {
    errors.push(fieldError.invalid(path.child('initiatorname'), initiatorName, 'must be valid format'))
  }
  return errors
}

function isInitiator(text: string): boolean {
  return initiatorPatterns[text.slice(0, 3)]?.test(text) ?? false
}

const secretFields = ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef'] as const

function validateCsi(source: CSIPersistentVolumeSource, path: FieldPath): FieldError[] {
  const errors = [...driverNameErrors(source.driver, path.child('driver')), ...required(source, ['volumeHandle'], path)]
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

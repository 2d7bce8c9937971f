import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import type {
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  HostPathVolumeSource,
  ISCSIVolumeSource,
  NFSVolumeSource,
  QuobyteVolumeSource,
} from 'steersman/api/types/core/v1'
import { validateChoice } from './choice.js'
import { backstepErrors } from './relative-path.js'

/** What is wrong with the number of a partition. */
export function partitionErrors(partition: number | undefined, path: FieldPath): FieldError[] {
  if (partition === undefined || (partition >= 0 && partition <= 255)) return []
  return [fieldError.invalid(path.child('partition'), partition, 'must be between 1 and 255, inclusive')]
}

/** What is wrong with the number of a logical unit. */
export function lunErrors(lun: number | undefined, path: FieldPath): FieldError[] {
  if (lun === undefined || (lun >= 0 && lun <= 255)) return []
  return [fieldError.invalid(path.child('lun'), lun, 'must be between 0 and 255, inclusive')]
}

const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket']

export function validateHostPath({ path: file, type }: HostPathVolumeSource, path: FieldPath): FieldError[] {
  if (!file) return [fieldError.required(path.child('path'))]
  return [...backstepErrors(file, path.child('path')), ...validateChoice(type, hostPathTypes, path.child('type'))]
}

export function validateNfs({ server, path: folder = '' }: NFSVolumeSource, path: FieldPath): FieldError[] {
  const errors = server ? [] : [fieldError.required(path.child('server'))]
  if (folder === '') errors.push(fieldError.required(path.child('path')))
  if (!folder.startsWith('/')) errors.push(fieldError.invalid(path.child('path'), folder, 'must be an absolute path'))
  return errors
}

/** How qualified names of iSCSI begin, and what they are like. */
const iscsiFormats: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
}

/** Whether a text names a target or an initiator of iSCSI. */
export function isIscsiName(name: string): boolean {
  return iscsiFormats[name.slice(0, 3)]?.test(name) ?? false
}

function iscsiNameErrors(name: string, path: FieldPath): FieldError[] {
  if (isIscsiName(name)) return []
  const beginning = iscsiFormats[name.slice(0, 3)] === undefined ? ' starting with iqn, eui, or naa' : ''
  return [fieldError.invalid(path, name, `must be valid format${beginning}`)]
}

export function validateIscsi(source: ISCSIVolumeSource, path: FieldPath): FieldError[] {
  const { targetPortal, iqn, lun, chapAuthDiscovery, chapAuthSession, secretRef, initiatorName } = source
  const errors = targetPortal ? [] : [fieldError.required(path.child('targetPortal'))]
  errors.push(...(iqn ? iscsiNameErrors(iqn, path.child('iqn')) : [fieldError.required(path.child('iqn'))]), ...lunErrors(lun, path))
  if ((chapAuthDiscovery === true || chapAuthSession === true) && secretRef === undefined) {
    errors.push(fieldError.required(path.child('secretRef')))
  }
  if (initiatorName !== undefined) errors.push(...iscsiNameErrors(initiatorName, path.child('initiatorname')))
  return errors
}

export function validateFlocker({ datasetName = '', datasetUUID = '' }: FlockerVolumeSource, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  if (datasetName === '' && datasetUUID === '') errors.push(fieldError.required(path, 'one of datasetName and datasetUUID is required'))
  if (datasetName !== '' && datasetUUID !== '') {
    errors.push(fieldError.invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'))
  }
  if (datasetName.includes('/')) errors.push(fieldError.invalid(path.child('datasetName'), datasetName, "must not contain '/'"))
  return errors
}

const pairDetail = 'must be a host:port pair or multiple pairs separated by commas'

export function validateQuobyte({ registry = '', tenant = '', volume }: QuobyteVolumeSource, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  if (registry === '') errors.push(fieldError.required(path.child('registry'), pairDetail))
  else if (tenant.length > 64) {
    errors.push(fieldError.required(path.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters'))
  } else {
    const wrong = registry.split(',').filter((pair) => !/^(?:[^:[\]]*|\[[^\][]*\]):[^:[\]]*$/.test(pair))
    errors.push(...wrong.map(() => fieldError.invalid(path.child('registry'), registry, pairDetail)))
  }
  if (!volume) errors.push(fieldError.required(path.child('volume')))
  return errors
}

export function validateFibreChannel({ targetWWNs = [], wwids = [], lun }: FCVolumeSource, path: FieldPath): FieldError[] {
  const at = path.child('targetWWNs')
  const errors: FieldError[] = []
  if (targetWWNs.length === 0 && wwids.length === 0) {
    errors.push(fieldError.required(at, 'must specify either targetWWNs or wwids, but not both'))
  }
  if (targetWWNs.length > 0 && wwids.length > 0) {
    errors.push(fieldError.invalid(at, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'))
  }
  if (targetWWNs.length === 0) return errors
  if (lun === undefined) return [...errors, fieldError.required(path.child('lun'), 'lun is required if targetWWNs is specified')]
  return [...errors, ...lunErrors(lun, path)]
}

export function validateFlex({ driver, options = {} }: FlexVolumeSource, path: FieldPath): FieldError[] {
  const errors = driver ? [] : [fieldError.required(path.child('driver'))]
  for (const key of Object.keys(options)) {
    const domain = `.${(key.split('/')[0] ?? '').toLowerCase()}`
    if (!domain.endsWith('.kubernetes.io') && !domain.endsWith('.k8s.io')) continue
    errors.push(fieldError.invalid(path.child('options').key(key), key, 'kubernetes.io and k8s.io namespaces are reserved'))
  }
  return errors
}

const managedUri = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'
const blobUri = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'

export function validateAzureDisk({ diskName, diskURI = '', cachingMode, kind }: AzureDiskVolumeSource, path: FieldPath): FieldError[] {
  const errors = diskName ? [] : [fieldError.required(path.child('diskName'))]
  const at = path.child('diskURI')
  if (diskURI === '') errors.push(fieldError.required(at))
  errors.push(
    ...validateChoice(cachingMode, ['None', 'ReadOnly', 'ReadWrite'], path.child('cachingMode')),
    ...validateChoice(kind, ['Dedicated', 'Managed', 'Shared'], path.child('kind')),
  )
  if (kind === 'Managed' && !diskURI.startsWith('/subscriptions/')) errors.push(fieldError.notSupported(at, diskURI, [managedUri]))
  if (kind !== undefined && kind !== 'Managed' && !diskURI.startsWith('https://')) {
    errors.push(fieldError.notSupported(at, diskURI, [blobUri]))
  }
  return errors
}

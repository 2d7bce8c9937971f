import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import type { Container, VolumeDevice, VolumeMount } from 'steersman/api/types/core/v1'
import { backstepErrors, relativePathErrors } from './relative-path.js'
import type { VolumeIndex } from './volume-validation.js'

type Mounting = Pick<Container, 'volumeMounts' | 'volumeDevices' | 'securityContext'>

/** What is wrong with the files and the devices that a container sees of volumes. */
export function validateMounts(container: Mounting, volumes: VolumeIndex, path: FieldPath): FieldError[] {
  return [
    ...validateVolumeMounts(container, volumes, path.child('volumeMounts')),
    ...validateDevices(container, volumes, path.child('volumeDevices')),
  ]
}

function validateVolumeMounts(container: Mounting, volumes: VolumeIndex, path: FieldPath): FieldError[] {
  const { volumeMounts = [], volumeDevices = [] } = container
  const seen = new Set<string>()
  return volumeMounts.flatMap((mount, index) => {
    const at = path.index(index)
    const { name = '', mountPath = '', subPath, subPathExpr } = mount
    const errors: FieldError[] = []
    if (name === '') errors.push(fieldError.required(at.child('name')))
    if (!volumes.has(name)) errors.push(fieldError.notFound(at.child('name'), name))
    if (mountPath === '') errors.push(fieldError.required(at.child('mountPath')))
    if (seen.has(mountPath)) errors.push(fieldError.invalid(at.child('mountPath'), mountPath, 'must be unique'))
    seen.add(mountPath)
    if (volumeDevices.some((device) => device.name === name)) {
      errors.push(fieldError.invalid(at.child('name'), name, 'must not already exist in volumeDevices'))
    }
    if (volumeDevices.some(({ devicePath }) => devicePath === mountPath)) {
      errors.push(fieldError.invalid(at.child('mountPath'), mountPath, 'must not already exist as a path in volumeDevices'))
    }
    // From here on the paths of the real server have no index.
    if (subPath) errors.push(...relativePathErrors(subPath, path.child('subPath')))
    if (subPathExpr) {
      if (subPath) errors.push(fieldError.invalid(at.child('subPathExpr'), subPathExpr, 'subPathExpr and subPath are mutually exclusive'))
      errors.push(...relativePathErrors(subPathExpr, path.child('subPathExpr')))
    }
    return [
      ...errors,
      ...validatePropagation(mount, container, path.child('mountPropagation')),
      ...validateRecursiveReadOnly(mount, path.child('recursiveReadOnly')),
    ]
  })
}

const propagations = ['Bidirectional', 'HostToContainer', 'None']

function validatePropagation({ mountPropagation }: VolumeMount, { securityContext }: Mounting, path: FieldPath): FieldError[] {
  if (mountPropagation === undefined) return []
  const errors = propagations.includes(mountPropagation) ? [] : [fieldError.notSupported(path, mountPropagation, propagations)]
  if (mountPropagation === 'Bidirectional' && securityContext?.privileged !== true) {
    errors.push(fieldError.forbidden(path, 'Bidirectional mount propagation is available only to privileged containers'))
  }
  return errors
}

const recursiveChoices = ['Disabled', 'Enabled', 'IfPossible']

function validateRecursiveReadOnly({ recursiveReadOnly, readOnly, mountPropagation }: VolumeMount, path: FieldPath): FieldError[] {
  if (recursiveReadOnly === undefined || recursiveReadOnly === 'Disabled') return []
  if (!recursiveChoices.includes(recursiveReadOnly)) return [fieldError.notSupported(path, recursiveReadOnly, recursiveChoices)]
  const errors: FieldError[] = []
  if (readOnly !== true) errors.push(fieldError.forbidden(path, 'may only be specified when readOnly is true'))
  if (mountPropagation !== undefined && mountPropagation !== 'None') {
    errors.push(fieldError.forbidden(path, 'may only be specified when mountPropagation is None or not specified'))
  }
  return errors
}

function validateDevices({ volumeDevices = [], volumeMounts = [] }: Mounting, volumes: VolumeIndex, path: FieldPath): FieldError[] {
  const names = new Set<string>()
  const paths = new Set<string>()
  return volumeDevices.flatMap((device: VolumeDevice, index) => {
    const { name = '', devicePath = '' } = device
    const nameAt = path.index(index).child('name')
    const pathAt = path.index(index).child('devicePath')
    const volume = volumes.get(name)
    const errors: FieldError[] = []
    if (name === '') errors.push(fieldError.required(nameAt))
    if (names.has(name)) errors.push(fieldError.invalid(nameAt, name, 'must be unique'))
    if (volume === undefined) errors.push(fieldError.notFound(nameAt, name))
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
      const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'
      errors.push(fieldError.invalid(nameAt, name, detail))
    }
    if (devicePath === '') errors.push(fieldError.required(pathAt))
    if (paths.has(devicePath)) errors.push(fieldError.invalid(pathAt, devicePath, 'must be unique'))
    if (backstepErrors(devicePath, pathAt).length > 0) {
      errors.push(fieldError.invalid(pathAt, devicePath, "can not contain backsteps ('..')"))
    } else paths.add(devicePath)
    if (volumeMounts.some((mount) => mount.name === name)) {
      errors.push(fieldError.invalid(nameAt, name, 'must not already exist in volumeMounts'))
    }
    if (volumeMounts.some(({ mountPath }) => mountPath === devicePath)) {
      errors.push(fieldError.invalid(pathAt, devicePath, 'must not already exist as a path in volumeMounts'))
    }
    if (name !== '') names.add(name)
    return errors
  })
}

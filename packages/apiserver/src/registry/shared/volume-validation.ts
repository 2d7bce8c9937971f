import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import type { Volume } from 'steersman/api/types/core/v1'
import { labelErrors, subdomainErrors } from './name-errors.js'
import { volumeSources } from './volume-sources.js'

/** The volumes of a pod that are right, by name. */
export type VolumeIndex = ReadonlyMap<string, Volume>

/** What is wrong with the volumes of a pod. `podName`: that of the pod, if there is one already. */
export function validateVolumes(
  volumes: readonly Volume[],
  podName: string | undefined,
  path: FieldPath,
): { readonly index: VolumeIndex; readonly errors: readonly FieldError[] } {
  const index = new Map<string, Volume>()
  const claims = new Set(volumes.filter(({ ephemeral }) => ephemeral !== undefined).map(({ name }) => `${podName}-${name}`))
  const errors: FieldError[] = []
  for (const [position, volume] of volumes.entries()) {
    const { name = '', persistentVolumeClaim } = volume
    const at = path.index(position)
    const nameAt = at.child('name')
    const found = validateSources(volume, podName, at)
    found.push(...(name === '' ? [fieldError.required(nameAt)] : labelErrors(name, nameAt)))
    if (index.has(name)) found.push(fieldError.duplicate(nameAt, name))
    if (found.length === 0) index.set(name, volume)
    errors.push(...found)
    const claimName = persistentVolumeClaim?.claimName
    if (podName !== undefined && claimName !== undefined && claims.has(claimName)) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume'
      errors.push(fieldError.invalid(at.child('persistentVolumeClaim', 'claimName'), claimName, detail))
    }
  }
  return { index, errors }
}

const longestTarget = 64

function validateSources(volume: Volume, podName: string | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  let count = 0
  for (const [field, { refusedAs = field, reportedAs = field, validate }] of Object.entries(volumeSources)) {
    if (volume[field as keyof Volume] === undefined) continue
    if (++count > 1) errors.push(fieldError.forbidden(path.child(refusedAs), 'may not specify more than 1 volume type'))
    else errors.push(...validate(volume, path.child(reportedAs)))
    if (field === 'iscsi') errors.push(...validateTarget(volume, path.child('name')))
    if (field === 'ephemeral' && count === 1 && podName && volume.name) {
      const claim = `${podName}-${volume.name}`
      errors.push(
        ...subdomainErrors(claim, path.child('name')).map((error) => ({
          ...error,
          badValue: volume.name,
          detail: `PVC name "${claim}": ${error.detail}`,
        })),
      )
    }
  }
  if (count === 0) errors.push(fieldError.required(path, 'must specify a volume type'))
  return errors
}

function validateTarget({ name = '', iscsi }: Volume, path: FieldPath): FieldError[] {
  if (iscsi?.initiatorName === undefined || `${name}:${iscsi.targetPortal ?? ''}`.length <= longestTarget) return []
  const detail = `Total length of <volume name>:<iscsi.targetPortal> must be under ${longestTarget} characters if iscsi.initiatorName is specified.`
  return [fieldError.invalid(path, name, detail)]
}

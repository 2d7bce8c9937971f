import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain } from 'steersman/api'
import type { CSIDriverSpec, TokenRequest } from 'steersman/api/types/storage/v1'
import { CSIDriver } from 'steersman/api/types/storage/v1'
import { validateImmutable } from '../metadata.js'
import { validateChoice } from '../shared/choice.js'
import { isSameValue } from '../shared/same-value.js'
import { defineKind } from '../strategy.js'

const specPath = fieldPath('spec')
const fsGroupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType']
const lifecycleModes = ['Persistent', 'Ephemeral']
const minTokenSeconds = 600
const maxTokenSeconds = 2 ** 32
const minUpdateSeconds = 10

const tokenAdvice =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes'

/** CSI drivers. */
export const csiDriverKind = defineKind(CSIDriver, {
  validateName: validateDns1123Subdomain,
  allowUnconditionalUpdate: false,
  default(driver) {
    driver.spec ??= {}
    const { spec } = driver
    spec.attachRequired ??= true
    spec.podInfoOnMount ??= false
    spec.storageCapacity ??= false
    spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType'
    if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ['Persistent']
    spec.requiresRepublish ??= false
    spec.seLinuxMount ??= false
    spec.preventPodSchedulingIfMissing ??= false
  },
  prepareForUpdate(driver, old) {
    // A new driver has no generation: it begins with the first change.
    if (!isSameValue(driver.spec, old.spec)) driver.metadata.generation = (old.metadata.generation ?? 0) + 1
  },
  validate: ({ spec }) => validateSpec(spec),
  validateUpdate: ({ spec }, { spec: old }) => [
    ...validateSpec(spec),
    ...validateImmutable(spec.attachRequired, old.attachRequired, specPath.child('attachedRequired')),
    ...validateImmutable(spec.volumeLifecycleModes, old.volumeLifecycleModes, specPath.child('volumeLifecycleModes')),
  ],
  warn({ spec }, warn, old) {
    const { tokenRequests: requests = [], serviceAccountTokenInSecrets } = spec
    if (requests.length === 0 || serviceAccountTokenInSecrets !== undefined) return
    if (old === undefined || !isSameValue(requests, old.spec.tokenRequests ?? [])) warn(tokenAdvice)
  },
  deletion: { returnsObject: true },
})

function validateSpec(spec: CSIDriverSpec): FieldError[] {
  const { volumeLifecycleModes: modes = [], nodeAllocatableUpdatePeriodSeconds: period, serviceAccountTokenInSecrets: inSecrets } = spec
  const errors = validateChoice(spec.fsGroupPolicy, fsGroupPolicies, specPath.child('fsGroupPolicy'))
  errors.push(...validateTokenRequests(spec.tokenRequests ?? []))
  errors.push(...modes.flatMap((mode) => validateChoice(mode, lifecycleModes, specPath.child('volumeLifecycleModes'))))
  if (period !== undefined && period < minUpdateSeconds) {
    const path = specPath.child('nodeAllocatableUpdatePeriodSeconds')
    errors.push(fieldError.invalid(path, period, 'must be greater than or equal to 10 seconds'))
  }
  if (inSecrets !== undefined && (spec.tokenRequests ?? []).length === 0) {
    const detail = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified'
    errors.push(fieldError.invalid(specPath.child('serviceAccountTokenInSecrets'), inSecrets, detail))
  }
  return errors
}

function validateTokenRequests(requests: readonly TokenRequest[]): FieldError[] {
  const audiences = new Set<string>()
  return requests.flatMap(({ audience = '', expirationSeconds: seconds }, index) => {
    const path = specPath.child('tokenRequests').index(index)
    if (audiences.has(audience)) return [fieldError.duplicate(path.child('audience'), audience)]
    audiences.add(audience)
    const refuse = (detail: string) => [fieldError.invalid(path.child('expirationSeconds'), seconds, detail)]
    if (seconds !== undefined && seconds < minTokenSeconds) return refuse('may not specify a duration less than 10 minutes')
    if (seconds !== undefined && seconds > maxTokenSeconds) return refuse('may not specify a duration larger than 2^32 seconds')
    return []
  })
}

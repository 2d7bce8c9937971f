import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, utf8Length, validateDns1123Subdomain } from 'steersman/api'
import type { PoolStatus } from 'steersman/api/types/resource/v1alpha3'
import { ResourcePoolStatusRequest } from 'steersman/api/types/resource/v1alpha3'
import { deepEqual } from 'steersman/internal'
import { immutableMessage } from '../metadata.js'
import { validateConditions } from '../shared/condition-validation.js'
import { validateDeclaredImmutable } from '../shared/declared.js'
import { goForm } from '../shared/go-form.js'
import { withStructValue } from '../shared/struct-value.js'
import { defineKind } from '../strategy.js'
import { declaredDriverErrors, declaredPoolErrors } from './names.js'

const specPath = fieldPath('spec')
const statusPath = fieldPath('status')
const maxPools = 1000
const maxConditions = 10
const maxErrorBytes = 256

/** Questions about pools of devices. Nothing answers them. */
export const resourcePoolStatusRequestKind = defineKind(ResourcePoolStatusRequest, {
  validateName: validateDns1123Subdomain,
  default(request) {
    request.spec ??= {} as typeof request.spec
    request.spec.limit ??= 100
  },
  prepareForCreate({ spec }) {
    delete spec.defaultPartitionTypeAttribute
  },
  prepareForUpdate({ spec }) {
    delete spec.defaultPartitionTypeAttribute
  },
  validate: ({ spec }) => [
    ...driverErrors(spec.driver, specPath.child('driver')),
    ...(spec.poolName === undefined ? [] : poolErrors(spec.poolName, specPath.child('poolName'))),
    ...rangeErrors(spec.limit, specPath.child('limit'), 1, 1000),
  ],
  validateUpdate: ({ spec }, old) => validateDeclaredImmutable(spec, old.spec, specPath),
  allowUnconditionalUpdate: false,
  status: { ignoresMetadata: true, validateUpdate: validateStatus },
  deletion: { returnsObject: true },
})

/** A driver's name may be as long as a domain here. */
function driverErrors(name: string | undefined, path: FieldPath): FieldError[] {
  return declaredDriverErrors(name, path).filter(({ type }) => type !== 'FieldValueTooLong')
}

function poolErrors(name: string | undefined, path: FieldPath): FieldError[] {
  return declaredPoolErrors(name, path)
}

function rangeErrors(value: number | undefined, path: FieldPath, min: number, max = Number.POSITIVE_INFINITY): FieldError[] {
  if (value === undefined) return []
  if (value > max) return [fieldError.invalid(path, value, `must be less than or equal to ${max}`)]
  return value < min ? [fieldError.invalid(path, value, `must be greater than or equal to ${min}`)] : []
}

/** An answer, once given, stays as it is. */
function validateStatus({ status }: ResourcePoolStatusRequest, old: ResourcePoolStatusRequest): FieldError[] {
  if (old.status !== undefined) {
    if (deepEqual(status, old.status)) return []
    const error = fieldError.invalid(statusPath, status === undefined ? null : undefined, immutableMessage)
    return [status === undefined ? error : withStructValue(error, goForm('ResourcePoolStatusRequestStatus', status))]
  }
  if (status === undefined) return []
  const { poolCount, pools = [], conditions = [] } = status
  const path = statusPath.child('poolCount')
  return [
    ...validateConditions(conditions, statusPath.child('conditions')),
    ...(poolCount === undefined ? [fieldError.required(path)] : rangeErrors(poolCount, path, 0)),
    ...(pools.length > maxPools
      ? [fieldError.tooMany(statusPath.child('pools'), pools.length, maxPools)]
      : pools.flatMap((pool, index) => validatePool(pool, statusPath.child('pools').index(index)))),
    ...(conditions.length > maxConditions ? [fieldError.tooMany(statusPath.child('conditions'), conditions.length, maxConditions)] : []),
  ]
}

const counts = ['totalDevices', 'allocatedDevices', 'availableDevices', 'unavailableDevices'] as const

function validatePool(pool: PoolStatus, path: FieldPath): FieldError[] {
  const { generation, nodeName, validationError = '' } = pool
  return [
    ...driverErrors(pool.driver, path.child('driver')),
    ...poolErrors(pool.poolName, path.child('poolName')),
    ...(generation ? rangeErrors(generation, path.child('generation'), 0) : [fieldError.required(path.child('generation'))]),
    ...rangeErrors(pool.resourceSliceCount, path.child('resourceSliceCount'), 1),
    ...counts.flatMap((field) => rangeErrors(pool[field], path.child(field), 0)),
    ...(nodeName === undefined
      ? []
      : validateDns1123Subdomain(nodeName).map((detail) => fieldError.invalid(path.child('nodeName'), nodeName, detail))),
    ...(utf8Length(validationError) > maxErrorBytes ? [fieldError.tooLong(path.child('validationError'), maxErrorBytes)] : []),
  ]
}

import type { Draft, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Label, validateQualifiedName } from 'steersman/api'
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceRequestAllocationResult,
  NetworkDeviceData,
  ResourceClaim,
  ResourceClaimStatus,
} from 'steersman/api/types/resource/v1'
import { deepEqual } from 'steersman/internal'
import { validateRequiredChoice } from '../shared/choice.js'
import { validateConditions } from '../shared/condition-validation.js'
import { driverNameErrors } from '../shared/driver-name.js'
import { validateNodeSelector } from '../shared/scheduling-validation.js'
import { withStructValue } from '../shared/struct-value.js'
import { checkList, checkNames, RequestNames } from './claim-spec.js'
import { checkConfiguration, checkRawObject } from './device-configuration.js'
import { checkTolerations } from './device-taint.js'
import { Findings } from './findings.js'
import { duplicateItem, repeatedItems } from './go-value.js'
import { interfaceAddressErrors } from './interface-address.js'
import { declaredDriverErrors, declaredPoolErrors, poolNameErrors, shareErrors } from './names.js'

const path = fieldPath('status')
const maxConsumers = 256
const maxConfigurations = 64
const maxBindingConditions = 4
const maxDeviceConditions = 8

/** Drops what is part of features that are off, and what is said about devices that are no longer allocated. */
export function prepareClaimStatus(status: Draft<ResourceClaimStatus> | undefined, old: ResourceClaimStatus | undefined): void {
  if (status === undefined) return
  for (const result of status.allocation?.devices?.results ?? []) delete result.skipNodeOperations
  const gone = new Set((old?.allocation?.devices?.results ?? []).map(deviceKey))
  for (const result of status.allocation?.devices?.results ?? []) gone.delete(deviceKey(result))
  const devices = (status.devices ?? []).filter((device) => !gone.has(deviceKey(device)))
  if (devices.length === 0) delete status.devices
  else status.devices = devices
}

function deviceKey({ driver = '', pool = '', device = '', shareID = '' }: Partial<AllocatedDeviceStatus>): string {
  return [driver, pool, device, shareID].join('|')
}

/** Everything wrong with the status of a claim as a successor of that of `old`. */
export function validateClaimStatus({ metadata, spec, status = {} }: ResourceClaim, old: ResourceClaim) {
  const findings = new Findings()
  const { allocation, reservedFor = [] } = status
  const oldStatus = old.status ?? {}
  const allocationPath = path.child('allocation')
  const isModified = oldStatus.allocation !== undefined && allocation !== undefined && !deepEqual(oldStatus.allocation, allocation)
  if (isModified) findings.declare(fieldError.invalid(allocationPath, null, 'field cannot be modified once set'))
  checkReservations(reservedFor, findings)
  checkDevices(status, findings)
  if (reservedFor.length > 0 && allocation === undefined) {
    findings.check(fieldError.forbidden(path.child('reservedFor'), 'may not be specified when `allocated` is not set'))
  } else if (metadata.deletionTimestamp !== undefined && reservedFor.some((consumer) => !isAmong(consumer, oldStatus.reservedFor ?? []))) {
    const detail = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set'
    findings.check(fieldError.forbidden(path.child('reservedFor'), detail))
  }
  if (allocation !== undefined && oldStatus.allocation === undefined) {
    checkAllocation(allocation, allocationPath, new RequestNames(spec?.devices ?? {}), findings)
  }
  return findings.all
}

function isAmong(value: unknown, list: readonly unknown[]): boolean {
  return list.some((other) => deepEqual(value, other))
}

function checkReservations(consumers: NonNullable<ResourceClaimStatus['reservedFor']>, findings: Findings): void {
  const check = (consumer: (typeof consumers)[number], at: FieldPath) => {
    for (const field of ['resource', 'name', 'uid'] as const) {
      if (!consumer[field]) findings.check(fieldError.required(at.child(field)))
    }
  }
  checkList(consumers, path.child('reservedFor'), findings, check, ({ uid = '' }) => uid, maxConsumers)
}

function checkDevices({ devices = [], allocation }: ResourceClaimStatus, findings: Findings): void {
  const allocated = new Set((allocation?.devices?.results ?? []).map(deviceKey))
  findings.declare(...repeatedItems(devices, deviceKey, path.child('devices')))
  for (const [index, device] of devices.entries()) {
    const at = path.child('devices').index(index)
    const { driver = '', pool = '', device: name = '', shareID } = device
    findings.check(...driverNameErrors(driver, at.child('driver')), ...poolNameErrors(pool, at.child('pool')))
    findings.check(...validateDns1123Label(name).map((detail) => fieldError.invalid(at.child('device'), name, detail)))
    findings.declare(...shareErrors(shareID, at.child('shareID')))
    if (!allocated.has(deviceKey(device))) {
      const error = fieldError.invalid(at, undefined, 'must be an allocated device in the claim')
      findings.check(withStructValue(error, { Driver: driver, Pool: pool, Device: name, ShareID: shareID ?? '' }))
    }
    const { data, networkData } = device
    const conditions = device.conditions ?? []
    if (conditions.length > maxDeviceConditions) {
      findings.check(fieldError.tooMany(at.child('conditions'), conditions.length, maxDeviceConditions))
    }
    findings.check(...validateConditions(conditions, at.child('conditions')))
    if (data !== undefined) checkRawObject(data, at.child('data'), findings)
    if (networkData !== undefined) checkNetworkData(networkData, at.child('networkData'), findings)
  }
}

function checkNetworkData(
  { interfaceName = '', ips = [], hardwareAddress = '' }: NetworkDeviceData,
  at: FieldPath,
  findings: Findings,
): void {
  if (Buffer.byteLength(interfaceName) > 256) findings.declare(fieldError.tooLong(at.child('interfaceName'), 256))
  checkList(
    ips,
    at.child('ips'),
    findings,
    (ip, where) => findings.check(...interfaceAddressErrors(ip, where)),
    (ip) => ip,
    16,
  )
  if (Buffer.byteLength(hardwareAddress) > 128) findings.declare(fieldError.tooLong(at.child('hardwareAddress'), 128))
}

function checkAllocation({ devices = {}, nodeSelector }: AllocationResult, at: FieldPath, names: RequestNames, findings: Findings): void {
  const devicesPath = at.child('devices')
  checkList(devices.results ?? [], devicesPath.child('results'), findings, (result, where) => checkResult(result, where, names, findings))
  checkList(
    devices.config ?? [],
    devicesPath.child('config'),
    findings,
    (config, where) => {
      findings.declare(...validateRequiredChoice(config.source, ['FromClaim', 'FromClass'], where.child('source')))
      checkNames(config.requests ?? [], where.child('requests'), names, findings)
      checkConfiguration(config, where, findings)
    },
    undefined,
    maxConfigurations,
  )
  if (nodeSelector !== undefined) findings.check(...validateNodeSelector(nodeSelector, at.child('nodeSelector')))
}

function checkResult(result: DeviceRequestAllocationResult, at: FieldPath, names: RequestNames, findings: Findings): void {
  const { request = '', device = '' } = result
  findings.check(...names.errors(request, at.child('request')))
  findings.declare(...declaredDriverErrors(result.driver, at.child('driver')), ...declaredPoolErrors(result.pool, at.child('pool')))
  findings.check(...validateDns1123Label(device).map((detail) => fieldError.invalid(at.child('device'), device, detail)))
  checkBindingConditions(result, at, findings)
  checkTolerations(result.tolerations, at.child('tolerations'), findings)
  findings.declare(...shareErrors(result.shareID, at.child('shareID')))
}

/** What must be true, or must not become true, before a pod is bound to a node for a device. */
export interface BindingConditions {
  readonly bindingConditions?: readonly string[]
  readonly bindingFailureConditions?: readonly string[]
}

/** Checks the conditions under which a pod is bound to a node. */
export function checkBindingConditions(device: BindingConditions, at: FieldPath, findings: Findings): void {
  const { bindingConditions: wanted = [], bindingFailureConditions: failures = [] } = device
  const wantedPath = at.child('bindingConditions')
  const failuresPath = at.child('bindingFailureConditions')
  for (const [list, where] of [[wanted, wantedPath] as const, [failures, failuresPath] as const]) {
    const check = (name: string, item: FieldPath) =>
      findings.check(...validateQualifiedName(name).map((detail) => fieldError.invalid(item, name, detail)))
    checkList(list, where, findings, check, undefined, maxBindingConditions)
  }
  findings.check(...repeatedItems(wanted, (name) => name, wantedPath))
  for (const [index, name] of failures.entries()) {
    const item = failuresPath.index(index)
    if (failures.indexOf(name) < index) findings.check(duplicateItem(item, name))
    if (wanted.includes(name))
      findings.check(fieldError.invalid(item, name, 'bindingFailureConditions must not overlap with bindingConditions'))
  }
  if (wanted.length === 0 && failures.length > 0) {
    const detail = 'bindingConditions are required to use bindingFailureConditions'
    findings.check(fieldError.invalid(wantedPath, device.bindingConditions ?? null, detail))
  }
  if (failures.length === 0 && wanted.length > 0) {
    const detail = 'bindingFailureConditions are required to use bindingConditions'
    findings.check(fieldError.invalid(failuresPath, device.bindingFailureConditions ?? null, detail))
  }
}

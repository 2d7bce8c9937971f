import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, utf8Length, validateDns1123Label, validateDns1123Subdomain } from 'steersman/api'
import type { CounterSet, Device, DeviceAttribute, DeviceCapacity, DeviceCounterConsumption } from 'steersman/api/types/resource/v1'
import { deepEqual } from 'steersman/internal'
import { validateNodeSelector } from '../shared/scheduling-validation.js'
import { validateRequestPolicy } from './capacity-policy.js'
import { checkBindingConditions } from './claim-status.js'
import { declaredTaintErrors, taintErrors } from './device-taint.js'
import type { Findings } from './findings.js'
import { repeatedItems } from './go-value.js'
import { qualifiedNameErrors } from './names.js'

const maxValueBytes = 64
const maxAttributes = 32
const maxTaints = 16
const maxConsumptions = 2
const maxCounters = 32
const maxKeyLength = 63 + 1 + 32

/** Checks a device by hand; what is declared: {@link declareDevice}. `old`: the device of that name before. */
export function checkDevice(device: Device, old: Device | undefined, isPerDevice: boolean, path: FieldPath, findings: Findings): void {
  const { name = '', attributes = {}, capacity = {}, taints = [] } = device
  findings.check(...validateDns1123Label(name).map((detail) => fieldError.invalid(path.child('name'), name, detail)))
  const count = Object.keys(attributes).length + Object.keys(capacity).length
  if (count > maxAttributes) {
    findings.check(fieldError.invalid(path, count, `the total number of attributes and capacities must not exceed ${maxAttributes}`))
  }
  for (const [key, attribute] of Object.entries(attributes)) {
    const at = path.child('attributes')
    findings.check(...qualifiedNameErrors(key, at), ...attributeErrors(attribute, at.key(shortened(key))))
  }
  if (!deepEqual(old?.capacity, device.capacity)) {
    for (const [key, value] of Object.entries(capacity)) {
      const at = path.child('capacity')
      findings.check(...qualifiedNameErrors(key, at), ...capacityErrors(value, device, at.key(shortened(key))))
    }
  }
  if (!deepEqual(old?.taints, device.taints)) {
    if (taints.length > maxTaints) findings.check(fieldError.tooMany(path.child('taints'), taints.length, maxTaints))
    else for (const [index, taint] of taints.entries()) findings.check(...taintErrors(taint, path.child('taints').index(index)))
  }
  for (const [index, { counters = {} }] of (device.consumesCounters ?? []).slice(0, maxConsumptions).entries()) {
    findings.check(...counterCountErrors(counters, path.child('consumesCounters').index(index).child('counters')))
  }
  checkPlace(device, isPerDevice, path, findings)
  checkBindingConditions(device, path, findings)
}

/** Checks a device as it is declared. */
export function declareDevice({ attributes = {}, consumesCounters = [], taints = [] }: Device, path: FieldPath, findings: Findings): void {
  for (const [key, attribute] of Object.entries(attributes)) {
    findings.declare(...unionErrors(attribute, path.child('attributes').key(key)))
  }
  const at = path.child('consumesCounters')
  if (consumesCounters.length > maxConsumptions) {
    findings.declare(fieldError.tooMany(at, consumesCounters.length, maxConsumptions))
  } else {
    findings.declare(...repeatedItems(consumesCounters, ({ counterSet = '' }: Partial<DeviceCounterConsumption>) => counterSet, at))
    for (const [index, { counterSet, counters }] of consumesCounters.entries()) {
      findings.declare(...namedCountersErrors(counterSet, counters, 'counterSet', at.index(index)))
    }
  }
  for (const [index, taint] of taints.entries()) findings.declare(...declaredTaintErrors(taint, path.child('taints').index(index)))
}

/** How many counters a set may have is checked by hand. */
export function counterCountErrors(counters: object, path: FieldPath): FieldError[] {
  const count = Object.keys(counters).length
  return count > maxCounters ? [fieldError.tooMany(path, count, maxCounters)] : []
}

/** What is wrong with counters that have a name together. */
export function namedCountersErrors(
  name: string | undefined,
  counters: CounterSet['counters'] | undefined,
  field: string,
  path: FieldPath,
): FieldError[] {
  const labelErrors = (value: string, at: FieldPath) => validateDns1123Label(value).map((detail) => fieldError.invalid(at, value, detail))
  const keys = Object.keys(counters ?? {})
  return [
    ...(name ? labelErrors(name, path.child(field)) : [fieldError.required(path.child(field))]),
    ...(keys.length === 0 ? [fieldError.required(path.child('counters'))] : []),
    ...keys.flatMap((key) => labelErrors(key, path.child('counters'))),
  ]
}

/** Long keys are cut in the middle. */
function shortened(key: string): string {
  if (key.length <= maxKeyLength) return key
  const rest = maxKeyLength - 3
  return `${key.slice(0, Math.floor((rest + 1) / 2))}...${key.slice(key.length - Math.floor(rest / 2))}`
}

const semanticVersion =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/

function attributeErrors({ string, version }: DeviceAttribute, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  const checkLength = (value: string, at: FieldPath) => {
    if (utf8Length(value) > maxValueBytes) errors.push(fieldError.tooLong(at, maxValueBytes))
  }
  if (string !== undefined) checkLength(string, path.child('string'))
  if (version === undefined) return errors
  if (!semanticVersion.test(version)) {
    errors.push(fieldError.invalid(path.child('version'), version, 'must be a string compatible with semver.org spec 2.0.0'))
  }
  checkLength(version, path.child('version'))
  return errors
}

const attributeMembers = ['int', 'bool', 'string', 'version', 'ints', 'bools', 'strings', 'versions'] as const
const memberList = attributeMembers.map((member) => `\`${member}\``).join(', ')

function unionErrors(attribute: DeviceAttribute, path: FieldPath): FieldError[] {
  const set = attributeMembers.filter((member) => attribute[member] !== undefined)
  if (set.length === 1) return []
  if (set.length === 0) return [fieldError.invalid(path, '', `must specify one of: ${memberList}`)]
  return [fieldError.invalid(path, `{${set.join(', ')}}`, `must specify exactly one of: ${memberList}`)]
}

function capacityErrors({ value, requestPolicy }: DeviceCapacity, device: Device, path: FieldPath): FieldError[] {
  if (requestPolicy === undefined) return []
  const at = path.child('requestPolicy')
  if (device.allowMultipleAllocations !== true) return [fieldError.forbidden(at, 'allowMultipleAllocations must be true')]
  return validateRequestPolicy(value ?? '0', requestPolicy, at)
}

function checkPlace(device: Device, isPerDevice: boolean, path: FieldPath, findings: Findings): void {
  const { nodeName, nodeSelector, allNodes } = device
  if (!isPerDevice) {
    if (nodeName === undefined && nodeSelector === undefined && allNodes === undefined) return
    const fields = '`nodeName`, `nodeSelector` and `allNodes`'
    const detail = `${fields} can only be set if \`perDeviceNodeSelection\` is set to true in the ResourceSlice spec`
    findings.check(fieldError.invalid(path, null, detail))
    return
  }
  const set: string[] = []
  if (nodeName === '') findings.check(fieldError.invalid(path.child('nodeName'), '', 'must not be empty'))
  else if (nodeName !== undefined) {
    set.push('`nodeName`')
    findings.check(...validateDns1123Subdomain(nodeName).map((detail) => fieldError.invalid(path.child('nodeName'), nodeName, detail)))
  }
  if (nodeSelector !== undefined) {
    set.push('`nodeSelector`')
    findings.check(...validateNodeSelector(nodeSelector, path.child('nodeSelector')))
  }
  if (allNodes === true) set.push('`allNodes`')
  if (allNodes === false) findings.check(fieldError.invalid(path.child('allNodes'), false, 'must be either unset or set to true'))
  const rule =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec'
  if (set.length === 0) findings.check(fieldError.required(path, rule))
  if (set.length > 1) findings.check(fieldError.invalid(path, `{${set.join(', ')}}`, rule))
}

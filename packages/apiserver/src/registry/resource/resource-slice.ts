import type { Draft, FieldError } from 'steersman/api'
import { fieldError, fieldPath, goQuote, validateDns1123Subdomain } from 'steersman/api'
import type { ResourceSliceSpec } from 'steersman/api/types/resource/v1'
import { ResourceSlice } from 'steersman/api/types/resource/v1'
import { deepEqual } from 'steersman/internal'
import { validateImmutable } from '../metadata.js'
import { driverNameErrors } from '../shared/driver-name.js'
import { goForm } from '../shared/go-form.js'
import { validateNodeSelector } from '../shared/scheduling-validation.js'
import { defineKind } from '../strategy.js'
import { checkDevice, counterCountErrors, declareDevice, namedCountersErrors } from './device.js'
import { stampTaint } from './device-taint.js'
import { Findings } from './findings.js'
import { repeatedItems } from './go-value.js'
import { poolNameErrors } from './names.js'
import { canonicalizeSlice } from './quantities.js'

const path = fieldPath('spec')
const maxDevices = 128
const maxDevicesWithMore = 64
const maxCounterSets = 8

/** Devices of a pool that a driver has to give. */
export const resourceSliceKind = defineKind(ResourceSlice, {
  validateName: validateDns1123Subdomain,
  default({ spec }) {
    if (spec !== undefined) canonicalizeSlice(spec)
  },
  prepareForCreate: (slice, { now }) => prepareSpec(slice.spec, now),
  prepareForUpdate: (slice, _old, { now }) => prepareSpec(slice.spec, now),
  validate: ({ spec }) => validateSpec(spec),
  validateUpdate: ({ spec }, old) => validateSpec(spec, old.spec),
  changesGeneration: (slice, old) => !deepEqual(slice.spec, old.spec),
  warn({ spec }, warn) {
    const { driver = '' } = spec ?? {}
    if (driver !== driver.toLowerCase())
      warn(`spec.driver: driver names should be lowercase; ${goQuote(driver)} contains uppercase characters`)
  },
  selectableFields: {
    'spec.nodeName': ({ spec }) => spec.nodeName ?? '',
    'spec.driver': ({ spec }) => spec.driver,
    'spec.pool.name': ({ spec }) => spec.pool.name,
  },
  unknownField: (field) => `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`,
  deletion: { returnsObject: true },
})

/** Says when taints were added, and drops what is part of features that are off. */
function prepareSpec(spec: Draft<ResourceSliceSpec> | undefined, now: string): void {
  if (spec === undefined) return
  delete spec.partitionTypeAttribute
  delete spec.skipNodeOperations
  for (const device of spec.devices ?? []) {
    for (const taint of device.taints ?? []) stampTaint(taint, now)
    for (const consumption of device.consumesCounters ?? []) delete consumption.compatibilityGroups
    for (const attribute of Object.values(device.attributes ?? {})) {
      for (const field of ['ints', 'bools', 'strings', 'versions'] as const) delete attribute[field]
    }
    delete device.nodeAllocatableResources
  }
}

function validateSpec(spec: Partial<ResourceSliceSpec> = {}, old?: ResourceSliceSpec): readonly FieldError[] {
  const findings = new Findings()
  findings.check(...driverNameErrors(spec.driver, path.child('driver')))
  checkPool(spec, findings)
  if (old !== undefined) {
    findings.check(...validateImmutable(spec.pool?.name ?? '', old.pool.name, path.child('pool', 'name')))
    findings.check(...validateImmutable(spec.driver ?? '', old.driver, path.child('driver')))
    findings.check(...validateImmutable(spec.nodeName, old.nodeName, path.child('nodeName')))
  }
  checkPlace(spec, findings)
  if (spec.sharedCounters !== undefined && spec.devices !== undefined) {
    findings.check(fieldError.invalid(path, '', 'only one of `sharedCounters` or `devices` is allowed'))
  }
  checkDevices(spec, old, findings)
  checkCounterSets(spec.sharedCounters ?? [], findings)
  return findings.all
}

function checkPool({ pool }: Partial<ResourceSliceSpec>, findings: Findings): void {
  const at = path.child('pool')
  const { name, resourceSliceCount = 0, generation = 0 } = pool ?? {}
  findings.check(...poolNameErrors(name, at.child('name')))
  if (resourceSliceCount <= 0) {
    findings.check(fieldError.invalid(at.child('resourceSliceCount'), resourceSliceCount, 'must be greater than zero'))
  }
  if (generation < 0) findings.check(fieldError.invalid(at.child('generation'), generation, 'must be greater than or equal to zero'))
}

function checkPlace({ nodeName, nodeSelector, allNodes, perDeviceNodeSelection }: Partial<ResourceSliceSpec>, findings: Findings): void {
  const set: string[] = []
  if (nodeName === '') {
    findings.check(fieldError.invalid(path.child('nodeName'), '', 'must be either unset or set to a non-empty string'))
  } else if (nodeName !== undefined) {
    set.push('`nodeName`')
    findings.check(...validateDns1123Subdomain(nodeName).map((detail) => fieldError.invalid(path.child('nodeName'), nodeName, detail)))
  }
  if (nodeSelector !== undefined) {
    set.push('`nodeSelector`')
    findings.check(...validateNodeSelector(nodeSelector, path.child('nodeSelector')), ...termCountErrors(nodeSelector))
  }
  for (const [field, value] of Object.entries({ allNodes, perDeviceNodeSelection })) {
    if (value === true) set.push(`\`${field}\``)
    if (value === false) findings.check(fieldError.invalid(path.child(field), false, 'must be either unset or set to true'))
  }
  const rule = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required'
  if (set.length === 0) findings.check(fieldError.required(path, rule))
  if (set.length > 1) findings.check(fieldError.invalid(path, `{${set.join(', ')}}`, `${rule}, but multiple fields are set`))
}

function termCountErrors({ nodeSelectorTerms }: NonNullable<ResourceSliceSpec['nodeSelector']>): FieldError[] {
  const terms = nodeSelectorTerms ?? []
  if (terms.length === 1) return []
  const error = fieldError.invalid(path.child('nodeSelector', 'nodeSelectorTerms'), undefined)
  const text =
    nodeSelectorTerms === undefined || nodeSelectorTerms === null
      ? 'null'
      : JSON.stringify(terms.map((term) => goForm('NodeSelectorTerm', term)))
  return [{ ...error, badValue: undefined, detail: `${text}: must have exactly one node selector term` }]
}

function checkDevices(spec: Partial<ResourceSliceSpec>, old: ResourceSliceSpec | undefined, findings: Findings): void {
  const at = path.child('devices')
  const { devices = [], perDeviceNodeSelection } = spec
  const hasMore = devices.some(({ taints = [], consumesCounters = [] }) => taints.length > 0 || consumesCounters.length > 0)
  const max = hasMore ? maxDevicesWithMore : maxDevices
  if (devices.length > max) findings.check(fieldError.tooMany(at, devices.length, max))
  else {
    for (const [index, device] of devices.entries()) {
      const oldDevice = old?.devices?.find(({ name }) => name === device.name)
      checkDevice(device, oldDevice, perDeviceNodeSelection === true, at.index(index), findings)
    }
    devices.forEach(({ name = '' }, index) => {
      const isRepeated = devices.slice(0, index).some((other) => (other.name ?? '') === name)
      if (isRepeated) findings.check(fieldError.duplicate(at.index(index), name))
    })
  }
  devices.forEach((device, index) => {
    declareDevice(device, at.index(index), findings)
  })
}

function checkCounterSets(sets: NonNullable<ResourceSliceSpec['sharedCounters']>, findings: Findings): void {
  const at = path.child('sharedCounters')
  if (sets.length > maxCounterSets) {
    findings.declare(fieldError.tooMany(at, sets.length, maxCounterSets))
    return
  }
  findings.declare(...repeatedItems(sets, ({ name = '' }: { readonly name?: string }) => name, at))
  for (const [index, { name, counters }] of sets.entries()) {
    findings.check(...counterCountErrors(counters ?? {}, at.index(index).child('counters')))
    findings.declare(...namedCountersErrors(name, counters, 'name', at.index(index)))
  }
}

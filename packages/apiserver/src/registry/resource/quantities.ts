import type { Draft } from 'steersman/api'
import type { Device, DeviceCapacity, ResourceSliceSpec } from 'steersman/api/types/resource/v1'
import { canonicalQuantity } from '../shared/quantity.js'

/** Writes the amounts of a slice as the server does. */
export function canonicalizeSlice({ devices = [], sharedCounters = [] }: Draft<Partial<ResourceSliceSpec>>): void {
  for (const device of devices) canonicalizeDevice(device)
  for (const { counters } of sharedCounters) canonicalizeCounters(counters)
}

function canonicalizeDevice({ capacity = {}, consumesCounters = [] }: Draft<Device>): void {
  for (const value of Object.values(capacity)) canonicalizeCapacity(value)
  for (const { counters } of consumesCounters) canonicalizeCounters(counters)
}

function canonicalizeCounters(counters: Draft<Record<string, { readonly value: string }>> | undefined): void {
  for (const counter of Object.values(counters ?? {})) if (counter.value !== undefined) counter.value = canonicalQuantity(counter.value)
}

function canonicalizeCapacity(capacity: Draft<DeviceCapacity>): void {
  if (capacity.value !== undefined) capacity.value = canonicalQuantity(capacity.value)
  const policy = capacity.requestPolicy
  if (policy === undefined) return
  if (policy.default) policy.default = canonicalQuantity(policy.default)
  if (policy.validValues !== undefined) policy.validValues = policy.validValues.map(canonicalQuantity)
  for (const field of ['min', 'max', 'step'] as const) {
    const bound = policy.validRange?.[field]
    if (policy.validRange !== undefined && bound) policy.validRange[field] = canonicalQuantity(bound)
  }
}

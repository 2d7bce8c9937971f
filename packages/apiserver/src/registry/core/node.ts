import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain, validateLabelValue, validateQualifiedName } from 'steersman/api'
import type { NodeStatus } from 'steersman/api/types/core/v1'
import { Node } from 'steersman/api/types/core/v1'
import { deepEqual } from 'steersman/internal'
import { parseRange } from '../shared/address.js'
import { rangeErrors, warnOfRange } from '../shared/address-validation.js'
import { unsupportedField } from '../shared/fields.js'
import { amountOf, canonicalizeResources } from '../shared/quantity.js'
import { withStructValue } from '../shared/struct-value.js'
import { defineKind } from '../strategy.js'
import { featureErrors } from './node-features.js'

const nodeInfoFields = [
  'machineID',
  'systemUUID',
  'bootID',
  'kernelVersion',
  'osImage',
  'containerRuntimeVersion',
  'kubeletVersion',
  'kubeProxyVersion',
  'operatingSystem',
  'architecture',
] as const

/** Nodes: a kubelet registers with its status, later writes of the status go to the subresource. */
export const nodeKind = defineKind(Node, {
  validateName: validateDns1123Subdomain,
  default(node) {
    node.spec ??= {}
    node.status ??= {}
    const { status } = node
    status.daemonEndpoints ??= { kubeletEndpoint: { Port: 0 } }
    const info = { ...status.nodeInfo } as Record<string, unknown>
    for (const field of nodeInfoFields) info[field] ??= ''
    status.nodeInfo = info as unknown as NonNullable<typeof status.nodeInfo>
    if (node.spec.podCIDR && node.spec.podCIDRs?.[0] !== node.spec.podCIDR) node.spec.podCIDRs = [node.spec.podCIDR]
    const [range] = node.spec.podCIDRs ?? []
    if (range !== undefined) node.spec.podCIDR = range
    // Configurations that change while a kubelet runs are gone; who may be pushed aside for what grows is not asked yet.
    delete node.spec.configSource
    delete node.spec.podPreemptionPolicy
    delete status.config
    canonicalizeResources(status.capacity)
    canonicalizeResources(status.allocatable)
    if (Object.keys(status.allocatable ?? {}).length === 0 && status.capacity !== undefined) status.allocatable = { ...status.capacity }
  },
  validate: (node) => [...amountErrors(node.status), ...featureErrors(node.status), ...validateNode(node)],
  warn({ spec }, warn) {
    if (spec?.externalID) warn('spec.externalID: this field is deprecated, and is unused by Kubernetes')
    for (const [index, range] of (spec?.podCIDRs ?? []).entries()) warnOfRange(range, fieldPath('spec', 'podCIDRs').index(index), warn)
  },
  validateUpdate(node, old) {
    const errors = [...validateNode(node), ...validateStatus(node)]
    if ((old.spec?.podCIDRs ?? []).length > 0 && !deepEqual(node.spec?.podCIDRs, old.spec?.podCIDRs)) {
      errors.push(fieldError.forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'))
    }
    if (old.spec?.providerID && node.spec?.providerID !== old.spec.providerID) {
      const detail = node.spec?.providerID ? 'field cannot be modified once set' : 'field cannot be cleared once set'
      errors.push(fieldError.invalid('spec.providerID', null, detail))
    }
    if ((node.spec?.externalID ?? '') !== (old.spec?.externalID ?? '')) {
      errors.push(fieldError.forbidden('spec.externalID', 'may not be updated'))
    }
    return errors
  },
  selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec?.unschedulable === true) },
  unknownField: unsupportedField,
  status: { acceptedOnCreate: true, validateUpdate: validateStatus },
})

function validateStatus(node: Node): FieldError[] {
  return [...amountErrors(node.status), ...featureErrors(node.status), ...validateAddresses(node)]
}

function amountErrors(status: NodeStatus | undefined): FieldError[] {
  return (['capacity', 'allocatable'] as const).flatMap((field) =>
    Object.entries(status?.[field] ?? {}).flatMap(([name, amount]) =>
      (amountOf(amount) ?? 0n) < 0n
        ? [fieldError.invalid(fieldPath('status', field, name), amount, 'must be greater than or equal to 0')]
        : [],
    ),
  )
}

function validateAddresses({ status }: Node): FieldError[] {
  const seen = new Set<string>()
  return (status?.addresses ?? []).flatMap(({ type, address }, index) => {
    const key = JSON.stringify([type, address])
    const isRepeated = seen.has(key)
    seen.add(key)
    const error = fieldError.duplicate(fieldPath('status', 'addresses').index(index), undefined)
    return isRepeated ? [withStructValue(error, { Type: type, Address: address })] : []
  })
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

function validateNode({ spec }: Node): FieldError[] {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  ;(spec?.taints ?? []).forEach((taint, index) => {
    const path = fieldPath('metadata', 'taints').index(index)
    for (const detail of validateQualifiedName(taint.key ?? '')) errors.push(fieldError.invalid(path.child('key'), taint.key ?? '', detail))
    const details = validateLabelValue(taint.value ?? '')
    if (details.length > 0) errors.push(fieldError.invalid(path.child('value'), taint.value, details.join(';')))
    if (!taint.effect) errors.push(fieldError.required(path.child('effect')))
    else if (!effects.includes(taint.effect)) errors.push(fieldError.notSupported(path.child('effect'), taint.effect, effects))
    const pair = `${taint.key ?? ''}\0${taint.effect ?? ''}`
    if (seen.has(pair)) {
      const duplicate = { ...fieldError.duplicate(path, undefined), detail: 'taints must be unique by key and effect pair' }
      const { key = '', value = '', effect = '', timeAdded = null } = taint
      errors.push(withStructValue(duplicate, { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded }))
    }
    seen.add(pair)
  })
  return [...errors, ...validateRanges(spec?.podCIDRs ?? [])]
}

function validateRanges(ranges: readonly string[]): FieldError[] {
  const path = fieldPath('spec', 'podCIDRs')
  const errors = ranges.flatMap((range, index) => rangeErrors(range, path.index(index)))
  if (ranges.length < 2) return errors
  const unreadable = ranges.findIndex((range) => parseRange(range) === undefined)
  if (unreadable >= 0) {
    const reason = `invalid CIDR[${unreadable}]: <nil> (invalid CIDR address: ${ranges[unreadable]})`
    errors.push(fieldError.internal(path, `invalid PodCIDRs. failed to check with dual stack with error:${reason}`))
  }
  const families = new Set(ranges.map((range) => (range.toLowerCase().startsWith('::ffff:') ? 32 : parseRange(range)?.size)))
  if (unreadable < 0 && families.size === 2 && ranges.length === 2) return errors
  return [...errors, fieldError.invalid(path, ranges, 'may specify no more than one CIDR for each IP family')]
}

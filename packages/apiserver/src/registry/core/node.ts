import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain, validateLabelValue, validateQualifiedName } from 'steersman/api'
import { Node } from 'steersman/api/types/core/v1'
import { deepEqual } from 'steersman/internal'
import { rangeErrors } from '../shared/address-validation.js'
import { unsupportedField } from '../shared/fields.js'
import { canonicalizeResources } from '../shared/quantity.js'
import { withStructValue } from '../shared/struct-value.js'
import { defineKind } from '../strategy.js'

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
    canonicalizeResources(status.capacity)
    canonicalizeResources(status.allocatable)
    if (status.allocatable === undefined && status.capacity !== undefined) status.allocatable = { ...status.capacity }
  },
  validate: validateNode,
  validateUpdate(node, old) {
    const errors = validateNode(node)
    if ((old.spec?.podCIDRs ?? []).length > 0 && !deepEqual(node.spec?.podCIDRs, old.spec?.podCIDRs)) {
      errors.push(fieldError.forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'))
    }
    if (old.spec?.providerID && node.spec?.providerID !== old.spec.providerID) {
      errors.push(fieldError.invalid('spec.providerID', null, 'field cannot be modified once set'))
    }
    return errors
  },
  selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec?.unschedulable === true) },
  unknownField: unsupportedField,
  status: { acceptedOnCreate: true },
})

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

function validateNode({ spec }: Node): FieldError[] {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  ;(spec?.taints ?? []).forEach((taint, index) => {
    const path = fieldPath('metadata', 'taints').index(index)
    for (const detail of validateQualifiedName(taint.key)) errors.push(fieldError.invalid(path.child('key'), taint.key, detail))
    const details = validateLabelValue(taint.value ?? '')
    if (details.length > 0) errors.push(fieldError.invalid(path.child('value'), taint.value, details.join(';')))
    if (!taint.effect) errors.push(fieldError.required(path.child('effect')))
    else if (!effects.includes(taint.effect)) errors.push(fieldError.notSupported(path.child('effect'), taint.effect, effects))
    const pair = `${taint.key}\0${taint.effect}`
    if (seen.has(pair)) {
      const duplicate = { ...fieldError.duplicate(path, undefined), detail: 'taints must be unique by key and effect pair' }
      const { key, value = '', effect, timeAdded = null } = taint
      errors.push(withStructValue(duplicate, { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded }))
    }
    seen.add(pair)
  })
  ;(spec?.podCIDRs ?? []).forEach((range, index) => {
    errors.push(...rangeErrors(range, fieldPath('spec', 'podCIDRs').index(index)))
  })
  return errors
}

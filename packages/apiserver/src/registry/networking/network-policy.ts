import type { Draft, FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain, validatePortName, validatePortNumber } from 'steersman/api'
import type { IPBlock, NetworkPolicyPeer, NetworkPolicyPort, NetworkPolicySpec } from 'steersman/api/types/networking/v1'
import { NetworkPolicy } from 'steersman/api/types/networking/v1'
import { deepEqual } from 'steersman/internal'
import { formatAddress, networkOf, parseRange } from '../shared/address.js'
import { rangeErrors, warnOfRange } from '../shared/address-validation.js'
import { validateLabelSelector } from '../shared/label-selector.js'
import { defineKind } from '../strategy.js'

const specPath = fieldPath('spec')
const protocols = ['TCP', 'UDP', 'SCTP']
const policyTypes = ['Ingress', 'Egress']

/** Network policies. */
export const networkPolicyKind = defineKind(NetworkPolicy, {
  validateName: validateDns1123Subdomain,
  default(policy) {
    policy.spec ??= {}
    const { spec } = policy
    for (const { ports = [] } of rulesOf(spec)) for (const port of ports as Draft<NetworkPolicyPort>[]) port.protocol ??= 'TCP'
    if ((spec.policyTypes ?? []).length === 0) spec.policyTypes = (spec.egress ?? []).length > 0 ? ['Ingress', 'Egress'] : ['Ingress']
  },
  validate: ({ spec }) => validateSpec(spec ?? {}),
  changesGeneration: (policy, old) => !deepEqual(policy.spec, old.spec),
  warn({ spec }, warn) {
    for (const { peers, peersPath } of rulesOf(spec ?? {})) {
      for (const [index, { ipBlock }] of peers.entries()) {
        if (ipBlock === undefined) continue
        const path = peersPath.index(index).child('ipBlock')
        warnOfRange(ipBlock.cidr, path.child('cidr'), warn)
        for (const [position, range] of (ipBlock.except ?? []).entries()) warnOfRange(range, path.child('except').index(position), warn)
      }
    }
  },
})

/** A rule of either direction. */
interface Rule {
  readonly ports: readonly NetworkPolicyPort[]
  readonly peers: readonly NetworkPolicyPeer[]
  readonly path: FieldPath
  readonly peersPath: FieldPath
}

function rulesOf({ ingress, egress }: NetworkPolicySpec): readonly Rule[] {
  const rule = (path: FieldPath, direction: string, ports: Rule['ports'] = [], peers: Rule['peers'] = []): Rule => ({
    ports,
    peers,
    path,
    peersPath: path.child(direction),
  })
  return [
    ...(ingress ?? []).map(({ ports, from }, index) => rule(specPath.child('ingress').index(index), 'from', ports, from)),
    ...(egress ?? []).map(({ ports, to }, index) => rule(specPath.child('egress').index(index), 'to', ports, to)),
  ]
}

function validateSpec(spec: NetworkPolicySpec): FieldError[] {
  const errors = validateLabelSelector(spec.podSelector ?? {}, specPath.child('podSelector'))
  const rules = rulesOf(spec)
  for (const { ports, peers, path, peersPath } of rules) {
    errors.push(...ports.flatMap((port, index) => validatePort(port, path.child('ports').index(index))))
    errors.push(...peers.flatMap((peer, index) => validatePeer(peer, peersPath.index(index))))
  }
  errors.push(...validateTypes(spec.policyTypes ?? []))
  // What is required is declared, and upstream finds what is declared after all else.
  for (const { peers, peersPath } of rules) {
    for (const [index, { ipBlock }] of peers.entries()) {
      if (ipBlock !== undefined && !ipBlock.cidr) errors.push(fieldError.required(peersPath.index(index).child('ipBlock', 'cidr')))
    }
  }
  return errors
}

function validateTypes(types: readonly string[]): FieldError[] {
  const path = specPath.child('policyTypes')
  if (types.length > policyTypes.length) return [fieldError.invalid(path, types, 'may not specify more than two policyTypes')]
  return types.flatMap((type, index) => (policyTypes.includes(type) ? [] : [fieldError.notSupported(path.index(index), type, policyTypes)]))
}

function validatePort({ protocol, port, endPort }: NetworkPolicyPort, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  const endPath = path.child('endPort')
  if (protocol !== undefined && !protocols.includes(protocol)) {
    errors.push(fieldError.notSupported(path.child('protocol'), protocol, protocols))
  }
  if (typeof port === 'number') {
    errors.push(...validatePortNumber(port).map((detail) => fieldError.invalid(path.child('port'), port, detail)))
    if (endPort === undefined) return errors
    if (endPort < port) errors.push(fieldError.invalid(endPath, endPort, 'must be greater than or equal to `port`'))
    return [...errors, ...validatePortNumber(endPort).map((detail) => fieldError.invalid(endPath, endPort, detail))]
  }
  if (endPort !== undefined) {
    const state = port === undefined ? 'not specified' : 'non-numeric'
    errors.push(fieldError.invalid(endPath, endPort, `may not be specified when \`port\` is ${state}`))
  }
  if (port !== undefined) errors.push(...validatePortName(port).map((detail) => fieldError.invalid(path.child('port'), port, detail)))
  return errors
}

function validatePeer({ podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  if (podSelector !== undefined) errors.push(...validateLabelSelector(podSelector, path.child('podSelector')))
  if (namespaceSelector !== undefined) errors.push(...validateLabelSelector(namespaceSelector, path.child('namespaceSelector')))
  if (ipBlock !== undefined) errors.push(...validateBlock(ipBlock, path.child('ipBlock')))
  const hasSelector = podSelector !== undefined || namespaceSelector !== undefined
  if (!hasSelector && ipBlock === undefined) errors.push(fieldError.required(path, 'must specify a peer'))
  if (hasSelector && ipBlock !== undefined) errors.push(fieldError.forbidden(path, 'may not specify both ipBlock and another peer'))
  return errors
}

function validateBlock({ cidr, except = [] }: IPBlock, path: FieldPath): FieldError[] {
  if (!cidr) return []
  const errors = rangeErrors(cidr, path.child('cidr'))
  const whole = parseRange(cidr)
  if (whole === undefined) return errors
  for (const [index, text] of except.entries()) {
    const at = path.child('except').index(index)
    errors.push(...rangeErrors(text, at))
    const part = parseRange(text)
    if (part === undefined) continue
    const isInside = part.size === whole.size && formatAddress(networkOf({ ...part, bits: whole.bits })) === formatAddress(networkOf(whole))
    if (!isInside || part.bits <= whole.bits) errors.push(fieldError.invalid(at, text, 'must be a strict subset of `cidr`'))
  }
  return errors
}

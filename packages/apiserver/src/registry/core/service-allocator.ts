import type { FieldError, UnstructuredObject } from 'steersman/api'
import { fieldError, internalError, invalid, StatusError } from 'steersman/api'
import type { Service, ServicePort, ServiceSpec } from 'steersman/api/types/core/v1'
import { isIP } from '../../schema/index.js'
import type { Reservation } from '../store-context.js'
import { formatIpv4, parseIpv4 } from './ipv4.js'
import { hasNodePorts } from './service.js'
import { resolveFamilies, type ServiceDraft } from './service-families.js'

const firstNodePort = 30_000
const lastNodePort = 32_767

/**
 * Gives services their cluster IPs and node ports, from what no other service has.
 *
 * What is taken is known from the services that storage holds; what a write under way takes is taken until it fails.
 */
export class ServiceAllocator {
  readonly #base: number
  readonly #size: number
  readonly #random: () => number
  readonly #addresses = new Set<number>()
  readonly #ports = new Set<number>()

  /** @param cidr such as `10.0.0.0/24`. @throws {RangeError} when it cannot be read or has no room. */
  constructor(cidr: string, random: () => number) {
    const [address = '', bits = ''] = cidr.split('/')
    const base = parseIpv4(address)
    const prefix = Number(bits)
    if (base === undefined || !Number.isInteger(prefix) || prefix < 8 || prefix > 30) {
      throw new RangeError(`Cannot allocate cluster IPs from "${cidr}": expected an IPv4 network such as 10.0.0.0/24`)
    }
    this.#size = 2 ** (32 - prefix)
    this.#base = base - (base % this.#size)
    this.#random = random
  }

  /** The first address of the network: that of the service `kubernetes`. */
  get firstAddress(): string {
    return formatIpv4(this.#base + 1)
  }

  /** The network, such as `10.0.0.0/24`. */
  get range(): string {
    return `${formatIpv4(this.#base)}/${32 - Math.log2(this.#size)}`
  }

  /** Takes what a stored service has. */
  adopt(service: UnstructuredObject): void {
    const spec = specOf(service)
    for (const address of addressesOf(spec)) this.#addresses.add(address)
    for (const port of portsOf(spec)) this.#ports.add(port)
  }

  /** Gives back what a service had before a write and no longer has. */
  settle(previous: UnstructuredObject, next: UnstructuredObject | undefined): void {
    const kept = next === undefined ? {} : specOf(next)
    const keptAddresses = new Set(addressesOf(kept))
    const keptPorts = new Set(portsOf(kept))
    for (const address of addressesOf(specOf(previous))) if (!keptAddresses.has(address)) this.#addresses.delete(address)
    for (const port of portsOf(specOf(previous))) if (!keptPorts.has(port)) this.#ports.delete(port)
  }

  /** Fills in the draft of a service what it needs and does not have yet. @throws {StatusError} Invalid when that cannot be had. */
  reserve(draft: UnstructuredObject, old: UnstructuredObject | undefined): Reservation {
    const spec = (draft as { spec?: ServiceDraft }).spec
    const taken = new Taken(this.#addresses, this.#ports)
    if (spec === undefined) return taken
    const errors: FieldError[] = []
    const oldSpec = old === undefined ? {} : specOf(old)
    if (old !== undefined) {
      keepAllocated(spec, oldSpec)
      if (spec.type !== 'ExternalName') spec.clusterIP ||= spec.clusterIPs?.[0] ?? ''
    }
    if (spec.clusterIP && spec.type !== 'ExternalName' && (spec.clusterIPs ?? []).length === 0) spec.clusterIPs = [spec.clusterIP]
    const unresolved = resolveFamilies(spec, old === undefined ? undefined : oldSpec)
    if (unresolved.length > 0) throw new StatusError(invalid('Service', '', draft.metadata.name ?? '', unresolved))
    if (spec.type !== 'ExternalName') this.#reserveAddress(spec, oldSpec, taken, errors)
    if (hasNodePorts(spec)) this.#reservePorts(spec, oldSpec, taken, errors)
    if (errors.length === 0) return taken
    taken.release()
    throw new StatusError(invalid('Service', '', draft.metadata.name ?? '', errors))
  }

  #reserveAddress(spec: ServiceDraft, old: ServiceSpec, taken: Taken, errors: FieldError[]): void {
    if (spec.clusterIP === 'None') {
      spec.clusterIPs = ['None']
      return
    }
    if (!spec.clusterIP) {
      const free = this.#freeAddress()
      if (free === undefined) errors.push(fieldError.internal('spec.clusterIPs', 'failed to allocate a serviceIP: range is full'))
      else {
        taken.takeAddress(free)
        spec.clusterIP = formatIpv4(free)
      }
    } else this.#takeAddress(spec.clusterIP, old, taken, errors)
    spec.clusterIPs = [spec.clusterIP ?? '']
  }

  #takeAddress(text: string, old: ServiceSpec, taken: Taken, errors: FieldError[]): void {
    const address = parseIpv4(text)
    if (!isIP(text)) {
      const detail = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
      errors.push(fieldError.invalid('spec.clusterIPs[0]', text, detail))
    }
    // What cannot be changed is refused by validation.
    if (address === undefined || (old.clusterIP && old.type !== 'ExternalName')) return
    const refuse = (reason: string) =>
      errors.push(fieldError.invalid('spec.clusterIPs', [text], `failed to allocate IP ${text}: ${reason}`))
    if (address <= this.#base || address >= this.#base + this.#size - 1) refuse('the provided network does not match the current range')
    else if (this.#addresses.has(address)) refuse('provided IP is already allocated')
    else taken.takeAddress(address)
  }

  /** From the upper part of the network, as the lower one is for those who choose; from there too when the upper one is full. */
  #freeAddress(): number | undefined {
    const first = Math.min(Math.max(16, this.#size / 16), 256)
    const usable = this.#size - 2
    const start = first + Math.floor(this.#random() * Math.max(1, usable - first))
    for (let step = 0; step < usable; step++) {
      const offset = 1 + ((start - 1 + step) % usable)
      if (!this.#addresses.has(this.#base + offset)) return this.#base + offset
    }
    return undefined
  }

  #reservePorts(spec: ServiceDraft, old: ServiceSpec, taken: Taken, errors: FieldError[]): void {
    const before = new Set(portsOf(old))
    spec.ports = (spec.ports ?? []).map((port, index) => {
      const path = `spec.ports[${index}].nodePort`
      if (port.nodePort) {
        const problem = before.has(port.nodePort) ? undefined : this.#takePort(port.nodePort, taken)
        if (problem !== undefined) errors.push(fieldError.invalid(path, port.nodePort, problem))
        return port
      }
      if (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts === false) return port
      const free = this.#freePort()
      if (free === undefined) errors.push(fieldError.internal(path, 'failed to allocate a nodePort: range is full'))
      else taken.takePort(free)
      return free === undefined ? port : { ...port, nodePort: free }
    })
    if (spec.type !== 'LoadBalancer' || spec.externalTrafficPolicy !== 'Local') return
    if (spec.healthCheckNodePort) {
      const { healthCheckNodePort: port } = spec
      const problem = before.has(port) ? undefined : this.#takePort(port, taken)
      if (problem === undefined) return
      taken.release()
      throw new StatusError(internalError(`failed to allocate requested HealthCheck NodePort ${port}: ${problem}`))
    }
    const free = this.#freePort()
    if (free === undefined) return
    taken.takePort(free)
    spec.healthCheckNodePort = free
  }

  #takePort(port: number, taken: Taken): string | undefined {
    if (port < firstNodePort || port > lastNodePort) {
      return `provided port is not in the valid range. The range of valid ports is ${firstNodePort}-${lastNodePort}`
    }
    if (this.#ports.has(port)) return 'provided port is already allocated'
    taken.takePort(port)
    return undefined
  }

  #freePort(): number | undefined {
    const count = lastNodePort - firstNodePort + 1
    const start = Math.floor(this.#random() * count)
    for (let step = 0; step < count; step++) {
      const port = firstNodePort + ((start + step) % count)
      if (!this.#ports.has(port)) return port
    }
    return undefined
  }
}

class Taken implements Reservation {
  readonly #addresses: Set<number>
  readonly #ports: Set<number>
  #takenAddresses: number[] = []
  #takenPorts: number[] = []

  constructor(addresses: Set<number>, ports: Set<number>) {
    this.#addresses = addresses
    this.#ports = ports
  }

  takeAddress(address: number): void {
    this.#addresses.add(address)
    this.#takenAddresses.push(address)
  }

  takePort(port: number): void {
    this.#ports.add(port)
    this.#takenPorts.push(port)
  }

  commit(): void {
    this.#takenAddresses = []
    this.#takenPorts = []
  }

  release(): void {
    for (const address of this.#takenAddresses) this.#addresses.delete(address)
    for (const port of this.#takenPorts) this.#ports.delete(port)
    this.commit()
  }
}

const specOf = (service: UnstructuredObject): ServiceSpec => (service as unknown as Service).spec ?? {}

function addressesOf(spec: ServiceSpec): number[] {
  return [...new Set([spec.clusterIP ?? '', ...(spec.clusterIPs ?? [])])].map(parseIpv4).filter((address) => address !== undefined)
}

function portsOf(spec: ServiceSpec): number[] {
  const ports = (spec.ports ?? []).map(({ nodePort = 0 }: ServicePort) => nodePort)
  return [...ports, spec.healthCheckNodePort ?? 0].filter((port) => port !== 0)
}

/** Whether ports of nodes are to be had: a load balancer may do without. */
function needsNodePorts(spec: ServiceSpec): boolean {
  return hasNodePorts(spec) && (spec.type === 'NodePort' || spec.allocateLoadBalancerNodePorts !== false)
}

/** A writer that leaves allocated values out means those that are there. */
function keepAllocated(spec: ServiceDraft, old: ServiceSpec): void {
  if (spec.type !== 'ExternalName' && old.type !== 'ExternalName') {
    if (!spec.clusterIP && old.clusterIP !== undefined) spec.clusterIP = old.clusterIP
    if (spec.clusterIP === old.clusterIP) {
      if ((spec.clusterIPs ?? []).length === 0 && old.clusterIPs !== undefined) spec.clusterIPs = [...old.clusterIPs]
      if ((spec.ipFamilies ?? []).length === 0 && old.ipFamilies !== undefined) spec.ipFamilies = [...old.ipFamilies]
      if (spec.ipFamilyPolicy === undefined && old.ipFamilyPolicy !== undefined) spec.ipFamilyPolicy = old.ipFamilyPolicy
    } else if (spec.clusterIP && spec.clusterIPs?.[0] === old.clusterIP) spec.clusterIPs = [spec.clusterIP]
  }
  if (!needsNodePorts(spec) || !needsNodePorts(old)) return
  const byName = new Map((old.ports ?? []).map((port) => [port.name ?? '', port.nodePort]))
  const used = new Set((spec.ports ?? []).map(({ nodePort }) => nodePort))
  if (spec.ports !== undefined) {
    spec.ports = spec.ports.map((port) => {
      const before = byName.get(port.name ?? '')
      return port.nodePort || before === undefined || used.has(before) ? port : { ...port, nodePort: before }
    })
  }
  if (!spec.healthCheckNodePort && old.healthCheckNodePort && spec.externalTrafficPolicy === 'Local') {
    spec.healthCheckNodePort = old.healthCheckNodePort
  }
}

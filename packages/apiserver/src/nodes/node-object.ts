import { formatTime, parseTime } from 'steersman/api'
import type { Node, NodeCondition, NodeStatus } from 'steersman/api/types/core/v1'
import { nodeAddress, podNetwork } from './pod-addresses.js'

/** What a simulated node is like. */
export interface NodeShape {
  readonly name: string
  /** Determines its addresses. */
  readonly index: number
  /** @default cpu 4, memory 16Gi, pods 110, ephemeral-storage 100Gi */
  readonly capacity?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
}

/** How often a node says that it is well when nothing changes. */
const statusIntervalMs = 300_000

const defaultCapacity = { cpu: '4', 'ephemeral-storage': '100Gi', memory: '16Gi', pods: '110' }
const kubeletVersion = 'v1.37.2'
const kubeletPort = 10250

/** The Node that a kubelet registers. */
export function nodeObject(shape: NodeShape, nowMs: number, uuid: () => string) {
  const { name, index, labels } = shape
  const network = `${podNetwork(index)}.0/24`
  return {
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        ...labels,
      },
    },
    spec: { podCIDR: network, podCIDRs: [network] },
    status: {
      ...fixedStatus(shape),
      conditions: nodeConditions([], nowMs),
      nodeInfo: {
        machineID: uuid().replaceAll('-', ''),
        systemUUID: uuid(),
        bootID: uuid(),
        kernelVersion: '6.12.0',
        osImage: 'Steersman simulated node',
        containerRuntimeVersion: 'simulated://1.0.0',
        kubeletVersion,
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    },
  }
}

/** The status to write; `undefined` while the last one holds. */
export function nextNodeStatus(shape: NodeShape, node: Node, nowMs: number): NodeStatus | undefined {
  const present = node.status ?? {}
  if (!isOutOfDate(shape, present) && nowMs < nextHeartbeatMs(node)) return undefined
  return { ...present, ...fixedStatus(shape), conditions: nodeConditions(present.conditions ?? [], nowMs) }
}

/** When the node is to say again that it is well. */
export function nextHeartbeatMs({ status }: Node): number {
  const heartbeats = ownConditions.map(([type]) => status?.conditions?.find((condition) => condition.type === type)?.lastHeartbeatTime)
  return Math.min(...heartbeats.map((heartbeat) => parseTime(heartbeat) ?? 0)) + statusIntervalMs
}

function fixedStatus({ name, index, capacity }: NodeShape) {
  const resources = { ...defaultCapacity, ...capacity }
  return {
    capacity: resources,
    allocatable: resources,
    addresses: [
      { type: 'InternalIP', address: nodeAddress(index) },
      { type: 'Hostname', address: name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
  }
}

/** Somebody, such as the node lifecycle controller after a pause of this process, took the node for dead. */
function isOutOfDate(shape: NodeShape, status: NodeStatus): boolean {
  const isWrong = ownConditions.some(
    ([type, expected, reason]) =>
      !status.conditions?.some((condition) => condition.type === type && condition.status === expected && condition.reason === reason),
  )
  const { capacity, allocatable } = fixedStatus(shape)
  const lacks = (wanted: Readonly<Record<string, string>>, present: Readonly<Record<string, string>> | undefined): boolean =>
    Object.entries(wanted).some(([name, amount]) => present?.[name] !== amount)
  return isWrong || lacks(capacity, status.capacity) || lacks(allocatable, status.allocatable)
}

const ownConditions: readonly (readonly [string, string, string, string])[] = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
]

function nodeConditions(present: readonly NodeCondition[], nowMs: number): readonly NodeCondition[] {
  const own = ownConditions.map(([type, status, reason, message]): NodeCondition => {
    const before = present.find((condition) => condition.type === type)
    const lastTransitionTime = (before?.status === status && before.lastTransitionTime) || formatTime(nowMs)
    return { type, status, lastHeartbeatTime: formatTime(nowMs), lastTransitionTime, reason, message }
  })
  return [...own, ...present.filter((condition) => !ownConditions.some(([type]) => type === condition.type))]
}

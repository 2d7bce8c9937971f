import type { UnstructuredObject } from 'steersman/api'
import { ageColumn, at, column, listAt, nameColumn, objectAge, type TablePrinter, textAt, wideColumn } from './printer.js'

export const nodePrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Status', 'string', 'Whether the node is ready and may be scheduled on.'),
    column('Roles', 'string', 'The roles of the node.'),
    ageColumn,
    column('Version', 'string', 'The version of the kubelet.'),
    wideColumn('Internal-IP', 'string', 'The address inside the cluster.'),
    wideColumn('External-IP', 'string', 'The address outside the cluster.'),
    wideColumn('OS-Image', 'string', 'The operating system.'),
    wideColumn('Kernel-Version', 'string', 'The version and architecture of the kernel.'),
    wideColumn('Container-Runtime', 'string', 'The version of the container runtime.'),
  ],
  cells: (object, nowMs) => {
    const info = at(object, 'status', 'nodeInfo')
    const architecture = textAt(info, 'architecture')
    return [
      object.metadata.name,
      nodeStatus(object),
      nodeRoles(object) || '<none>',
      objectAge(object, nowMs),
      textAt(info, 'kubeletVersion'),
      addressOf(object, 'InternalIP'),
      addressOf(object, 'ExternalIP'),
      textAt(info, 'osImage') || '<unknown>',
      (textAt(info, 'kernelVersion') || '<unknown>') + (architecture === '' ? '' : ` (${architecture})`),
      textAt(info, 'containerRuntimeVersion') || '<unknown>',
    ]
  },
}

function nodeStatus(node: UnstructuredObject): string {
  const ready = listAt(node, 'status', 'conditions').findLast((condition) => textAt(condition, 'type') === 'Ready')
  const status = ready === undefined ? 'Unknown' : textAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady'
  return at(node, 'spec', 'unschedulable') === true ? `${status},SchedulingDisabled` : status
}

const rolePrefix = 'node-role.kubernetes.io/'

function nodeRoles(node: UnstructuredObject): string {
  const roles = new Set<string>()
  for (const [key, value] of Object.entries(node.metadata.labels ?? {})) {
    if (key.startsWith(rolePrefix)) roles.add(key.slice(rolePrefix.length))
    else if (key === 'kubernetes.io/role') roles.add(value)
  }
  roles.delete('')
  return [...roles].sort().join(',')
}

function addressOf(node: UnstructuredObject, type: string): string {
  const address = listAt(node, 'status', 'addresses').find((one) => textAt(one, 'type') === type)
  return address === undefined ? '<none>' : textAt(address, 'address')
}

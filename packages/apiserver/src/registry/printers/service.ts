import type { UnstructuredObject } from 'steersman/api'
import { ageColumn, column, labelsText, listAt, nameColumn, numberAt, objectAge, type TablePrinter, textAt, wideColumn } from './printer.js'

export const servicePrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Type', 'string', 'How the service is exposed.'),
    column('Cluster-IP', 'string', 'The address inside the cluster.'),
    column('External-IP', 'string', 'The addresses outside the cluster.'),
    column('Port(s)', 'string', 'Ports, node ports and protocols.'),
    ageColumn,
    wideColumn('Selector', 'string', 'The labels of the pods behind the service.'),
  ],
  cells: (object, nowMs) => {
    const [clusterIp] = listAt(object, 'spec', 'clusterIPs')
    return [
      object.metadata.name,
      textAt(object, 'spec', 'type'),
      clusterIp ?? '<none>',
      externalIp(object),
      portsText(listAt(object, 'spec', 'ports')),
      objectAge(object, nowMs),
      labelsText((object.spec as { readonly selector?: unknown } | undefined)?.selector),
    ]
  },
}

function externalIp(service: UnstructuredObject): string {
  const externalIps = listAt(service, 'spec', 'externalIPs')
  switch (textAt(service, 'spec', 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return externalIps.length > 0 ? externalIps.join(',') : '<none>'
    case 'LoadBalancer': {
      const ingress = listAt(service, 'status', 'loadBalancer', 'ingress').map((one) => textAt(one, 'ip') || textAt(one, 'hostname'))
      const addresses = [...[...new Set(ingress)].filter((address) => address !== '').sort(), ...externalIps]
      return addresses.length > 0 ? addresses.join(',') : '<pending>'
    }
    case 'ExternalName':
      return textAt(service, 'spec', 'externalName')
    default:
      return '<unknown>'
  }
}

function portsText(ports: readonly unknown[]): string {
  if (ports.length === 0) return '<none>'
  return ports
    .map((port) => {
      const nodePort = numberAt(port, 'nodePort')
      return `${numberAt(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}/${textAt(port, 'protocol')}`
    })
    .join(',')
}

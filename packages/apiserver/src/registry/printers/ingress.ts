import type { UnstructuredObject } from 'steersman/api'
import { compareCodePoints } from 'steersman/api'
import { ageColumn, at, column, listAt, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'

export const ingressPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Class', 'string', 'The ingress class, which says who implements the ingress.'),
    column('Hosts', 'string', 'The first hosts that the rules are for.'),
    column('Address', 'string', 'The addresses of the load balancer.'),
    column('Ports', 'string', 'The ports on which the ingress listens.'),
    ageColumn,
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    at(object, 'spec', 'ingressClassName') ?? '<none>',
    hostsText(object),
    addressText(object),
    listAt(object, 'spec', 'tls').length > 0 ? '80, 443' : '80',
    objectAge(object, nowMs),
  ],
}

const shownHosts = 3

/** The first hosts; once they are all there, a further rule counts whether or not it has a host. */
function hostsText(ingress: UnstructuredObject): string {
  const rules = listAt(ingress, 'spec', 'rules')
  const hosts: string[] = []
  for (const rule of rules) {
    if (hosts.length === shownHosts) return `${hosts.join(',')} + ${rules.length - shownHosts} more...`
    const host = textAt(rule, 'host')
    if (host !== '') hosts.push(host)
  }
  return hosts.join(',') || '*'
}

function addressText(ingress: UnstructuredObject): string {
  const addresses = listAt(ingress, 'status', 'loadBalancer', 'ingress').map((one) => textAt(one, 'ip') || textAt(one, 'hostname'))
  return [...new Set(addresses)]
    .filter((address) => address !== '')
    .sort(compareCodePoints)
    .join(',')
}

import { ageColumn, column, listAt, nameColumn, numberAt, objectAge, type TablePrinter, textAt } from './printer.js'
import { withMore } from './with-more.js'

const shown = 3

export const endpointsPrinter: TablePrinter = {
  columns: [nameColumn, column('Endpoints', 'string', 'The first addresses and ports.'), ageColumn],
  cells: (object, nowMs) => {
    const subsets = listAt(object, 'subsets')
    return [object.metadata.name, subsets.length === 0 ? '<none>' : withMore(subsets.flatMap(addresses), shown), objectAge(object, nowMs)]
  },
}

function addresses(subset: unknown): readonly string[] {
  const ips = listAt(subset, 'addresses').map((address) => textAt(address, 'ip'))
  const ports = listAt(subset, 'ports')
  if (ports.length === 0) return ips
  return ports.flatMap((port) => ips.map((ip) => `${ip.includes(':') ? `[${ip}]` : ip}:${numberAt(port, 'port')}`))
}

import { ageColumn, at, column, listAt, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'
import { withMore } from './with-more.js'

const shown = 3

export const endpointSlicePrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('AddressType', 'string', 'What kind of addresses the endpoints have.'),
    column('Ports', 'string', 'The first ports that the endpoints listen on.'),
    column('Endpoints', 'string', 'The first addresses.'),
    ageColumn,
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    textAt(object, 'addressType'),
    withMore(listAt(object, 'ports').map(portText), shown) || '<unset>',
    withMore(
      listAt(object, 'endpoints').flatMap((endpoint) => listAt(endpoint, 'addresses').map(String)),
      shown,
    ) || '<unset>',
    objectAge(object, nowMs),
  ],
}

function portText(port: unknown): string {
  return String(at(port, 'port') ?? at(port, 'name') ?? '*')
}

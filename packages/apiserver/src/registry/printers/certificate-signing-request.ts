import { humanDuration } from './human-duration.js'
import { ageColumn, at, column, listAt, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'

export const certificateSigningRequestPrinter: TablePrinter = {
  columns: [
    nameColumn,
    ageColumn,
    column('SignerName', 'string', 'Who shall sign.'),
    column('Requestor', 'string', 'Who asked.'),
    column('RequestedDuration', 'string', 'How long the certificate shall be valid.'),
    column('Condition', 'string', 'What became of the request.'),
  ],
  cells(object, nowMs) {
    const seconds = at(object, 'spec', 'expirationSeconds')
    return [
      object.metadata.name,
      objectAge(object, nowMs),
      textAt(object, 'spec', 'signerName') || '<none>',
      textAt(object, 'spec', 'username'),
      typeof seconds === 'number' ? humanDuration(seconds * 1000) : '<none>',
      stateOf(object),
    ]
  },
}

function stateOf(object: unknown): string {
  const types = listAt(object, 'status', 'conditions').map((condition) => textAt(condition, 'type'))
  const decision = types.includes('Denied') ? 'Denied' : types.includes('Approved') ? 'Approved' : 'Pending'
  const failed = types.includes('Failed') ? ',Failed' : ''
  return `${decision}${failed}${textAt(object, 'status', 'certificate') === '' ? '' : ',Issued'}`
}

import { at, column, labelsText, listAt, nameColumn, type TablePrinter, textAt } from './printer.js'

export const podCertificateRequestPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('PodName', 'string', 'The pod that shall have the certificate.'),
    column('ServiceAccountName', 'string', 'Its service account.'),
    column('NodeName', 'string', 'Its node.'),
    column('SignerName', 'string', 'Who shall sign.'),
    column('State', 'string', 'What became of the request.'),
    column('UnverifiedUserAnnotations', 'string', 'What the pod says for the signer.'),
  ],
  cells: (object) => [
    object.metadata.name,
    ...['podName', 'serviceAccountName', 'nodeName', 'signerName'].map((field) => textAt(object, 'spec', field)),
    stateOf(object),
    labelsText(at(object, 'spec', 'unverifiedUserAnnotations')),
  ],
}

function stateOf(object: unknown): string {
  const decided = ['Issued', 'Denied', 'Failed']
  const types = listAt(object, 'status', 'conditions').map((condition) => textAt(condition, 'type'))
  return types.findLast((type) => decided.includes(type)) ?? 'Pending'
}

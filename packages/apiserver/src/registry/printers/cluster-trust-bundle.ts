import { column, nameColumn, type TablePrinter, textAt } from './printer.js'

export const clusterTrustBundlePrinter: TablePrinter = {
  columns: [nameColumn, column('SignerName', 'string', 'Whose certificates the bundle is for.')],
  cells: (object) => [object.metadata.name, textAt(object, 'spec', 'signerName') || '<none>'],
}

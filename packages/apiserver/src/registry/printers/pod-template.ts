import { containerCells } from './pod-owner.js'
import { at, column, labelsText, nameColumn, type TablePrinter } from './printer.js'

export const podTemplatePrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Containers', 'string', 'The names of the containers.'),
    column('Images', 'string', 'The images of the containers.'),
    column('Pod Labels', 'string', 'The labels of pods that are made from it.'),
  ],
  cells: (object) => [object.metadata.name, ...containerCells({ spec: object }), labelsText(at(object, 'template', 'metadata', 'labels'))],
}

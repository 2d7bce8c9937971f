import { ageColumn, at, column, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'

export const volumeAttachmentPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Attacher', 'string', 'The driver that attaches the volume.', 'name'),
    column('PV', 'string', 'The volume to attach.'),
    column('Node', 'string', 'The node to attach it to.'),
    column('Attached', 'boolean', 'Whether the volume is attached.'),
    ageColumn,
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    textAt(object, 'spec', 'attacher'),
    textAt(object, 'spec', 'source', 'persistentVolumeName'),
    textAt(object, 'spec', 'nodeName'),
    at(object, 'status', 'attached') === true,
    objectAge(object, nowMs),
  ],
}

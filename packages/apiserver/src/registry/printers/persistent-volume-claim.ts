import { accessModesText, phaseText, storageClassText } from './persistent-volume.js'
import { ageColumn, at, column, listAt, nameColumn, objectAge, type TablePrinter, textAt, wideColumn } from './printer.js'

export const persistentVolumeClaimPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Status', 'string', 'Whether the claim is bound to a volume.'),
    column('Volume', 'string', 'The volume that the claim is bound to.'),
    column('Capacity', 'string', 'How much the bound volume holds.'),
    column('Access Modes', 'string', 'The ways in which the bound volume can be mounted.'),
    column('StorageClass', 'string', 'The storage class that the claim asks for.'),
    column('VolumeAttributesClass', 'string', 'The volume attributes class that the claim asks for.'),
    ageColumn,
    wideColumn('VolumeMode', 'string', 'Whether a file system or a block device is claimed.'),
  ],
  cells: (object, nowMs) => {
    const volume = textAt(object, 'spec', 'volumeName')
    return [
      object.metadata.name,
      phaseText(object),
      volume,
      volume === '' ? '' : textAt(object, 'status', 'capacity', 'storage') || '0',
      volume === '' ? '' : accessModesText(listAt(object, 'status', 'accessModes')),
      storageClassText(object),
      at(object, 'spec', 'volumeAttributesClassName') ?? '<unset>',
      objectAge(object, nowMs),
      at(object, 'spec', 'volumeMode') ?? '<unset>',
    ]
  },
}

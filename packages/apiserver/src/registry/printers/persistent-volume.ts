import type { UnstructuredObject } from 'steersman/api'
import { ageColumn, at, column, listAt, nameColumn, objectAge, type TablePrinter, textAt, wideColumn } from './printer.js'

export const persistentVolumePrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Capacity', 'string', 'How much the volume holds.'),
    column('Access Modes', 'string', 'The ways in which the volume can be mounted.'),
    column('Reclaim Policy', 'string', 'What becomes of the volume when its claim is gone.'),
    column('Status', 'string', 'Whether the volume is bound to a claim.'),
    column('Claim', 'string', 'Namespace and name of the claim.'),
    column('StorageClass', 'string', 'The storage class that the volume belongs to.'),
    column('VolumeAttributesClass', 'string', 'The volume attributes class that the volume belongs to.'),
    column('Reason', 'string', 'Why the volume is in this state.'),
    ageColumn,
    wideColumn('VolumeMode', 'string', 'Whether the volume is a file system or a block device.'),
  ],
  cells: (object, nowMs) => {
    const claim = at(object, 'spec', 'claimRef')
    return [
      object.metadata.name,
      textAt(object, 'spec', 'capacity', 'storage') || '0',
      accessModesText(listAt(object, 'spec', 'accessModes')),
      textAt(object, 'spec', 'persistentVolumeReclaimPolicy'),
      phaseText(object),
      claim === undefined ? '' : `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}`,
      storageClassText(object),
      at(object, 'spec', 'volumeAttributesClassName') ?? '<unset>',
      textAt(object, 'status', 'reason'),
      objectAge(object, nowMs),
      at(object, 'spec', 'volumeMode') ?? '<unset>',
    ]
  },
}

const shortModes = { ReadWriteOnce: 'RWO', ReadOnlyMany: 'ROX', ReadWriteMany: 'RWX', ReadWriteOncePod: 'RWOP' } as const

/** Access modes in short, always in the same order. */
export function accessModesText(modes: readonly unknown[]): string {
  return Object.entries(shortModes)
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',')
}

/** The phase of a volume or claim, which does not know that it is being deleted. */
export function phaseText(object: UnstructuredObject): string {
  return object.metadata.deletionTimestamp === undefined ? textAt(object, 'status', 'phase') : 'Terminating'
}

/** The storage class of a volume or claim; the annotation that came before the field still wins. */
export function storageClassText(object: UnstructuredObject): string {
  return object.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? textAt(object, 'spec', 'storageClassName')
}

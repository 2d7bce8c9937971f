import type { UnstructuredObject } from 'steersman/api'
import { compareCodePoints } from 'steersman/api'
import { isDefaultStorageClass } from '../shared/default-class.js'
import { ageColumn, at, column, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'

/** The default class is marked in lists alone, because only among others it shows which of several is the one. */
export const storageClassPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Provisioner', 'string', 'Who makes volumes of the class.'),
    column('ReclaimPolicy', 'string', 'What becomes of a volume when its claim is gone.'),
    column('VolumeBindingMode', 'string', 'When a claim is bound to a volume.'),
    column('AllowVolumeExpansion', 'string', 'Whether volumes of the class can grow.'),
    ageColumn,
  ],
  cells: (object, nowMs, listed = []) => [
    `${object.metadata.name}${listed.length > 0 && newestDefault(listed) === object ? ' (default)' : ''}`,
    textAt(object, 'provisioner'),
    at(object, 'reclaimPolicy') ?? 'Delete',
    at(object, 'volumeBindingMode') ?? 'Immediate',
    at(object, 'allowVolumeExpansion') === true,
    objectAge(object, nowMs),
  ],
}

function newestDefault(listed: readonly UnstructuredObject[]): UnstructuredObject | undefined {
  return listed.filter(isDefaultStorageClass).reduce<UnstructuredObject | undefined>((newest, candidate) => {
    if (newest === undefined) return candidate
    const order = compareCodePoints(candidate.metadata.creationTimestamp ?? '', newest.metadata.creationTimestamp ?? '')
    const isFirst = order > 0 || (order === 0 && compareCodePoints(candidate.metadata.name ?? '', newest.metadata.name ?? '') < 0)
    return isFirst ? candidate : newest
  }, undefined)
}

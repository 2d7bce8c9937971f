import type { BuiltinKind } from '../builtin-kind.js'
import { csiDriverPrinter } from '../printers/csi-driver.js'
import { csiNodePrinter } from '../printers/csi-node.js'
import { storageClassPrinter } from '../printers/storage-class.js'
import { volumeAttachmentPrinter } from '../printers/volume-attachment.js'
import { volumeAttributesClassPrinter } from '../printers/volume-attributes-class.js'
import { csiDriverKind } from './csi-driver.js'
import { csiNodeKind } from './csi-node.js'
import { csiStorageCapacityKind } from './csi-storage-capacity.js'
import { storageClassKind } from './storage-class.js'
import { volumeAttachmentKind } from './volume-attachment.js'
import { volumeAttributesClassKind } from './volume-attributes-class.js'

/** The kinds of this group that have rules of their own. */
export const storageKinds: readonly BuiltinKind[] = [
  { kind: csiDriverKind, printer: csiDriverPrinter },
  { kind: csiNodeKind, printer: csiNodePrinter },
  { kind: csiStorageCapacityKind },
  { kind: storageClassKind, printer: storageClassPrinter },
  { kind: volumeAttachmentKind, printer: volumeAttachmentPrinter },
  { kind: volumeAttributesClassKind, printer: volumeAttributesClassPrinter },
]

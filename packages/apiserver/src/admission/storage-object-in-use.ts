import type { UnstructuredObject } from 'steersman/api'
import type { AdmissionPlugin } from '../contracts/index.js'

/** The finalizers by which controllers keep what is still in use. */
const finalizers: Readonly<Record<string, string>> = {
  '/PersistentVolume': 'kubernetes.io/pv-protection',
  '/PersistentVolumeClaim': 'kubernetes.io/pvc-protection',
  'storage.k8s.io/VolumeAttributesClass': 'kubernetes.io/vac-protection',
}

/** Keeps new volumes, claims and volume attributes classes from going while somebody uses them. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  async admit({ object, operation, subresource, type }): Promise<UnstructuredObject | undefined> {
    const finalizer = finalizers[`${type.group}/${type.kind}`]
    if (object === undefined || finalizer === undefined || operation !== 'CREATE' || subresource !== '') return object
    const present = object.metadata.finalizers ?? []
    return present.includes(finalizer) ? object : { ...object, metadata: { ...object.metadata, finalizers: [...present, finalizer] } }
  },
}

import type { UnstructuredObject } from 'steersman/api'
import type { AdmissionPlugin } from '../contracts/index.js'
import { type Lookup, listAll, newest } from './lookup.js'

const storageClasses = { group: 'storage.k8s.io', version: 'v1', plural: 'storageclasses' }
const markers = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class']

/** Gives a claim that names no storage class the one that is marked as the default. */
export function defaultStorageClass(registry: Lookup): AdmissionPlugin {
  return {
    name: 'DefaultStorageClass',
    async admit({ object, operation, subresource, type }): Promise<UnstructuredObject | undefined> {
      if (object === undefined || operation !== 'CREATE' || subresource !== '') return object
      if (type.group !== '' || type.kind !== 'PersistentVolumeClaim') return object
      const spec = (object.spec ?? {}) as { readonly storageClassName?: string }
      if (spec.storageClassName !== undefined || object.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] !== undefined) {
        return object
      }
      const found = newest((await listAll(registry, storageClasses)).filter(isMarked))
      return found === undefined ? object : { ...object, spec: { ...spec, storageClassName: found.metadata.name } }
    },
  }
}

function isMarked({ metadata }: UnstructuredObject): boolean {
  return markers.some((marker) => metadata.annotations?.[marker] === 'true')
}

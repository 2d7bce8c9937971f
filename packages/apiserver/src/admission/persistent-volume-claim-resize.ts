import type { UnstructuredObject } from 'steersman/api'
import { compareQuantities, forbidden, parseQuantity, StatusError } from 'steersman/api'
import type { AdmissionAttributes, AdmissionPlugin } from '../contracts/index.js'
import { find, type Lookup } from './lookup.js'
import { objectName } from './object-name.js'

const storageClasses = { group: 'storage.k8s.io', version: 'v1', plural: 'storageclasses' }

interface Claim extends UnstructuredObject {
  readonly spec?: { readonly storageClassName?: string; readonly resources?: { readonly requests?: { readonly storage?: string } } }
  readonly status?: { readonly phase?: string }
}

/** Lets only bound claims grow, and only where their storage class allows it. */
export function persistentVolumeClaimResize(registry: Lookup): AdmissionPlugin {
  return {
    name: 'PersistentVolumeClaimResize',
    async validate(attributes: AdmissionAttributes): Promise<void> {
      const { type, operation, subresource } = attributes
      if (type.group !== '' || type.kind !== 'PersistentVolumeClaim' || operation !== 'UPDATE' || subresource !== '') return
      const [claim, old] = [attributes.object as Claim, attributes.oldObject as Claim]
      if (compareQuantities(sizeOf(claim), sizeOf(old)) <= 0) return
      const refuse = (reason: string) => new StatusError(forbidden(type, objectName(attributes), reason))
      if (old.status?.phase !== 'Bound') throw refuse('Only bound persistent volume claims can be expanded')
      if (await growsByClass(registry, claim, old)) return
      throw refuse('only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize')
    },
  }
}

function sizeOf({ spec }: Claim) {
  return parseQuantity(spec?.resources?.requests?.storage ?? '0')
}

async function growsByClass(registry: Lookup, claim: Claim, old: Claim): Promise<boolean> {
  const name = classOf(claim)
  if (name === '' || name !== classOf(old)) return false
  return (await find(registry, storageClasses, name))?.allowVolumeExpansion === true
}

function classOf({ metadata, spec }: Claim): string {
  return metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName ?? ''
}

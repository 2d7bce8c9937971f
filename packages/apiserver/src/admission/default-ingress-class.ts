import type { UnstructuredObject } from 'steersman/api'
import type { AdmissionPlugin } from '../contracts/index.js'
import { type Lookup, listAll, newest } from './lookup.js'

const ingressClasses = { group: 'networking.k8s.io', version: 'v1', plural: 'ingressclasses' }
const marker = 'ingressclass.kubernetes.io/is-default-class'

/** Gives an ingress that names no class the one that is marked as the default. */
export function defaultIngressClass(registry: Lookup): AdmissionPlugin {
  return {
    name: 'DefaultIngressClass',
    async admit({ object, operation, subresource, type }): Promise<UnstructuredObject | undefined> {
      if (object === undefined || operation !== 'CREATE' || subresource !== '') return object
      if (type.group !== ingressClasses.group || type.kind !== 'Ingress') return object
      const spec = (object.spec ?? {}) as { readonly ingressClassName?: string }
      if (spec.ingressClassName !== undefined || object.metadata.annotations?.['kubernetes.io/ingress.class'] !== undefined) return object
      const classes = await listAll(registry, ingressClasses)
      const found = newest(classes.filter(({ metadata }) => metadata.annotations?.[marker] === 'true'))
      return found === undefined ? object : { ...object, spec: { ...spec, ingressClassName: found.metadata.name } }
    },
  }
}

import { forbidden, isNotFound, namespaceTerminating, notFound, StatusError, type UnstructuredObject } from 'steersman/api'
import type { AdmissionAttributes, AdmissionPlugin, Registry } from '../contracts/index.js'

/** Namespaces that must not be deleted. */
const immortalNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public'])

const namespaces = { group: '', plural: 'namespaces' }

/** Refuses objects in namespaces that are not there or are going, and the deletion of namespaces that every cluster has. */
export function namespaceLifecycle(registry: Pick<Registry, 'resource'>): AdmissionPlugin {
  return {
    name: 'NamespaceLifecycle',
    async admit(attributes) {
      const { object, operation, name, namespace, type } = attributes
      if (type.group === '' && type.kind === 'Namespace') {
        if (operation === 'DELETE' && immortalNamespaces.has(name)) {
          throw new StatusError(forbidden(namespaces, name, 'this namespace may not be deleted'))
        }
        return object
      }
      if (namespace === '' || operation === 'DELETE') return object
      const found = await findNamespace(registry, namespace)
      if (found === undefined) throw new StatusError(notFound(namespaces, namespace))
      if (operation === 'CREATE' && found.metadata.deletionTimestamp !== undefined) throw refuseCreate(attributes)
      return object
    },
  }
}

function refuseCreate({ type, name, namespace }: AdmissionAttributes): StatusError {
  return new StatusError(namespaceTerminating(type, name, namespace))
}

async function findNamespace(registry: Pick<Registry, 'resource'>, name: string): Promise<UnstructuredObject | undefined> {
  try {
    return await registry.resource('', 'v1', 'namespaces')?.get({ name })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

import type { FieldPath, UnstructuredObject } from 'steersman/api'
import { fieldError, fieldPath, invalid, isNotFound, StatusError } from 'steersman/api'
import type { ResourceClaim, ResourceClaimSpec, ResourceClaimTemplate } from 'steersman/api/types/resource/v1'
import type { AdmissionAttributes, AdmissionPlugin, Registry } from '../contracts/index.js'

const group = 'resource.k8s.io'
const label = 'resource.kubernetes.io/admin-access'

/** Refuses claims of devices that others use, except in namespaces that a label sets apart for administrators. */
export function deviceAdminAccess(registry: Pick<Registry, 'resource'>): AdmissionPlugin {
  return {
    name: 'DeviceAdminAccess',
    async validate(attributes) {
      const { object, type, name, namespace } = attributes
      if (type.group !== group || object === undefined) return
      const path = adminAccessPath(attributes, object)
      if (path === undefined || (await isForAdministrators(registry, namespace))) return
      const detail = `admin access to devices requires the \`${label}: true\` label on the containing namespace`
      throw new StatusError(invalid(type.kind, group, name, [fieldError.forbidden(path, detail)]))
    },
  }
}

/** Where an object asks for access to devices in use; `undefined` when it does not, or has it already. */
function adminAccessPath(
  { operation, subresource, type, oldObject }: AdmissionAttributes,
  object: UnstructuredObject,
): FieldPath | undefined {
  if (type.plural === 'resourceclaims' && subresource === 'status') {
    return grantedPath(oldObject) === undefined ? grantedPath(object) : undefined
  }
  // Specs cannot change.
  if (operation !== 'CREATE') return undefined
  if (type.plural === 'resourceclaims') return askedPath((object as unknown as ResourceClaim).spec)
  if (type.plural === 'resourceclaimtemplates') return askedPath((object as unknown as ResourceClaimTemplate).spec?.spec)
  return undefined
}

function askedPath(spec: ResourceClaimSpec | undefined): FieldPath | undefined {
  const index = (spec?.devices?.requests ?? []).findIndex(({ exactly }) => exactly?.adminAccess === true)
  // The path is the same for claims and their templates.
  return index < 0 ? undefined : fieldPath('spec', 'devices', 'requests').index(index).child('adminAccess')
}

function grantedPath(object: UnstructuredObject | undefined): FieldPath | undefined {
  const results = (object as ResourceClaim | undefined)?.status?.allocation?.devices?.results ?? []
  const index = results.findIndex(({ adminAccess }) => adminAccess === true)
  return index < 0 ? undefined : fieldPath('status', 'allocation', 'devices', 'results').index(index).child('adminAccess')
}

async function isForAdministrators(registry: Pick<Registry, 'resource'>, namespace: string): Promise<boolean> {
  try {
    const found = await registry.resource('', 'v1', 'namespaces')?.get({ name: namespace })
    return found?.metadata.labels?.[label] === 'true'
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

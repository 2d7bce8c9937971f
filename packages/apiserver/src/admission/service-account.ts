import { forbidden, isNotFound, StatusError, type UnstructuredObject } from 'steersman/api'
import type { AdmissionAttributes, AdmissionPlugin, Registry } from '../contracts/index.js'
import { objectName } from './object-name.js'

const defaultAccount = 'default'

interface PodSpec {
  readonly serviceAccountName?: string
  readonly serviceAccount?: string
}

/**
 * Gives a pod that names no service account the one called `default` and refuses pods whose account does not exist. Tokens are not mounted.
 *
 * Switch it on only where something creates the default accounts.
 */
export function serviceAccountAdmission(registry: Pick<Registry, 'resource'>): AdmissionPlugin {
  return {
    name: 'ServiceAccount',
    async admit(attributes) {
      const { object, operation, subresource, type } = attributes
      if (object === undefined || type.kind !== 'Pod' || type.group !== '' || subresource !== '' || operation !== 'CREATE') return object
      const spec = (object.spec ?? {}) as PodSpec
      const account = spec.serviceAccountName || defaultAccount
      await requireAccount(registry, attributes, account)
      const isNamed = spec.serviceAccountName === account && spec.serviceAccount === account
      return isNamed ? object : { ...object, spec: { ...spec, serviceAccountName: account, serviceAccount: account } }
    },
  }
}

async function requireAccount(
  registry: Pick<Registry, 'resource'>,
  attributes: AdmissionAttributes,
  account: string,
): Promise<UnstructuredObject> {
  const { type, namespace } = attributes
  try {
    const found = await registry.resource('', 'v1', 'serviceaccounts')?.get({ namespace, name: account })
    if (found !== undefined) return found
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
  const reason = `error looking up service account ${namespace}/${account}: serviceaccount "${account}" not found`
  throw new StatusError(forbidden(type, objectName(attributes), reason))
}

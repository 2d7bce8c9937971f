import { forbidden, generateName, isNotFound, StatusError, type UnstructuredObject } from 'steersman/api'
import type { Container, PodSpec, ServiceAccount, Volume } from 'steersman/api/types/core/v1'
import type { AdmissionAttributes, AdmissionPlugin, Registry } from '../contracts/index.js'
import { objectName } from './object-name.js'

const defaultAccount = 'default'
const mirrorAnnotation = 'kubernetes.io/config.mirror'

const volumePrefix = 'kube-api-access-'
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount'
/** A second more than an hour and a few: by this the server knows that it was asked for here, and makes the token good for longer. */
const tokenSeconds = 3_607

type Spec = Partial<PodSpec>

/**
 * Gives a pod that names no service account the one called `default`, refuses pods whose account does not exist, and mounts what a pod needs to ask
 * the server as its account: a token, the server's authority and the name of the namespace.
 *
 * Switch it on only where something creates the default accounts.
 *
 * @param random a number in [0, 1).
 */
export function serviceAccountAdmission(registry: Pick<Registry, 'resource'>, random: () => number): AdmissionPlugin {
  return {
    name: 'ServiceAccount',
    async admit(attributes) {
      const { object, operation, subresource, type } = attributes
      if (object === undefined || type.kind !== 'Pod' || type.group !== '' || subresource !== '' || operation !== 'CREATE') return object
      if (object.metadata.annotations?.[mirrorAnnotation] !== undefined) return object
      const spec = (object.spec ?? {}) as Spec
      const name = spec.serviceAccountName || defaultAccount
      const account = await requireAccount(registry, attributes, name)
      const named: Spec = { ...spec, serviceAccountName: name, serviceAccount: name }
      const mounted = mountsToken(account, spec) ? withToken(named, () => generateName(volumePrefix, random)) : named
      const { imagePullSecrets = [] } = account
      const needsSecrets = (spec.imagePullSecrets ?? []).length === 0 && imagePullSecrets.length > 0
      return {
        ...object,
        spec: needsSecrets ? { ...mounted, imagePullSecrets: imagePullSecrets.map(({ name: secret }) => ({ name: secret })) } : mounted,
      }
    },
  }
}

/** The pod's wish counts before that of its account. */
function mountsToken(account: ServiceAccount, spec: Spec): boolean {
  return spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true
}

function withToken(spec: Spec, volumeName: () => string): Spec {
  const { containers = [], initContainers = [], volumes = [] } = spec
  if ([...containers, ...initContainers].every(isMounted)) return spec
  const own = volumes.find(({ name }) => name.startsWith(volumePrefix))
  const name = own?.name ?? volumeName()
  const mount = (container: Container): Container =>
    isMounted(container)
      ? container
      : { ...container, volumeMounts: [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath }] }
  return {
    ...spec,
    ...(initContainers.length === 0 ? {} : { initContainers: initContainers.map(mount) }),
    containers: containers.map(mount),
    volumes: own === undefined ? [...volumes, accessVolume(name)] : volumes,
  }
}

function isMounted({ volumeMounts = [] }: Container): boolean {
  return volumeMounts.some((mount) => mount.mountPath === mountPath)
}

function accessVolume(name: string): Volume {
  const namespace = { path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: tokenSeconds, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [namespace] } },
      ],
      defaultMode: 0o644,
    },
  }
}

async function requireAccount(
  registry: Pick<Registry, 'resource'>,
  attributes: AdmissionAttributes,
  account: string,
): Promise<ServiceAccount> {
  const { type, namespace } = attributes
  try {
    const found: UnstructuredObject | undefined = await registry.resource('', 'v1', 'serviceaccounts')?.get({ namespace, name: account })
    if (found !== undefined) return found as unknown as ServiceAccount
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
  const reason = `error looking up service account ${namespace}/${account}: serviceaccount "${account}" not found`
  throw new StatusError(forbidden(type, objectName(attributes), reason))
}

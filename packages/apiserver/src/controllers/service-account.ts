import {
  type ControllerHost,
  controllerManagedBy,
  ignoreAlreadyExists,
  ignoreNotFound,
  isNotFound,
  type ReconcileContext,
  type ReconcileRequest,
} from 'steersman'
import { isNamespaceTerminating } from 'steersman/api'
import { ConfigMap, Namespace, ServiceAccount } from 'steersman/api/types/core/v1'
import { retryingOutdated } from './outdated.js'

const defaultName = 'default'
const rootCaName = 'kube-root-ca.crt'
const rootCaDescription =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.'
const rootCaAnnotations = { 'kubernetes.io/description': rootCaDescription }

/** Sees to it that every active namespace has the ServiceAccount `default`, without which no pod can be created in it. */
export function addServiceAccountController(manager: ControllerHost): void {
  controllerManagedBy(manager)
    .named('serviceaccount-controller')
    .for(Namespace)
    .watches(ServiceAccount, (event, enqueue) => {
      const { name, namespace } = event.object.metadata
      if (event.type === 'delete' && name === defaultName && namespace !== undefined)
        enqueue({ name: namespace, namespace: '', cluster: '' })
    })
    .complete(async (request, { client }) => {
      if (!(await isActive(request, client))) return
      const key = { namespace: request.name, name: defaultName }
      if ((await client.get(ServiceAccount, key).catch(ignoreNotFound)) !== undefined) return
      await creating(client.create(ServiceAccount, { metadata: key }))
    })
}

/** Puts the certificate authority of the API server into every active namespace, and puts it right when somebody changes it. */
export function addRootCertificatePublisher(manager: ControllerHost, rootCertificate: string): void {
  controllerManagedBy(manager)
    .named('root-ca-certificate-publisher-controller')
    .for(Namespace)
    .watches(ConfigMap, (event, enqueue) => {
      const { name, namespace } = event.object.metadata
      if (name === rootCaName && namespace !== undefined) enqueue({ name: namespace, namespace: '', cluster: '' })
    })
    .complete(
      retryingOutdated(async (request, { client }) => {
        if (!(await isActive(request, client))) return
        const key = { namespace: request.name, name: rootCaName }
        const data = { 'ca.crt': rootCertificate }
        const current = await client.get(ConfigMap, key).catch(ignoreNotFound)
        if (current === undefined) {
          await creating(client.create(ConfigMap, { metadata: { ...key, annotations: rootCaAnnotations }, data }))
          return
        }
        const isRight =
          current.data?.['ca.crt'] === rootCertificate &&
          Object.keys(current.data).length === 1 &&
          current.metadata.annotations?.['kubernetes.io/description'] === rootCaDescription
        if (isRight) return
        const annotations = { ...current.metadata.annotations, ...rootCaAnnotations }
        await client.update(ConfigMap, { ...current, metadata: { ...current.metadata, annotations }, data })
      }),
    )
}

async function isActive({ name }: ReconcileRequest, client: ReconcileContext['client']): Promise<boolean> {
  const namespace = await client.get(Namespace, { name }).catch(ignoreNotFound)
  return namespace !== undefined && namespace.metadata.deletionTimestamp === undefined && namespace.status?.phase !== 'Terminating'
}

/** A namespace that went away meanwhile needs nothing. */
async function creating(creation: Promise<unknown>): Promise<void> {
  try {
    await creation.catch(ignoreAlreadyExists)
  } catch (error) {
    if (!isNotFound(error) && !isNamespaceTerminating(error)) throw error
  }
}

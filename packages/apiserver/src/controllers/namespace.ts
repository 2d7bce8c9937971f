import {
  type ControllerHost,
  controllerManagedBy,
  ignoreNotFound,
  type ReconcileContext,
  type ReconcileRequest,
  type ReconcileResult,
} from 'steersman'
import { Namespace, Pod } from 'steersman/api/types/core/v1'
import { namespaceConditions } from './namespace-conditions.js'
import { deleteContent } from './namespace-content.js'
import { retryingOutdated } from './outdated.js'

const finalizer = 'kubernetes'
const minimumWaitMs = 100
const maximumWaitMs = 8_000

/** Deletes everything in a namespace that is being deleted, tells in its conditions what holds it up, and then lets it go. */
export function addNamespaceController(manager: ControllerHost): void {
  const { discovery } = manager
  if (discovery === undefined) throw new TypeError('Cannot delete namespaces: the manager offers no discovery')
  const namespaces = manager.cache.informer(Namespace)
  controllerManagedBy(manager)
    .named('namespace-controller')
    .for(Namespace, { predicates: [({ object }) => object.metadata.deletionTimestamp !== undefined] })
    // Everything else in a namespace waits for its pods.
    .watches(Pod, (event, enqueue) => {
      const name = event.type === 'delete' ? event.object.metadata.namespace : undefined
      if (name !== undefined && namespaces.get({ name })?.metadata.deletionTimestamp !== undefined)
        enqueue({ name, namespace: '', cluster: '' })
    })
    .withOptions({ maxConcurrentReconciles: 10 })
    .complete(retryingOutdated((request, context) => reconcileNamespace(request, context, manager, discovery)))
}

async function reconcileNamespace(
  { name }: ReconcileRequest,
  { client, signal, environment, log }: ReconcileContext,
  host: ControllerHost,
  discovery: NonNullable<ControllerHost['discovery']>,
): Promise<ReconcileResult | undefined> {
  const live = (host.liveClient ?? client).with({
    signal: () => signal,
    fieldManager: 'namespace-controller',
    caller: 'controller/namespace-controller',
  })
  let namespace = await live.get(Namespace, { name }).catch(ignoreNotFound)
  const deletedAt = namespace?.metadata.deletionTimestamp
  if (namespace === undefined || deletedAt === undefined) return undefined
  if (namespace.status?.phase !== 'Terminating')
    namespace = await live.status.update(Namespace, { ...namespace, status: { ...namespace.status, phase: 'Terminating' } })
  if ((namespace.spec?.finalizers ?? []).length === 0) return undefined

  const deletedAtMs = Date.parse(deletedAt)
  const nowMs = environment.now()
  const discovered = await discovery.resources(signal)
  const progress = await deleteContent(live, { name, deletedAtMs }, { discovered, nowMs })
  const before = namespace.status?.conditions ?? []
  const conditions = namespaceConditions(before, progress, nowMs)
  if (conditions !== before) namespace = await live.status.update(Namespace, { ...namespace, status: { ...namespace.status, conditions } })
  if (progress.isEmpty) {
    const finalizers = (namespace.spec?.finalizers ?? []).filter((other) => other !== finalizer)
    await live
      .subresource('finalize')
      .update(Namespace, { ...namespace, spec: { ...namespace.spec, finalizers } })
      .catch(ignoreNotFound)
    return undefined
  }
  if (!progress.isGoingWell)
    log.info('Namespace content remains', { failures: progress.failures, discoveryFailure: progress.discoveryFailure })
  // What is deleted in the background goes within moments, what waits for a finalizer may take any time: ask less often the longer it takes.
  return { requeueAfterMs: Math.min(maximumWaitMs, Math.max(minimumWaitMs, (nowMs - deletedAtMs) / 4)) }
}

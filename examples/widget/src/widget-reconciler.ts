import {
  type ApplyOf,
  controllerReference,
  createOrUpdate,
  deepEqual,
  ignoreNotFound,
  mergeDesired,
  type ReconcileContext,
  type ReconcileRequest,
  type Reconciler,
  setCondition,
} from 'steersman'
import { Deployment } from 'steersman/api/types/apps/v1'
import { Widget } from './widget.js'

/** Keeps one Deployment per Widget. */
export class WidgetReconciler implements Reconciler {
  async reconcile(request: ReconcileRequest, { client, log, environment }: ReconcileContext): Promise<void> {
    const widget = await client.get(Widget, request).catch(ignoreNotFound)
    // A Widget that is being deleted needs nothing from us: the garbage collector deletes what it owns.
    if (widget === undefined || widget.metadata.deletionTimestamp !== undefined) return

    const { operation, object: deployment } = await createOrUpdate(client, Deployment, request, (draft) =>
      mergeDesired(draft, desiredDeployment(widget)),
    )
    if (operation !== 'unchanged') log.info(`Deployment ${operation}`, { image: widget.spec.image, replicas: widget.spec.replicas })

    const status = widgetStatus(widget, deployment, environment.now())
    if (!deepEqual(status, widget.status)) await client.status.update(Widget, { ...widget, status })
  }
}

function desiredDeployment(widget: Widget): ApplyOf<typeof Deployment> {
  const labels = { 'app.kubernetes.io/name': 'widget', 'app.kubernetes.io/instance': widget.metadata.name }
  return {
    metadata: { labels, ownerReferences: [controllerReference(Widget, widget)] },
    spec: {
      replicas: widget.spec.replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'widget', image: widget.spec.image }] } },
    },
  }
}

function widgetStatus(widget: Widget, deployment: Deployment, nowMs: number): NonNullable<Widget['status']> {
  const { observedGeneration, replicas = 0, updatedReplicas = 0, readyReplicas: ready = 0 } = deployment.status ?? {}
  // Until the Deployment's controller has seen its new spec, its status speaks of the old one; until old pods are gone, some of the ready ones are old.
  const isCurrent = observedGeneration === deployment.metadata.generation
  const isReady = isCurrent && [replicas, updatedReplicas, ready].every((count) => count === widget.spec.replicas)
  return {
    observedGeneration: widget.metadata.generation,
    readyReplicas: ready,
    conditions: setCondition(
      widget.status?.conditions ?? [],
      {
        type: 'Ready',
        status: isReady ? 'True' : 'False',
        reason: isReady ? 'AllReplicasReady' : 'Progressing',
        message: `${ready} of ${widget.spec.replicas} replicas are ready`,
        observedGeneration: widget.metadata.generation,
      },
      nowMs,
    ),
  }
}

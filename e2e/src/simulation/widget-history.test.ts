import { Widget } from '@steersman/example-widget/widget'
import { controllerReference, createOrUpdate, ignoreNotFound, mergeDesired, type Reconciler, setCondition } from 'steersman'
import { Deployment } from 'steersman/api/types/apps/v1'
import { expect, test } from 'vitest'
import { spawnHistories, spawnManyHistories } from './spawned-histories.js'
import { runWidgetHistory } from './widget-history.js'

test('the same seed takes the same course in 20 fresh processes', async () => {
  const here = await runWidgetHistory(11)
  for (let run = 0; run < 20; run += 2) {
    const outcomes = await Promise.all([spawnHistories({ first: 11, count: 1 }), spawnHistories({ first: 11, count: 1 })])
    for (const [outcome] of outcomes) expect({ ...outcome, trace: [] }).toEqual({ ...here, trace: [] })
  }
})

test('1,000 seeds all converge, in at least 950 different ways', { timeout: 400_000 }, async () => {
  const startedMs = performance.now()
  const outcomes = await spawnManyHistories({ first: 1, count: 1000 })
  const events = outcomes.reduce((sum, outcome) => sum + outcome.events, 0)
  const seconds = (performance.now() - startedMs) / 1000
  console.log(`1000 histories, ${events} events in ${seconds.toFixed(1)} s: ${(1000 / seconds).toFixed(0)} histories a second`)

  const broken = outcomes.filter(({ converged, violations }) => !converged || violations.length > 0)
  expect(broken.map(({ seed, violations }) => ({ seed, violations }))).toEqual([])
  expect(outcomes.filter(({ killedAfter }) => killedAfter === undefined)).toEqual([])
  expect(new Set(outcomes.map(({ killedAfter }) => killedAfter?.split(' ')[0]))).toEqual(new Set(['POST', 'PUT']))
  // Wherever they went, they came to the same end.
  expect(new Set(outcomes.map(({ finalState }) => finalState)).size).toBe(1)
  expect(new Set(outcomes.map(({ hash }) => hash)).size).toBeGreaterThanOrEqual(950)
  // Not only in the names that the seed made up.
  expect(new Set(outcomes.map(({ course }) => course)).size).toBeGreaterThanOrEqual(950)
})

test('the trace hash covers what each process asks, the built-in controllers and nodes too', async () => {
  const { requests, trace } = await runWidgetHistory(5, { traceEntries: 5000 })
  for (const process of ['control-plane', 'operator', 'user']) expect(requests[process], process).toBeGreaterThan(10)
  for (const entry of [
    /control-plane <- control-plane POST \/api\/v1\/namespaces\/default\/pods\?fieldManager=replicaset-controller/,
    /control-plane <- 201 POST \/api\/v1\/namespaces\/default\/pods\?/,
    /control-plane <- \d+ events GET \/api\/v1\/pods/,
    /operator <- \d+ events GET \/apis\/example.com\/v1\/widgets/,
    /control-plane timer/,
    /operator is killed/,
  ]) {
    expect(
      trace.some((line) => entry.test(line)),
      `${entry}`,
    ).toBe(true)
  }
})

/** Does the work, and says that it is done before it is. */
const boastful: Reconciler = {
  async reconcile(request, { client, environment }) {
    const widget = await client.get(Widget, request).catch(ignoreNotFound)
    if (widget === undefined || widget.metadata.deletionTimestamp !== undefined) return
    const { generation, name } = widget.metadata
    const { image, replicas } = widget.spec
    const labels = { widget: name }
    await createOrUpdate(client, Deployment, request, (draft) =>
      mergeDesired(draft, {
        metadata: { ownerReferences: [controllerReference(Widget, widget)] },
        spec: {
          replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'widget', image }] } },
        },
      }),
    )
    if (widget.status?.observedGeneration === generation) return
    const ready = { type: 'Ready', status: 'True', reason: 'Boast', message: '', observedGeneration: generation } as const
    const status = { observedGeneration: generation, readyReplicas: replicas, conditions: setCondition([], ready, environment.now()) }
    await client.status.update(Widget, { ...widget, status })
  },
}

test('a status that is ahead of the pods is found', async () => {
  const { converged, violations } = await runWidgetHistory(1, { reconciler: () => boastful })
  expect(converged).toBe(true)
  // The first generation, the scaled one, and the one with another image. (Scaled down, its pods are ready at once.)
  for (const generation of [1, 2, 3]) {
    expect(violations.join('\n')).toContain(`says Ready=True for generation ${generation}, of which its pods have never been ready`)
  }
})

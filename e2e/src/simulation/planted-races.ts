import { Widget } from '@steersman/example-widget/widget'
import {
  addFinalizer,
  controllerManagedBy,
  controllerOf,
  controllerReference,
  ignoreAlreadyExists,
  ignoreNotFound,
  isTerminating,
  mergePatch,
  type Reconciler,
  removeFinalizer,
} from 'steersman'
import { ConfigMap } from 'steersman/api/types/core/v1'
import { type Program, SimulatedCluster } from './simulated-cluster.js'

/** What one seed showed. */
export interface RaceOutcome {
  readonly seed: number
  /** What went wrong; empty if nothing did. */
  readonly violations: readonly string[]
  readonly hash: string
  readonly events: number
}

/** Which of a pair of operators is run: one with a race planted, or its twin without. */
export type Twin = 'planted' | 'correct'

/** Plays a scenario with one seed. */
export type Race = (seed: number, twin: Twin) => Promise<RaceOutcome>

const OPERATOR = 'operator'
const namespace = 'default'

/**
 * A lost update: an operator lists all Widgets in one ConfigMap, which it reads from its cache and writes back whole. The planted one leaves out the
 * resourceVersion, so its write replaces whatever somebody else wrote in the meantime; the correct one is told of the conflict and tries again.
 */
export const lostUpdate: Race = async (seed, twin) => {
  const inventory = { namespace, name: 'inventory' }
  const reconciler: Reconciler = {
    async reconcile(request, { client }) {
      const list = await client.get(ConfigMap, inventory).catch(ignoreNotFound)
      if (list?.data?.[request.name] !== undefined) return
      const data = { ...list?.data, [request.name]: 'present' }
      if (list === undefined) {
        await client.create(ConfigMap, { metadata: inventory, data })
        return
      }
      const { resourceVersion, ...metadata } = list.metadata
      await client.update(ConfigMap, { metadata: twin === 'correct' ? { ...metadata, resourceVersion } : metadata, data })
    },
  }
  const program: Program = (manager) => {
    manager.cache.informer(ConfigMap)
    controllerManagedBy(manager).for(Widget).complete(reconciler)
  }
  return playRace(seed, async (cluster) => {
    const random = cluster.world.seededRandom('user')
    cluster.startOperator(OPERATOR, program)
    await createWidget(cluster, 'first')
    await cluster.observer.until('an inventory', () =>
      cluster.observer.objects('ConfigMap').some(({ metadata }) => metadata.name === inventory.name),
    )
    const names = ['second', 'third', 'fourth']
    for (const name of names) {
      await createWidget(cluster, name)
      await cluster.user.sleep(random.below(50))
      await cluster.client.patch(ConfigMap, inventory, mergePatch({ data: { [`${name}-note`]: 'reviewed' } }))
    }
    await cluster.user.sleep(60_000)
    const { data } = await cluster.client.get(ConfigMap, inventory)
    const expected = ['first', ...names.flatMap((name) => [name, `${name}-note`])]
    return expected.filter((entry) => data?.[entry] === undefined).map((entry) => `"${entry}" was written to the inventory and is lost`)
  })
}

/**
 * A double create: an operator gives each Widget a ConfigMap with a generated name if the cache shows none. The planted one reads without seeing its
 * own writes, so a reconcile soon after the create finds none yet and creates another; the twin is the same code with reads that see them.
 */
export const doubleCreate: Race = async (seed, twin) => {
  const reconciler: Reconciler = {
    async reconcile(request, { client }) {
      const widget = await client.get(Widget, request).catch(ignoreNotFound)
      if (widget === undefined) return
      const { items } = await client.list(ConfigMap, { namespace: request.namespace })
      if (items.some((item) => controllerOf(item)?.uid === widget.metadata.uid)) return
      await client.create(ConfigMap, {
        metadata: {
          namespace: request.namespace,
          generateName: `${request.name}-`,
          ownerReferences: [controllerReference(Widget, widget)],
        },
      })
    },
  }
  const program: Program = (manager) => void controllerManagedBy(manager).for(Widget).owns(ConfigMap).complete(reconciler)
  return playRace(seed, async (cluster) => {
    const random = cluster.world.seededRandom('user')
    cluster.startOperator(OPERATOR, program, { readYourOwnWrites: twin === 'correct' })
    await cluster.user.sleep(1000)
    const widget = await createWidget(cluster, 'hello')
    for (const replicas of [2, 3, 4, 5]) {
      await cluster.user.sleep(random.below(20))
      await cluster.client.patch(Widget, { namespace, name: 'hello' }, mergePatch({ spec: { replicas } }))
    }
    await cluster.user.sleep(60_000)
    const owned = cluster.observer.objects('ConfigMap').filter((object) => controllerOf(object)?.uid === widget.metadata.uid)
    return owned.length === 1 ? [] : [`Widget "hello" owns ${owned.length} ConfigMaps; expected 1`]
  })
}

/**
 * A missed delete: an operator keeps something that no garbage collector knows of (a ConfigMap without owner) for each Widget and deletes it when it
 * learns that the Widget was deleted. The planted one learns from the event, which nobody repeats if it is dead at the time; the twin holds a finalizer.
 */
export const missedDelete: Race = async (seed, twin) => {
  const outside = (name: string) => ({ namespace, name: `outside-${name}` })
  const edgeTriggered: Reconciler = {
    async reconcile(request, { client }) {
      const widget = await client.get(Widget, request).catch(ignoreNotFound)
      if (widget === undefined) await client.delete(ConfigMap, outside(request.name)).catch(ignoreNotFound)
      else await client.create(ConfigMap, { metadata: outside(request.name) }).catch(ignoreAlreadyExists)
    },
  }
  const finalizer = 'example.com/outside'
  const withFinalizer: Reconciler = {
    async reconcile(request, { client }) {
      const widget = await client.get(Widget, request).catch(ignoreNotFound)
      if (widget === undefined) return
      if (isTerminating(widget)) {
        await client.delete(ConfigMap, outside(request.name)).catch(ignoreNotFound)
        await removeFinalizer(client, Widget, widget, finalizer)
        return
      }
      await addFinalizer(client, Widget, widget, finalizer)
      await client.create(ConfigMap, { metadata: outside(request.name) }).catch(ignoreAlreadyExists)
    },
  }
  const program: Program = (manager) =>
    void controllerManagedBy(manager)
      .for(Widget)
      .complete(twin === 'correct' ? withFinalizer : edgeTriggered)
  return playRace(seed, async (cluster) => {
    const random = cluster.world.seededRandom('user')
    cluster.startOperator(OPERATOR, program)
    await createWidget(cluster, 'hello')
    await cluster.observer.until('something outside', () =>
      cluster.observer.objects('ConfigMap').some(({ metadata }) => metadata.name === 'outside-hello'),
    )
    const [killAfterMs, downMs, deleteAfterMs] = [random.below(2000), random.below(1000), random.below(2000)]
    const restart = async (): Promise<void> => {
      await cluster.user.sleep(killAfterMs)
      cluster.killOperator(OPERATOR)
      await cluster.user.sleep(downMs)
      cluster.startOperator(OPERATOR, program)
    }
    const remove = async (): Promise<void> => {
      await cluster.user.sleep(deleteAfterMs)
      await cluster.client.delete(Widget, { namespace, name: 'hello' })
    }
    await Promise.all([restart(), remove()])
    await cluster.user.sleep(60_000)
    const left = [...cluster.observer.objects('Widget'), ...cluster.observer.objects('ConfigMap')].filter(({ metadata }) =>
      metadata.name?.endsWith('hello'),
    )
    return left.map(({ kind, metadata }) => `${kind} "${metadata.name}" is left after its Widget was deleted`)
  })
}

async function playRace(seed: number, scenario: (cluster: SimulatedCluster) => Promise<string[]>): Promise<RaceOutcome> {
  const cluster = await SimulatedCluster.open({ seed })
  const violations = await cluster.run(
    (async () => {
      await cluster.install(Widget)
      for (const type of [Widget, ConfigMap]) await cluster.follow(type)
      return scenario(cluster)
    })(),
  )
  for (const failure of cluster.failures) violations.push(`A manager failed: ${failure}`)
  violations.push(...(await cluster.close()).map((leftover) => `Still awaited after the end: ${leftover}`))
  return { seed, violations, hash: cluster.world.trace.hash, events: cluster.world.events }
}

function createWidget(cluster: SimulatedCluster, name: string): Promise<Widget> {
  return cluster.client.create(Widget, { metadata: { namespace, name }, spec: { image: 'hello:1' } })
}

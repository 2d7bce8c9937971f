import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expired, internalError, StatusError } from '../api/index.js'
import { TransportError } from '../environment/index.js'
import { discardLogger } from '../internal/index.js'
import { FakeCluster, Widget } from './fake-cluster.testing.js'
import { SharedInformer } from './informer.js'
import { storeKeyOfObject } from './key.js'
import { VirtualTime } from './virtual-time.testing.js'

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const namespace = fc.constantFrom('one', 'two')

type Step = (cluster: FakeCluster) => void

const step: fc.Arbitrary<readonly [string, Step]> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(namespace, name, fc.nat(3), fc.constantFrom(undefined, { app: 'x' }))
      .map(([ns, n, size, labels]): [string, Step] => [
        `put ${ns}/${n} ${labels ? 'app' : ''}`,
        (cluster) => cluster.put(Widget, ns, n, { size }, labels),
      ]),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(namespace, name)
      .map(([ns, n]): [string, Step] => [`remove ${ns}/${n}`, (cluster) => cluster.remove(Widget, ns, n)]),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(namespace, name).map(([ns, n]): [string, Step] => [
      `reborn unseen ${ns}/${n}`,
      (cluster) => {
        cluster.put(Widget, ns, n, {}, { app: 'x' })
        cluster.cut()
        cluster.remove(Widget, ns, n)
        cluster.put(Widget, ns, n, {}, { app: 'x' })
        cluster.compact()
      },
    ]),
  },
  { weight: 2, arbitrary: fc.constant<[string, Step]>(['cut', (cluster) => cluster.cut()]) },
  { weight: 1, arbitrary: fc.constant<[string, Step]>(['reset', (cluster) => cluster.cut(new TransportError('ECONNRESET', 'reset'))]) },
  { weight: 2, arbitrary: fc.constant<[string, Step]>(['compact', (cluster) => cluster.compact()]) },
  { weight: 2, arbitrary: fc.constant<[string, Step]>(['bookmark', (cluster) => cluster.bookmark()]) },
  { weight: 1, arbitrary: fc.constant<[string, Step]>(['tick', (cluster) => cluster.tick()]) },
  { weight: 1, arbitrary: fc.constant<[string, Step]>(['stall', (cluster) => cluster.stall()]) },
  { weight: 1, arbitrary: fc.constant<[string, Step]>(['down', (cluster) => cluster.goDown()]) },
  {
    weight: 1,
    arbitrary: fc.constant<[string, Step]>([
      'up',
      (cluster) => {
        cluster.isDown = false
        cluster.fault = undefined
      },
    ]),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(new StatusError(expired('too old')), new StatusError(internalError('boom'))).map((error): [string, Step] => [
      `fault ${error.message}`,
      (cluster) => {
        cluster.fault = () => error
      },
    ]),
  },
  {
    weight: 1,
    arbitrary: fc.constant<[string, Step]>(['garbage', (cluster) => cluster.inject(Widget, { type: 'ADDED', object: { kind: 'Odd' } })]),
  },
)

/** What a handler knows who has only listened; any contradiction between its events throws. */
class FoldedView {
  readonly objects = new Map<string, string>()
  problems: string[] = []

  readonly handler = {
    onAdd: (object: Widget) => {
      const key = storeKeyOfObject(object)
      if (this.objects.has(key)) this.problems.push(`add of ${key}, which was there`)
      this.objects.set(key, object.metadata.resourceVersion as string)
    },
    onUpdate: (before: Widget, after: Widget) => {
      const key = storeKeyOfObject(after)
      if (this.objects.get(key) !== before.metadata.resourceVersion) this.problems.push(`update of ${key} from an unknown state`)
      if (before.metadata.resourceVersion === after.metadata.resourceVersion) this.problems.push(`update of ${key} without a change`)
      if (before.metadata.uid !== after.metadata.uid) this.problems.push(`update of ${key} to another object`)
      this.objects.set(key, after.metadata.resourceVersion as string)
    },
    onDelete: (object: Widget) => {
      const key = storeKeyOfObject(object)
      if (!this.objects.delete(key)) this.problems.push(`delete of ${key}, which was not there`)
    },
  }
}

const versions = (objects: readonly Widget[]) => objects.map((object) => `${storeKeyOfObject(object)}@${object.metadata.resourceVersion}`)

test.each([
  ['streaming', true, undefined],
  ['paged', false, undefined],
  ['streaming with a selector', true, 'app=x'],
] as const)(
  'SharedInformer and its handlers end in the server state after any history (%s)',
  async (_, streamInitialList, labelSelector) => {
    const run = async (seed: number, steps: readonly (readonly [string, Step, number])[], lateAt: number) => {
      const time = new VirtualTime(seed)
      const cluster = new FakeCluster(time)
      const informer = new SharedInformer({
        environment: time,
        client: cluster.client,
        log: discardLogger,
        type: Widget,
        options: labelSelector === undefined ? {} : { labelSelector },
        reflector: { streamInitialList, pageSize: 3, silentWatchTimeoutMs: 120_000 },
      })
      const early = new FoldedView()
      const late = new FoldedView()
      informer.addHandler(early.handler)
      const controller = new AbortController()
      const running = informer.start(controller.signal)
      for (const [index, [, apply, waitMs]] of steps.entries()) {
        if (index === lateAt) informer.addHandler(late.handler)
        apply(cluster)
        await time.advance(waitMs)
      }
      if (lateAt >= steps.length) informer.addHandler(late.handler)
      cluster.isDown = false
      cluster.fault = undefined
      await time.advance(400_000)
      const expected = versions(cluster.all(Widget).filter((object) => labelSelector === undefined || object.metadata.labels?.app === 'x'))
      expect(versions(informer.list() as Widget[])).toEqual(expected)
      for (const view of [early, late]) {
        expect(view.problems).toEqual([])
        expect([...view.objects].map(([key, version]) => `${key}@${version}`).sort()).toEqual([...expected].sort())
      }
      controller.abort()
      await running
      expect(time.pendingTimers).toBe(0)
    }
    const wait = fc.constantFrom(0, 0, 0, 1, 1, 3, 20, 5_000, 40_000)
    const history = fc.array(
      fc.tuple(step, wait).map(([[label, apply], waitMs]) => [label, apply, waitMs] as const),
      { maxLength: 40 },
    )
    await fc.assert(fc.asyncProperty(fc.nat(), history, fc.nat(40), run), { numRuns: 150 })
  },
)

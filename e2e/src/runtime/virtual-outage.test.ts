import { type ControlPlane, startControlPlane } from '@steersman/apiserver'
import {
  type Client,
  controllerManagedBy,
  controllerReference,
  createClient,
  createOrUpdate,
  customResourceDefinition,
  ignoreNotFound,
  Manager,
  mergePatch,
} from 'steersman'
import { CustomResourceDefinition } from 'steersman/api/types/apiextensions/v1'
import { Deployment } from 'steersman/api/types/apps/v1'
import { ConfigMap } from 'steersman/api/types/core/v1'
import { createTransport } from 'steersman/client'
import { VirtualWorld } from 'steersman/environment'
import { describe, expect, it } from 'vitest'
import { Gadget } from './gadget.js'

const outageMs = 30_000
const namespace = 'default'

interface World {
  readonly world: VirtualWorld
  readonly client: Client
  readonly manager: Manager
  /** Kills the server and starts another: with nothing in its memory. */
  replaceServer(): Promise<void>
  /** Gadgets as the operator's ConfigMaps show them: name and size. */
  shown(): Promise<readonly string[]>
  /** Stops what runs. */
  end(): Promise<void>
}

/** A server, an operator that keeps a ConfigMap per Gadget, and a user. */
async function openWorld(seed: number): Promise<World> {
  const world = new VirtualWorld({ seed, maxLatencyMs: 3 })
  let server = world.process('server')
  const plane: ControlPlane = await world.run(startControlPlane({ environment: server, controllers: 'none' }))
  const config = plane.clientConfig
  if (config === undefined) throw new Error('the server does not listen')
  const user = world.process('user')
  const client = createClient({ environment: user, transport: createTransport(user, config) })
  await world.run(client.create(CustomResourceDefinition, customResourceDefinition(Gadget)))
  const manager = new Manager({ environment: world.process('operator'), config, cache: { kinds: [Deployment] } })
  controllerManagedBy(manager)
    .for(Gadget)
    .owns(ConfigMap)
    .complete(async (request, context) => {
      const gadget = await context.client.get(Gadget, request).catch(ignoreNotFound)
      if (gadget === undefined) return void (await context.client.delete(ConfigMap, request).catch(ignoreNotFound))
      await createOrUpdate(context.client, ConfigMap, request, (draft) => {
        draft.metadata.labels = { shows: 'gadget' }
        draft.metadata.ownerReferences = [controllerReference(Gadget, gadget)]
        draft.data = { size: String(gadget.spec.size) }
      })
    })
  const stop = new AbortController()
  const running = manager.start(stop.signal)
  return {
    world,
    client,
    manager,
    replaceServer: async () => {
      server.kill()
      server = world.process('server')
      await world.run(startControlPlane({ environment: server, controllers: 'none' }))
      await world.run(client.create(CustomResourceDefinition, customResourceDefinition(Gadget)))
    },
    shown: async () => {
      const { items } = await world.run(client.list(ConfigMap, { namespace, labelSelector: 'shows=gadget' }))
      return items.map(({ metadata, data }) => `${metadata.name} ${data?.size}`)
    },
    end: async () => {
      stop.abort()
      await world.run(running)
    },
  }
}

const gadget = (name: string, size = 1) => ({ metadata: { namespace, name }, spec: { size } })

describe('An API server that goes away for 30 virtual seconds', () => {
  it.each([
    ['refuses connections', 1],
    ['refuses connections', 2],
    ['falls silent', 3],
    ['falls silent', 4],
  ])('and %s (seed %d): nothing is lost, and it is seldom asked', async (how, seed) => {
    const { world, client, manager, shown, end } = await openWorld(seed)
    for (const name of ['changes', 'goes', 'stays']) await world.run(client.create(Gadget, gadget(name)))
    await world.advance(5_000)
    expect(await shown()).toEqual(['changes 1', 'goes 1', 'stays 1'])

    // In the middle of everything: these are under way when it happens.
    for (let index = 0; index < 10; index++) await world.run(client.create(Gadget, gadget(`mid-${index}`)))
    const asked = new Map<string, number>()
    const isOperator = (name: string): boolean => name === 'operator'
    const release = world.network.intercept(({ client: asker, request }) => {
      if (!isOperator(asker.name)) return undefined
      const what = `${request.method} ${request.path}`
      asked.set(what, (asked.get(what) ?? 0) + 1)
      return how === 'refuses connections' ? { kind: 'refuse' } : undefined
    })
    const cutWatches = world.network.intercept({
      batch: ({ client: asker }) => (isOperator(asker.name) && how === 'refuses connections' ? { kind: 'reset' } : undefined),
    })
    if (how === 'falls silent') world.network.partition('operator', true)
    await world.run(client.patch(Gadget, { namespace, name: 'changes' }, mergePatch({ spec: { size: 9 } })))
    await world.run(client.delete(Gadget, { namespace, name: 'goes' }))
    await world.run(client.delete(ConfigMap, { namespace, name: 'stays' }))
    await world.run(client.create(Gadget, gadget('comes', 4)))
    await world.advance(outageMs)
    world.network.partition('operator', false)
    release()
    cutWatches()

    // With waits that double from 5 ms on, a key has its thirteenth try after 30 s; fourteen keys share the path of a creation.
    for (const [what, count] of asked) expect(count, what).toBeLessThanOrEqual(what.startsWith('POST') ? 14 * 13 : 13)
    await world.advance(60_000)
    const middle = Array.from({ length: 10 }, (_, index) => `mid-${index} 1`)
    expect(await shown()).toEqual(['changes 9', 'comes 4', ...middle, 'stays 1'].sort())
    expect(manager.cache.health().map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'Deployment watching',
      'Gadget watching',
      'ConfigMap watching',
    ])
    expect(manager.cache.informer(Gadget).list()).toHaveLength(13)
    await end()
  })

  it.each([5, 6])('and comes back with another history (seed %d): every informer begins anew', async (seed) => {
    const { world, client, manager, replaceServer, shown, end } = await openWorld(seed)
    for (let index = 0; index < 50; index++) await world.run(client.create(Gadget, gadget(`old-${index}`)))
    await world.advance(5_000)
    expect(await shown()).toHaveLength(50)
    const before = Number(manager.cache.informer(Gadget).resourceVersion)
    await replaceServer()
    const created = await world.run(client.create(Gadget, gadget('new', 7)))
    // The new server's revisions are behind those that the informers know.
    expect(Number(created.metadata.resourceVersion)).toBeLessThan(before)
    // A server that knows nothing of a position may be silent about it for as long as a watch lasts, ten minutes at most.
    await world.advance(15 * 60_000)
    expect(await shown()).toEqual(['new 7'])
    expect(manager.cache.informer(Gadget).list()).toHaveLength(1)
    await end()
  })
})

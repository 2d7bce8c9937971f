import { describe, expect, test } from 'vitest'
import { notFound, StatusError } from '../api/index.js'
import type { Client } from '../client/index.js'
import { VirtualWorld } from '../environment/index.js'
import { discardLogger } from '../internal/index.js'
import { createEventRecorder, type EventRecorder } from './index.js'

interface Written {
  readonly verb: 'create' | 'patch'
  readonly body: {
    readonly count: number
    readonly message: string
    readonly reason?: string
    readonly metadata?: { readonly name: string }
  }
}

/** A recorder whose client writes into a list, and can be told to fail or to wait. */
function recorder(): {
  readonly world: VirtualWorld
  readonly events: EventRecorder
  readonly written: Written[]
  settle(): Promise<void>
  sleep(ms: number): Promise<void>
  fail: Error | undefined
  forget: boolean
} {
  const world = new VirtualWorld({ seed: 1 })
  const environment = world.process('controller')
  const written: Written[] = []
  const harness = {
    world,
    written,
    fail: undefined as Error | undefined,
    forget: false,
    settle: () => world.run(environment.sleep(1000)),
    sleep: (ms: number) => world.run(environment.sleep(ms)),
  }
  const client = {
    with: () => client,
    create: async (_: unknown, body: Written['body']) => {
      await environment.sleep(1)
      if (harness.fail !== undefined) throw harness.fail
      written.push({ verb: 'create', body })
      return body
    },
    patch: async (_: unknown, key: { readonly name: string }, { body }: { readonly body: Written['body'] }) => {
      await environment.sleep(1)
      if (harness.forget) throw new StatusError(notFound({ group: '', plural: 'events' } as never, key.name))
      written.push({ verb: 'patch', body })
      return body
    },
  } as unknown as Client
  return Object.assign(harness, {
    events: createEventRecorder({ environment, client, logger: discardLogger }, { component: 'test-controller' }),
  })
}

const object = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'team', uid: 'u1', resourceVersion: '7' },
}

describe('EventRecorder', () => {
  // The shape that kube-controller-manager 1.37 writes.
  test('writes an Event beside the object', async () => {
    const harness = recorder()
    harness.events.event(object, { reason: 'ScalingReplicaSet', message: 'Scaled up' })
    await harness.settle()
    expect(harness.written).toEqual([
      {
        verb: 'create',
        body: {
          metadata: { name: expect.stringMatching(/^web\.[0-9a-f]{16}$/), namespace: 'team' },
          involvedObject: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'team', uid: 'u1', resourceVersion: '7' },
          type: 'Normal',
          reason: 'ScalingReplicaSet',
          message: 'Scaled up',
          count: 1,
          firstTimestamp: '2026-01-01T00:00:00Z',
          lastTimestamp: '2026-01-01T00:00:00Z',
          source: { component: 'test-controller' },
          reportingComponent: 'test-controller',
          reportingInstance: '',
        },
      },
    ])
  })

  test('counts repeats in one Event, and writes a new one when the server has forgotten it', async () => {
    const harness = recorder()
    for (let times = 0; times < 3; times += 1) harness.events.event(object, { reason: 'Again', message: 'same' })
    await harness.settle()
    expect(harness.written.map(({ verb, body }) => `${verb} ${body.count}`)).toEqual(['create 1', 'patch 2', 'patch 3'])
    harness.forget = true
    harness.events.event(object, { reason: 'Again', message: 'same' })
    await harness.settle()
    expect(harness.written.at(-1)).toMatchObject({ verb: 'create', body: { count: 4 } })
  })

  test('combines many similar ones, and throttles an object that causes a flood', async () => {
    const harness = recorder()
    for (let pod = 0; pod < 100; pod += 1) harness.events.event(object, { reason: 'SuccessfulCreate', message: `Created pod: p-${pod}` })
    await harness.settle()
    const created = harness.written.filter(({ verb }) => verb === 'create')
    expect(created).toHaveLength(10)
    expect(created.at(-1)?.body.message).toBe('(combined from similar events): Created pod: p-9')
    expect(harness.written).toHaveLength(25)
    await harness.sleep(300_000)
    harness.events.event(object, { reason: 'Other', message: 'after five minutes' })
    await harness.settle()
    expect(harness.written.at(-1)?.body.message).toBe('after five minutes')
  })

  test('keeps objects apart', async () => {
    const harness = recorder()
    harness.events.event(object, { reason: 'A', message: 'm' })
    harness.events.event({ ...object, metadata: { ...object.metadata, uid: 'u2' } }, { reason: 'A', message: 'm' })
    await harness.settle()
    expect(harness.written.map(({ verb }) => verb)).toEqual(['create', 'create'])
  })

  test('neither throws nor waits when the server refuses, and goes on', async () => {
    const harness = recorder()
    harness.fail = new Error('no')
    harness.events.event(object, { reason: 'Lost', message: 'm' })
    await harness.settle()
    harness.fail = undefined
    harness.events.event(object, { reason: 'Kept', message: 'm' })
    await harness.settle()
    expect(harness.written.map(({ body }) => body.reason)).toEqual(['Kept'])
  })

  test('drops what exceeds its bound', async () => {
    const harness = recorder()
    for (let index = 0; index < 5000; index += 1)
      harness.events.event({ ...object, metadata: { ...object.metadata, uid: `u${index}` } }, { reason: 'R', message: 'm' })
    await harness.sleep(60_000)
    // One is being written while a thousand wait.
    expect(harness.written).toHaveLength(1001)
  })
})

import type { UnstructuredObject } from 'steersman/api'
import { forbidden, StatusError } from 'steersman/api'
import { describe, expect, it } from 'vitest'
import type { AdmissionAttributes } from '../contracts/index.js'
import { decoded, openRegistry, refusal } from './registry.fixture.js'

const maps = 'v1/configmaps'
const key = { namespace: 'default', name: 'a' }
const pod = { metadata: { name: 'a' }, spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] } }

describe('ResourceStore.create', () => {
  it('generates names from the alphabet of Kubernetes and gives up after eight that are taken', async () => {
    const { create, storage } = await openRegistry()
    const created = await create(maps, { metadata: { generateName: 'x-' } })
    expect(created.metadata.name).toMatch(/^x-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
    let attempts = 0
    storage.create = async (path) => {
      attempts++
      const { StorageError } = await import('../storage/index.js')
      throw new StorageError('exists', `${path} exists`)
    }
    const status = await refusal(create(maps, { metadata: { generateName: 'x-' } }))
    expect(attempts).toBe(8)
    expect(status).toMatchObject({ code: 409, reason: 'AlreadyExists', details: { retryAfterSeconds: 1 } })
    expect(status.message).toMatch(/^configmaps "x-.{5}" already exists, the server was not able to generate a unique name for the object$/)
  })

  it('says of a name whose object is being deleted that it is', async () => {
    const { create, store, write } = await openRegistry()
    await create(maps, { metadata: { name: 'a', finalizers: ['example.com/f'] } })
    await store(maps).delete(key, write())
    expect((await refusal(create(maps, { metadata: { name: 'a' } }))).message).toBe(
      'object is being deleted: configmaps "a" already exists',
    )
  })

  it('stores nothing on a dry run and answers with what it would have stored', async () => {
    const { create, store, storage } = await openRegistry()
    const dry = await create(maps, { metadata: { name: 'a' } }, { dryRun: true })
    expect(dry.metadata).toMatchObject({ name: 'a', namespace: 'default', uid: expect.any(String) as string })
    expect(dry.metadata.resourceVersion).toBeUndefined()
    expect(await storage.currentRevision()).toBe(1)
    await refusal(store(maps).get(key))
    await create(maps, { metadata: { name: 'a' } })
    expect((await refusal(create(maps, { metadata: { name: 'a' } }, { dryRun: true }))).reason).toBe('AlreadyExists')
  })

  it('runs admission around the rules of the kind, once for each attempt', async () => {
    const { create } = await openRegistry()
    const seen: string[] = []
    const admission = {
      name: 'test',
      admit: async ({ object, operation }: AdmissionAttributes) => {
        seen.push(`admit ${operation} ${(object as unknown as { type?: string }).type}`)
        return { ...object, metadata: { ...object!.metadata, labels: { added: 'yes' } } } as UnstructuredObject
      },
      validate: async ({ object, name }: AdmissionAttributes) => {
        seen.push(`validate ${name} ${object?.metadata.labels?.added} ${Object.isFrozen(object)}`)
      },
    }
    const created = await create('v1/secrets', { metadata: { name: 'a' } }, { admission })
    expect(seen).toEqual(['admit CREATE Opaque', 'validate a yes true'])
    expect(created.metadata.labels).toEqual({ added: 'yes' })
  })

  it('stores nothing that admission refuses', async () => {
    const { create, storage } = await openRegistry()
    const admission = {
      name: 'test',
      validate: async () => {
        throw new StatusError(forbidden({ group: '', plural: 'configmaps' }, 'a', 'no'))
      },
    }
    expect((await refusal(create(maps, { metadata: { name: 'a' } }, { admission }))).message).toBe('configmaps "a" is forbidden: no')
    expect(await storage.currentRevision()).toBe(1)
  })

  it('drops repeated owner references with a warning', async () => {
    const { create, warnings } = await openRegistry()
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }
    const created = await create(maps, { metadata: { name: 'a', ownerReferences: [owner, { ...owner }] } })
    expect(created.metadata.ownerReferences).toEqual([owner])
    expect(warnings[0]).toContain('duplicate UID(s) observed: u')
  })
})

describe('ResourceStore.update', () => {
  it('does not write what does not change anything', async () => {
    const { create, store, storage, write } = await openRegistry()
    const created = await create('apps/v1/deployments', deployment)
    const revision = await storage.currentRevision()
    const same = await store('apps/v1/deployments').update(key, (current) => current!, write())
    expect(same.object).toBe(created)
    const put = await store('apps/v1/deployments').update(key, () => decoded(store('apps/v1/deployments'), deployment), write())
    expect(put.object).toBe(created)
    expect(await storage.currentRevision()).toBe(revision)
  })

  it('transforms and admits again when the object changed meanwhile and the writer does not insist on a version', async () => {
    const { create, store, write } = await openRegistry()
    await create(maps, { metadata: { name: 'a' }, data: { count: '0' } })
    const countUp = (current: UnstructuredObject | undefined) => {
      const count = Number((current!.data as { count: string }).count) + 1
      const { resourceVersion: _, ...metadata } = current!.metadata
      return { ...current, metadata, data: { count: String(count) } } as UnstructuredObject
    }
    let admissions = 0
    const admission = { name: 'test', validate: async () => void admissions++ }
    await Promise.all(Array.from({ length: 4 }, () => store(maps).update(key, countUp, write({ admission }))))
    expect((await store(maps).get(key)).data).toEqual({ count: '4' })
    expect(admissions).toBeGreaterThan(4)
  })

  it('gives up after five attempts', async () => {
    const { create, store, write } = await openRegistry()
    await create(maps, { metadata: { name: 'a' } })
    let attempts = 0
    const other = write()
    const disturb = async (current: UnstructuredObject | undefined) => {
      attempts++
      await store(maps).update(key, () => decoded(store(maps), { metadata: { name: 'a' }, data: { other: String(attempts) } }), other)
      return { ...current, data: { mine: String(attempts) } } as UnstructuredObject
    }
    expect(await refusal(store(maps).update(key, disturb, write()))).toMatchObject({ code: 409, reason: 'Conflict' })
    expect(attempts).toBe(5)
  })

  it('refuses at once a writer who insists on another version', async () => {
    const { create, store, write } = await openRegistry()
    const created = await create(maps, { metadata: { name: 'a' } })
    await store(maps).update(key, (current) => ({ ...current!, data: { x: 'y' } }), write())
    const status = await refusal(store(maps).update(key, () => ({ ...created, data: { z: 'z' } }), write()))
    expect(status.message).toBe(
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    )
  })

  it('creates leases by an update and nothing else', async () => {
    const { store, write } = await openRegistry()
    const leases = store('coordination.k8s.io/v1/leases')
    const result = await leases.update(key, () => decoded(leases, { metadata: { name: 'a' }, spec: { holderIdentity: 'x' } }), write())
    expect(result).toMatchObject({ created: true, object: { spec: { holderIdentity: 'x' } } })
    expect((await refusal(store(maps).update(key, () => decoded(store(maps), { metadata: { name: 'a' } }), write()))).code).toBe(404)
  })
})

describe('ResourceStore.delete', () => {
  it('gives a running pod its grace period, which who asks again may only shorten', async () => {
    const { world, create, store, write } = await openRegistry()
    await create('v1/pods', pod)
    const start = world.now
    const remove = async (gracePeriodSeconds?: number) =>
      (await store('v1/pods').delete(key, write(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }))) as UnstructuredObject
    const first = await remove()
    expect(first.metadata).toMatchObject({ deletionGracePeriodSeconds: 30, generation: 2 })
    expect(Date.parse(first.metadata.deletionTimestamp!)).toBe(start + 30_000)
    expect((await remove(60)).metadata.resourceVersion).toBe(first.metadata.resourceVersion)
    await world.advance(3_000)
    expect(Date.parse((await remove(10)).metadata.deletionTimestamp!)).toBe(start + 10_000)
    await world.advance(20_000)
    const last = await remove(5)
    expect(last.metadata.deletionGracePeriodSeconds).toBe(1)
    await remove(0)
    expect((await refusal(store('v1/pods').get(key))).code).toBe(404)
  })

  it('keeps what has finalizers until an update takes the last of them, which deletes without another event', async () => {
    const { create, store, storage, write } = await openRegistry()
    await create(maps, { metadata: { name: 'a', finalizers: ['example.com/f'] } })
    await store(maps).delete(key, write())
    const watch = await storage.watch('/core/configmaps/', await storage.currentRevision(), { signal: new AbortController().signal })
    await store(maps).update(key, (current) => ({ ...current!, metadata: { ...current!.metadata, finalizers: [] } }), write())
    const batch = await watch[Symbol.asyncIterator]().next()
    expect((batch.value as { events: { type: string }[] }).events.map(({ type }) => type)).toEqual(['delete'])
  })

  it('changes nothing on a dry run', async () => {
    const { create, store, storage, write } = await openRegistry()
    await create(maps, { metadata: { name: 'a' } })
    const revision = await storage.currentRevision()
    expect(await store(maps).delete(key, write({ dryRun: true }))).toMatchObject({ status: 'Success' })
    expect(await store(maps).delete(key, write({ dryRun: true, propagationPolicy: 'Foreground' }))).toMatchObject({
      metadata: { finalizers: ['foregroundDeletion'] },
    })
    expect(await storage.currentRevision()).toBe(revision)
  })

  it('deletes a collection by selector and answers with what was there', async () => {
    const { create, store, write } = await openRegistry()
    for (const [name, app] of [
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'x'],
    ] as const)
      await create(maps, { metadata: { name, labels: { app } } })
    const deleted = await store(maps).deleteCollection({ namespace: 'default', labelSelector: 'app=x' }, write())
    expect(deleted.items.map(({ metadata }) => metadata.name)).toEqual(['a', 'c'])
    expect((await store(maps).list({ namespace: '' })).items.map(({ metadata }) => metadata.name)).toEqual(['b'])
  })
})

const deployment = {
  metadata: { name: 'a' },
  spec: {
    selector: { matchLabels: { app: 'x' } },
    template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
}

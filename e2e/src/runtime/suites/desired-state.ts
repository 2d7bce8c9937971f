import {
  addFinalizer,
  controllerManagedBy,
  createOrUpdate,
  hasFinalizer,
  ignoreNotFound,
  isAlreadyExists,
  isConflict,
  isTerminating,
  mergeDesired,
  removeFinalizer,
} from 'steersman'
import { Deployment } from 'steersman/api/types/apps/v1'
import { ConfigMap } from 'steersman/api/types/core/v1'
import { describe, expect, it } from 'vitest'
import { deployment } from '../deployment.js'
import { useFixture } from '../fixture.js'
import { Gadget } from '../gadget.js'
import { RequestLog } from '../request-log.js'
import type { ClusterKind } from '../test-cluster.js'
import { until } from '../until.js'

const finalizer = 'e2e.steersman.dev/cleanup'

/** What a reconcile uses to bring the world nearer to what it should be. */
export function desiredStateSuite(kind: ClusterKind): void {
  describe(`Desired state (${kind.name})`, () => {
    const fixture = useFixture(kind)

    /** A client and what it sends. */
    function counted() {
      const requests = new RequestLog()
      return { requests, client: fixture.clientOver(requests.wrap(fixture.transport())) }
    }

    it('createOrUpdate creates, updates, and writes nothing when nothing changed', async () => {
      const { client, requests } = counted()
      const key = { namespace: await fixture.namespace(), name: 'settings' }
      const apply = (mode: string) =>
        createOrUpdate(client, ConfigMap, key, (draft) => {
          draft.data = { ...draft.data, mode }
        })
      const created = await apply('slow')
      expect(created).toMatchObject({ operation: 'created', object: { data: { mode: 'slow' } } })
      expect(requests.requests.map(({ method }) => method)).toEqual(['GET', 'POST'])
      requests.clear()
      expect(await apply('slow')).toMatchObject({ operation: 'unchanged', object: { metadata: { uid: created.object.metadata.uid } } })
      expect(requests.requests.map(({ method }) => method)).toEqual(['GET'])
      requests.clear()
      expect(await apply('fast')).toMatchObject({ operation: 'updated', object: { data: { mode: 'fast' } } })
      expect(requests.requests.map(({ method }) => method)).toEqual(['GET', 'PUT'])
    })

    it('createOrUpdate refuses a mutation that renames, and passes on what the mutation throws', async () => {
      const { client } = fixture
      const key = { namespace: await fixture.namespace(), name: 'settings' }
      const renaming = createOrUpdate(client, ConfigMap, key, (draft) => {
        draft.metadata.name = 'other'
      })
      await expect(renaming).rejects.toThrow(TypeError)
      const failure = new Error('no idea')
      await expect(createOrUpdate(client, ConfigMap, key, () => Promise.reject(failure))).rejects.toBe(failure)
      expect(await client.get(ConfigMap, key).catch(ignoreNotFound)).toBeUndefined()
    })

    it('createOrUpdate tells of a change between read and write', async () => {
      const { client } = fixture
      const key = { namespace: await fixture.namespace(), name: 'contended' }
      const creating = createOrUpdate(client, ConfigMap, key, async () => {
        await client.create(ConfigMap, { metadata: key })
      })
      await expect(creating).rejects.toSatisfy(isAlreadyExists)
      const updating = createOrUpdate(client, ConfigMap, key, async (draft) => {
        await client.update(ConfigMap, { metadata: key, data: { by: 'the other' } })
        draft.data = { by: 'me' }
      })
      await expect(updating).rejects.toSatisfy(isConflict)
    })

    it('mergeDesired on a Deployment that the server defaulted makes no second write', async () => {
      const { client, requests } = counted()
      const key = { namespace: await fixture.namespace(), name: 'web' }
      const apply = (replicas: number, image: string) => {
        const desired = deployment(key, image)
        return createOrUpdate(client, Deployment, key, (draft) => mergeDesired(draft, { ...desired, spec: { ...desired.spec, replicas } }))
      }
      const { object } = await apply(2, 'main:1')
      expect(object.spec).toMatchObject({ replicas: 2, progressDeadlineSeconds: 600, template: { spec: { restartPolicy: 'Always' } } })
      requests.clear()
      expect((await apply(2, 'main:1')).operation).toBe('unchanged')
      expect(requests.writes).toEqual([])
      const changed = await apply(3, 'main:2')
      expect(changed).toMatchObject({ operation: 'updated', object: { spec: { replicas: 3 } } })
      expect(changed.object.spec.template.spec?.containers).toMatchObject([
        { name: 'main', image: 'main:2', imagePullPolicy: 'IfNotPresent' },
      ])
      expect((await apply(3, 'main:2')).operation).toBe('unchanged')
    })

    it('finalizers are added and removed once each', async () => {
      const { client, requests } = counted()
      const created = await client.create(Gadget, { metadata: { namespace: await fixture.namespace(), name: 'kept' }, spec: {} })
      requests.clear()
      const held = await addFinalizer(client, Gadget, created, finalizer)
      expect(hasFinalizer(held, finalizer)).toBe(true)
      expect(await addFinalizer(client, Gadget, held, finalizer)).toBe(held)
      await expect(addFinalizer(client, Gadget, created, finalizer)).rejects.toSatisfy(isConflict)
      const free = await removeFinalizer(client, Gadget, held, finalizer)
      expect(hasFinalizer(free, finalizer)).toBe(false)
      expect(await removeFinalizer(client, Gadget, free, finalizer)).toBe(free)
      expect(requests.count('PATCH')).toBe(3)
    })

    it('a controller cleans up behind a finalizer', async () => {
      const { client } = fixture
      const key = { namespace: await fixture.namespace(), name: 'tidy' }
      const outside = new Set<string>()
      fixture.run((manager) =>
        controllerManagedBy(manager)
          .for(Gadget)
          .complete(async (request, context) => {
            if (request.namespace !== key.namespace) return
            const gadget = await context.client.get(Gadget, request).catch(ignoreNotFound)
            if (gadget === undefined) return
            if (isTerminating(gadget)) {
              outside.delete(request.name)
              await removeFinalizer(context.client, Gadget, gadget, finalizer)
              return
            }
            await addFinalizer(context.client, Gadget, gadget, finalizer)
            outside.add(request.name)
          }),
      )
      await client.create(Gadget, { metadata: key, spec: {} })
      await until('what is outside to be made', () => outside.has('tidy'))
      await client.delete(Gadget, key)
      await until('the Gadget to be gone', async () => (await client.get(Gadget, key).catch(ignoreNotFound)) === undefined)
      expect(outside.size).toBe(0)
    })
  })
}

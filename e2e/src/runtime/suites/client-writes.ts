import { isConflict, isInvalid, isNotFound, jsonPatch, mergeFrom, mergePatch, retryOnConflict, structuredCopy } from 'steersman'
import { strategicMergePatch } from 'steersman/api'
import { Deployment } from 'steersman/api/types/apps/v1'
import { ConfigMap, Namespace } from 'steersman/api/types/core/v1'
import { describe, expect, it } from 'vitest'
import { deployment } from '../deployment.js'
import { useFixture } from '../fixture.js'
import { Gadget } from '../gadget.js'
import type { ClusterKind } from '../test-cluster.js'

/** What a client writes, it can read again, for built-in and custom resources alike. */
export function clientWritesSuite(kind: ClusterKind): void {
  describe(`Client writes (${kind.name})`, () => {
    const fixture = useFixture(kind)

    it('creates, reads, replaces and deletes a built-in resource', async () => {
      const { client } = fixture
      const key = { namespace: await fixture.namespace(), name: 'settings' }
      const created = await client.create(ConfigMap, { metadata: key, data: { mode: 'slow' } })
      expect(created).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data: { mode: 'slow' } })
      expect(created.metadata.uid).toMatch(/^[0-9a-f-]{36}$/)

      const read = await client.get(ConfigMap, key)
      expect(read).toEqual(created)
      expect(Object.isFrozen(read.data)).toBe(true)
      const draft = structuredCopy(read)
      draft.data = { ...draft.data, mode: 'fast' }
      const updated = await client.update(ConfigMap, draft)
      expect(updated.metadata.resourceVersion).not.toBe(created.metadata.resourceVersion)
      expect((await client.get(ConfigMap, key)).data).toEqual({ mode: 'fast' })

      const gone = await client.delete(ConfigMap, key)
      expect(gone).toMatchObject({ kind: 'Status', status: 'Success', details: { name: 'settings', uid: created.metadata.uid } })
      await expect(client.get(ConfigMap, key)).rejects.toSatisfy(isNotFound)
    })

    it('creates, reads, replaces and deletes a custom resource, with defaults', async () => {
      const { client } = fixture
      const key = { namespace: await fixture.namespace(), name: 'first' }
      const created = await client.create(Gadget, { metadata: key, spec: { colour: 'red' } })
      expect(created).toMatchObject({ apiVersion: 'e2e.steersman.dev/v1', kind: 'Gadget', spec: { size: 1, colour: 'red' } })
      expect(created.metadata.generation).toBe(1)
      const updated = await client.update(Gadget, { ...created, spec: { ...created.spec, size: 5 } })
      expect(updated.metadata.generation).toBe(2)
      await client.delete(Gadget, key)
      await expect(client.get(Gadget, key)).rejects.toSatisfy(isNotFound)
    })

    it('creates, reads and deletes a cluster-scoped resource', async () => {
      const name = await fixture.namespace()
      const read = await fixture.client.get(Namespace, { name })
      expect(read).toMatchObject({ kind: 'Namespace', metadata: { name }, status: { phase: 'Active' } })
    })

    it('makes a name from generateName', async () => {
      const namespace = await fixture.namespace()
      const created = await fixture.client.create(ConfigMap, { metadata: { namespace, generateName: 'made-' } })
      expect(created.metadata.name).toMatch(/^made-[a-z0-9]{5}$/)
    })

    it('keeps the spec from a writer of status, and the status from a writer of the rest', async () => {
      const { client } = fixture
      const key = { namespace: await fixture.namespace(), name: 'isolated' }
      const created = await client.create(Gadget, { metadata: key, spec: { size: 2 }, status: { phase: 'Forged' } })
      expect(created.status).toBeUndefined()

      const withStatus = await client.status.update(Gadget, {
        ...created,
        metadata: { ...created.metadata, labels: { forged: 'yes' } },
        spec: { size: 99 },
        status: { phase: 'Ready' },
      })
      expect(withStatus).toMatchObject({ spec: { size: 2 }, status: { phase: 'Ready' }, metadata: { generation: 1 } })
      expect(withStatus.metadata.labels).toBeUndefined()

      const withSpec = await client.update(Gadget, { ...withStatus, spec: { size: 3 }, status: { phase: 'Forged' } })
      expect(withSpec).toMatchObject({ spec: { size: 3 }, status: { phase: 'Ready' }, metadata: { generation: 2 } })

      const patched = await client.status.patch(Gadget, key, mergePatch({ spec: { size: 50 }, status: { phase: 'Patched' } }))
      expect(patched).toMatchObject({ spec: { size: 3 }, status: { phase: 'Patched' }, metadata: { generation: 2 } })
      expect(await client.status.get(Gadget, key)).toEqual(patched)
    })

    it('patches by merge patch and JSON patch', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      const key = { namespace, name: 'patched' }
      const created = await client.create(Deployment, deployment(key))

      const merged = await client.patch(Deployment, key, mergePatch({ metadata: { labels: { tier: 'front' } }, spec: { replicas: 3 } }))
      expect(merged).toMatchObject({ metadata: { labels: { tier: 'front' } }, spec: { replicas: 3 } })

      const replaced = await client.patch(
        Deployment,
        key,
        jsonPatch([
          { op: 'test', path: '/spec/replicas', value: 3 },
          { op: 'replace', path: '/spec/replicas', value: 4 },
        ]),
      )
      expect(replaced.spec.replicas).toBe(4)
      const failing = client.patch(Deployment, key, jsonPatch([{ op: 'test', path: '/spec/replicas', value: 3 }]))
      await expect(failing).rejects.toSatisfy(isInvalid)

      const draft = structuredCopy(replaced)
      draft.spec.replicas = 5
      expect((await client.patch(Deployment, key, mergeFrom(replaced, draft))).spec.replicas).toBe(5)
      const stale = client.patch(Deployment, key, mergeFrom(created, draft, { optimisticLock: true }))
      await expect(stale).rejects.toSatisfy(isConflict)
    })

    it('patches by strategic merge patch', async () => {
      const { client } = fixture
      const key = { namespace: await fixture.namespace(), name: 'patched' }
      await client.create(Deployment, deployment(key))
      const patch = { spec: { template: { spec: { containers: [{ name: 'sidecar', image: 'side:1' }] } } } }
      const patched = await client.patch(Deployment, key, strategicMergePatch(patch))
      expect(patched.spec.template.spec?.containers.map(({ name }) => name).sort()).toEqual(['main', 'sidecar'])
    })

    it('refuses an update of a stale version, and succeeds when it reads anew', async () => {
      const { client, cluster } = fixture
      const key = { namespace: await fixture.namespace(), name: 'contended' }
      const stale = await client.create(ConfigMap, { metadata: key })
      await client.update(ConfigMap, { ...stale, data: { from: 'the other' } })
      await expect(client.update(ConfigMap, { ...stale, data: { from: 'me' } })).rejects.toSatisfy(isConflict)

      let attempts = 0
      await retryOnConflict(cluster.environment, async () => {
        attempts += 1
        const read = attempts === 1 ? stale : await client.get(ConfigMap, key)
        await client.update(ConfigMap, { ...read, data: { ...read.data, by: 'me' } })
      })
      expect(attempts).toBe(2)
      expect((await client.get(ConfigMap, key)).data).toEqual({ from: 'the other', by: 'me' })
    })

    it('deletes a collection by selector and leaves the rest', async () => {
      const { client } = fixture
      const namespace = await fixture.namespace()
      for (const [name, tier] of [
        ['a', 'front'],
        ['b', 'front'],
        ['c', 'back'],
      ] as const) {
        await client.create(Gadget, { metadata: { namespace, name, labels: { tier } }, spec: {} })
      }
      await client.deleteCollection(Gadget, { namespace, labelSelector: 'tier=front' })
      expect((await client.list(Gadget, { namespace })).items.map(({ metadata }) => metadata.name)).toEqual(['c'])
    })

    it('deletes only what the preconditions say', async () => {
      const { client } = fixture
      const key = { namespace: await fixture.namespace(), name: 'guarded' }
      const { metadata } = await client.create(ConfigMap, { metadata: key })
      const wrong = client.delete(ConfigMap, key, { preconditions: { uid: '00000000-0000-4000-8000-000000000000' } })
      await expect(wrong).rejects.toSatisfy(isConflict)
      await client.delete(ConfigMap, key, { preconditions: { uid: metadata.uid, resourceVersion: metadata.resourceVersion } })
      await expect(client.get(ConfigMap, key)).rejects.toSatisfy(isNotFound)
    })

    it('keeps an object with a finalizer, terminating, until the finalizer goes', async () => {
      const { client } = fixture
      const key = { namespace: await fixture.namespace(), name: 'held' }
      await client.create(Gadget, { metadata: { ...key, finalizers: ['e2e.steersman.dev/held'] }, spec: {} })
      const terminating = await client.delete(Gadget, key)
      expect(terminating).toMatchObject({ kind: 'Gadget', metadata: { deletionTimestamp: expect.any(String) } })
      await client.patch(Gadget, key, mergePatch({ metadata: { finalizers: null } }))
      await expect(client.get(Gadget, key)).rejects.toSatisfy(isNotFound)
    })

    it('writes nothing in a dry run', async () => {
      const { client } = fixture
      const key = { namespace: await fixture.namespace(), name: 'imagined' }
      const answer = await client.create(ConfigMap, { metadata: key }, { dryRun: true })
      expect(answer.metadata.name).toBe('imagined')
      await expect(client.get(ConfigMap, key)).rejects.toSatisfy(isNotFound)
    })

    it('reads and writes a Scale', async () => {
      const { client } = fixture
      const key = { namespace: await fixture.namespace(), name: 'scaled' }
      await client.create(Deployment, deployment(key))
      const scale = await client.subresource('scale').get(Deployment, key)
      expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 1 } })
      await client.subresource('scale').patch(Deployment, key, mergePatch({ spec: { replicas: 7 } }))
      expect((await client.get(Deployment, key)).spec.replicas).toBe(7)
    })
  })
}

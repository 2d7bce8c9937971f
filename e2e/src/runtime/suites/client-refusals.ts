import {
  createClient,
  ignoreAlreadyExists,
  ignoreNotFound,
  isAlreadyExists,
  isBadRequest,
  isForbidden,
  isInvalid,
  isNotFound,
  isUnauthorized,
  StatusError,
} from 'steersman'
import { ConfigMap, Secret } from 'steersman/api/types/core/v1'
import { createTransport } from 'steersman/client'
import { describe, expect, it } from 'vitest'
import { CapturedLogger } from '../captured-logger.js'
import { useFixture } from '../fixture.js'
import { Gadget } from '../gadget.js'
import { type ClusterKind, stranger, withoutCredentials } from '../test-cluster.js'

/** What the server refuses arrives as it was said, and can be asked about. */
export function clientRefusalsSuite(kind: ClusterKind): void {
  describe(`Client refusals (${kind.name})`, () => {
    const fixture = useFixture(kind)

    it('tells NotFound and AlreadyExists, and lets them be ignored', async () => {
      const { client } = fixture
      const key = { namespace: await fixture.namespace(), name: 'one' }
      const error = await client.get(ConfigMap, key).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(StatusError)
      expect(error).toMatchObject({ message: 'configmaps "one" not found', status: { code: 404, reason: 'NotFound' } })
      expect(isNotFound(error)).toBe(true)
      expect(isNotFound(new Error('cannot read', { cause: error }))).toBe(true)
      expect(await client.get(ConfigMap, key).catch(ignoreNotFound)).toBeUndefined()

      await client.create(ConfigMap, { metadata: key })
      await expect(client.create(ConfigMap, { metadata: key })).rejects.toSatisfy(isAlreadyExists)
      expect(await client.create(ConfigMap, { metadata: key }).catch(ignoreAlreadyExists)).toBeUndefined()
    })

    it('tells Invalid with the field', async () => {
      const namespace = await fixture.namespace()
      const creating = fixture.client.create(Gadget, { metadata: { namespace, name: 'huge' }, spec: { size: 101 } })
      const error = await creating.catch((caught: unknown) => caught)
      expect(isInvalid(error)).toBe(true)
      expect((error as StatusError).status.details?.causes).toMatchObject([{ field: 'spec.size', reason: 'FieldValueInvalid' }])
      const badName = fixture.client.create(ConfigMap, { metadata: { namespace, name: 'Not_A_Name' } })
      await expect(badName).rejects.toSatisfy(isInvalid)
    })

    it('tells Invalid for a field that may not change', async () => {
      const { client } = fixture
      const key = { namespace: await fixture.namespace(), name: 'sealed' }
      const sealed = await client.create(Secret, { metadata: key, immutable: true, stringData: { password: 'first' } })
      const changed = client.update(Secret, { ...sealed, data: { password: 'c2Vjb25k' } })
      await expect(changed).rejects.toSatisfy(isInvalid)
    })

    it('tells BadRequest for an unknown field when that is asked for', async () => {
      const namespace = await fixture.namespace()
      const object = { metadata: { namespace, name: 'misspelt' }, spec: { size: 1, color: 'red' } }
      const strict = fixture.client.create(Gadget, object, { fieldValidation: 'Strict' })
      await expect(strict).rejects.toSatisfy(isBadRequest)
      await expect(strict).rejects.toThrow('unknown field "spec.color"')
    })

    it('logs a warning of the server once', async () => {
      const logger = new CapturedLogger()
      const client = createClient({ environment: fixture.cluster.environment, transport: fixture.transport(), logger })
      const namespace = await fixture.namespace()
      for (const name of ['first', 'second']) {
        const object = { metadata: { namespace, name }, spec: { size: 1, color: 'red' } }
        const created = await client.create(Gadget, object, { fieldValidation: 'Warn' })
        expect(created.spec).toEqual({ size: 1 })
      }
      const warnings = logger.of('API server warning')
      expect(warnings).toMatchObject([{ level: 'warn', facts: { warning: 'unknown field "spec.color"' } }])
    })

    it('tells Forbidden to who may not', async () => {
      const client = fixture.clientOver(fixture.transport(stranger))
      const error = await client.list(Secret, { namespace: 'default' }).catch((caught: unknown) => caught)
      expect(isForbidden(error)).toBe(true)
      expect(String(error)).toContain('User "stranger" cannot list resource "secrets" in API group "" in the namespace "default"')
    })

    it.runIf(kind.isServed)('tells Unauthorized to wrong credentials', async () => {
      const { clientConfig, environment } = fixture.cluster
      if (clientConfig === undefined) throw new Error('A served cluster has a configuration')
      const transport = createTransport(environment, { ...withoutCredentials(clientConfig), token: 'no-such-token' })
      try {
        const client = fixture.clientOver(transport)
        await expect(client.list(ConfigMap)).rejects.toSatisfy(isUnauthorized)
      } finally {
        await transport.close()
      }
    })

    it('refuses a call without a name or namespace before it asks the server', async () => {
      const { client } = fixture
      await expect(client.get(ConfigMap, { namespace: 'default', name: '' })).rejects.toThrow(TypeError)
      await expect(client.get(ConfigMap, { name: 'x' })).rejects.toThrow('the namespace is missing or empty, and the kind is namespaced')
    })

    it('refuses a body of more than 3 MiB', async () => {
      const namespace = await fixture.namespace()
      const creating = fixture.client.create(ConfigMap, {
        metadata: { namespace, name: 'big' },
        data: { x: 'x'.repeat(3.2 * 1024 * 1024) },
      })
      await expect(creating).rejects.toMatchObject({ status: { code: 413 } })
    })

    it('rethrows the reason of an abort untouched', async () => {
      const reason = { why: 'changed my mind' }
      const signal = AbortSignal.abort(reason)
      await expect(fixture.client.list(ConfigMap, { signal })).rejects.toBe(reason)
    })
  })
}

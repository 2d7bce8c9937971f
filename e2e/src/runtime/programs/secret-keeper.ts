/** A program that handles Secrets and fails in every way that could show one in its log. */
import { controllerManagedBy, Manager, setupSignalHandler } from 'steersman'
import { Secret } from 'steersman/api/types/core/v1'

const manager = new Manager()
controllerManagedBy(manager)
  .for(Secret, { informer: { namespace: process.env.WATCHED_NAMESPACE ?? 'default' } })
  .watches(Secret, ({ object }) => {
    throw new Error(`cannot handle ${object.metadata.name}`)
  })
  .complete(async (request, { client, log }) => {
    const secret = await client.get(Secret, request)
    log.info('Keeping a secret', { keys: Object.keys(secret.data ?? {}) })
    // Immutable: the server refuses, with a message about the field.
    await client.update(Secret, { ...secret, data: { ...secret.data, password: Buffer.from('changed-password').toString('base64') } })
  })
await manager.start(setupSignalHandler())

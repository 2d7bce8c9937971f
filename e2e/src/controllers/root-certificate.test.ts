import { startControlPlane } from '@steersman/apiserver'
import { createClient, isNotFound, systemEnvironment } from 'steersman'
import { ConfigMap, Namespace } from 'steersman/api/types/core/v1'
import { createTransport, retryOnError } from 'steersman/client'
import { expect, test } from 'vitest'

test('A control plane that listens publishes its authority in every namespace, and clients can trust it by that', async () => {
  const controlPlane = await startControlPlane({ port: 0 })
  const config = controlPlane.clientConfig
  if (config === undefined) throw new Error('the control plane does not listen')
  const transport = createTransport(systemEnvironment, config)
  try {
    const client = createClient({ environment: systemEnvironment, transport })
    await client.create(Namespace, { metadata: { name: 'team' } })
    const read = () => client.get(ConfigMap, { namespace: 'team', name: 'kube-root-ca.crt' })
    const published = await retryOnError(systemEnvironment, isNotFound, read, { steps: 100, initialMs: 50 })
    expect(published.data).toEqual({ 'ca.crt': (config.tls?.certificateAuthority as { data: string } | undefined)?.data })
  } finally {
    await transport.close()
    await controlPlane.stop()
  }
})

import { addBuiltinControllers } from '@steersman/apiserver/controllers'
import { addScheduler, addSimulatedNodes } from '@steersman/apiserver/nodes'
import { createClient, discardLogger, Manager } from 'steersman'
import { Deployment, ReplicaSet } from 'steersman/api/types/apps/v1'
import { ConfigMap, Namespace, Pod, ServiceAccount } from 'steersman/api/types/core/v1'
import { expect, test } from 'vitest'
import type { ClusterKind } from '../runtime/test-cluster.js'
import { deployment } from './deployments.js'

/**
 * The built-in controllers and nodes as clients of an API server over HTTPS, in real time. On a real kube-apiserver that nobody else's controllers
 * work on, they must do the same as on ours.
 */
export function controllersInRealTime(kind: ClusterKind): void {
  test(`Controllers and nodes do their work on ${kind.name}`, async () => {
    const cluster = await kind.start()
    const stop = new AbortController()
    const { environment } = cluster
    const managers = [0, 1].map(() => new Manager({ environment, transport: cluster.transport(), logger: discardLogger }))
    addBuiltinControllers(managers[0]!)
    addScheduler(managers[1]!)
    addSimulatedNodes(managers[1]!, { count: 2, namePrefix: 'controllers-e2e-' })
    const running = managers.map((manager) => manager.start(stop.signal))
    const client = createClient({ environment, transport: cluster.transport() })
    const until = async (what: string, check: () => Promise<boolean>): Promise<void> => {
      const deadlineMs = environment.monotonicMs() + 30_000
      while (!(await check())) {
        if (environment.monotonicMs() > deadlineMs) throw new Error(`Not within 30 s: ${what}`)
        await environment.sleep(20)
      }
    }
    const exists = (read: Promise<unknown>): Promise<boolean> =>
      read.then(
        () => true,
        () => false,
      )
    const namespace = `controllers-${environment.uuid().slice(0, 8)}`
    const available = async (replicas: number, image: string): Promise<boolean> => {
      const { status, spec } = await client.get(Deployment, { namespace, name: 'web' })
      const isDone = status?.conditions?.some(({ reason }) => reason === 'NewReplicaSetAvailable') === true
      return (
        isDone &&
        status?.availableReplicas === replicas &&
        status.updatedReplicas === replicas &&
        spec?.template?.spec?.containers[0]?.image === image
      )
    }
    try {
      await client.create(Namespace, { metadata: { name: namespace } })
      await until('the default account', () => exists(client.get(ServiceAccount, { namespace, name: 'default' })))
      const web = deployment('web', { replicas: 3 })
      await client.create(Deployment, { ...web, metadata: { ...web.metadata, namespace } })
      await until('web is available', () => available(3, 'nginx:1'))
      await client.patch(
        Deployment,
        { namespace, name: 'web' },
        {
          type: 'application/json-patch+json',
          body: [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'nginx:2' }],
        },
      )
      await until('the new image is rolled out', () => available(3, 'nginx:2'))
      await until('two ReplicaSets', async () => (await client.list(ReplicaSet, { namespace })).items.length === 2)
      await client.delete(Deployment, { namespace, name: 'web' }, { propagationPolicy: 'Foreground' })
      await until('everything of web is gone', async () => {
        const left = await Promise.all([
          client.list(Deployment, { namespace }),
          client.list(ReplicaSet, { namespace }),
          client.list(Pod, { namespace }),
        ])
        return left.every(({ items }) => items.length === 0)
      })
      await client.create(ConfigMap, { metadata: { name: 'c', namespace } })
      await client.delete(Namespace, { name: namespace })
      await until('the namespace is gone', async () => !(await exists(client.get(Namespace, { name: namespace }))))
    } finally {
      stop.abort(new DOMException('The test is over', 'AbortError'))
      await Promise.all(running)
      await cluster.stop()
    }
    expect(stop.signal.aborted).toBe(true)
  })
}

import {
  configMaps,
  customResource,
  defineArea,
  deployments,
  type JsonObject,
  named,
  namespaces,
  nodes,
  podSpec,
  pods,
  type Resource,
  replicaSets,
  type ScenarioBuilder,
  services,
  versionOf,
  workloadSpec,
} from '../language/index.js'

const status = { subresource: 'status' } as const
const scale = { subresource: 'scale' } as const
const scaleOf = (replicas: number, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'a', namespace: '{{namespace}}', ...metadata },
  spec: { replicas },
})

function defineScalable(s: ScenarioBuilder, more: JsonObject = {}): Resource {
  const widgets = customResource('Widget')
  const integers = { type: 'object', properties: { replicas: { type: 'integer' }, selector: { type: 'string' }, note: { type: 'string' } } }
  const scaling = {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.selector',
    ...more,
  }
  s.define(widgets, [versionOf({ spec: integers, status: integers }, { subresources: { status: {}, scale: scaling } })])
  return widgets
}

/** status and scale, and the subresources of pods that are no streams. */
export const subresources = defineArea('subresources', (scenario) => {
  scenario('status of a pod', (s) => {
    s.create(pods, { ...named('a'), spec: podSpec(), status: { phase: 'Running' } })
    s.get(pods, 'a', status)
    s.patch(pods, 'a', 'merge', { status: { phase: 'Running', podIP: '10.1.2.3' }, spec: { nodeName: 'ignored' } }, status)
    s.patch(pods, 'a', 'merge', { status: { phase: 'Failed' } })
    s.patch(pods, 'a', 'strategic', { status: { conditions: [{ type: 'Ready', status: 'True' }] } }, status)
    s.patch(
      pods,
      'a',
      'strategic',
      {
        status: {
          conditions: [
            { type: 'ContainersReady', status: 'True' },
            { type: 'Ready', status: 'False' },
          ],
        },
      },
      status,
    )
  })

  scenario('status of a pod that is wrong', (s) => {
    s.create(pods, { ...named('a'), spec: podSpec() }, { isQuiet: true })
    s.patch(pods, 'a', 'merge', { status: { phase: 'Dancing' } }, status)
    s.patch(pods, 'a', 'merge', { status: { podIP: 'nowhere', podIPs: [{ ip: 'nowhere' }] } }, status)
    s.patch(pods, 'a', 'merge', { status: { qosClass: 'Guaranteed' } }, status)
    s.patch(pods, 'a', 'merge', { status: { nominatedNodeName: 'No Name' } }, status)
  })

  scenario('status of a deployment', (s) => {
    s.create(deployments, { ...named('a'), spec: workloadSpec(), status: { replicas: 7 } })
    s.patch(deployments, 'a', 'merge', { status: { replicas: 1, readyReplicas: 1, observedGeneration: 1 } }, status)
    s.update(
      deployments,
      { ...named('a', { labels: { more: 'yes' } }), spec: workloadSpec({ replicas: 9 }), status: { replicas: 2 } },
      status,
    )
    s.patch(deployments, 'a', 'merge', { status: { replicas: -1 } }, status)
    s.patch(deployments, 'a', 'merge', { status: { replicas: 1, readyReplicas: 2, availableReplicas: 3 } }, status)
    s.get(deployments, 'a')
  })

  scenario('status of a replica set', (s) => {
    s.create(replicaSets, { ...named('a'), spec: workloadSpec() })
    s.patch(replicaSets, 'a', 'merge', { status: { replicas: 1, readyReplicas: 1, availableReplicas: 1, fullyLabeledReplicas: 1 } }, status)
    s.patch(replicaSets, 'a', 'merge', { status: { replicas: 0, readyReplicas: 1 } }, status)
  })

  scenario('status of a node', (s) => {
    const node = s.unique('node')
    s.create(nodes, named(node))
    s.patch(
      nodes,
      node,
      'strategic',
      { status: { conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }], capacity: { cpu: '4', memory: '8Gi' } } },
      status,
    )
    s.patch(nodes, node, 'merge', { status: { capacity: { cpu: 'much' } } }, status)
    s.patch(
      nodes,
      node,
      'merge',
      { status: { addresses: [{ type: 'InternalIP', address: '10.1.2.3' }] }, spec: { unschedulable: true } },
      status,
    )
  })

  scenario('status of a namespace', (s) => {
    s.get(namespaces, s.namespace, status)
    s.patch(namespaces, s.namespace, 'merge', { status: { conditions: [{ type: 'Strange', status: 'True' }] } }, status)
    s.patch(namespaces, s.namespace, 'merge', { status: { phase: 'Terminating' } }, status)
  })

  scenario('status of a service', (s) => {
    s.create(services, { ...named('a'), spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } })
    s.patch(services, 'a', 'merge', { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } }, status)
    s.patch(services, 'a', 'merge', { status: { loadBalancer: { ingress: [{ ip: 'nowhere' }] } } }, status)
  })

  scenario('status where there is none', (s) => {
    s.create(configMaps, named('a'), { isQuiet: true })
    s.get(configMaps, 'a', status)
    s.patch(configMaps, 'a', 'merge', {}, status)
  })

  scenario('status of a missing object', (s) => {
    s.get(pods, 'absent', status)
    s.patch(pods, 'absent', 'merge', { status: {} }, status)
    s.update(deployments, { ...named('absent'), spec: workloadSpec() }, status)
  })

  scenario('status of a stale object', (s) => {
    const created = s.create(deployments, { ...named('a'), spec: workloadSpec() })
    s.patch(deployments, 'a', 'merge', { metadata: { labels: { a: 'b' } } })
    s.update(
      deployments,
      { ...named('a', { resourceVersion: created.at('metadata.resourceVersion') }), spec: workloadSpec(), status: { replicas: 1 } },
      status,
    )
  })

  scenario('status of a custom resource', (s) => {
    const widgets = defineScalable(s)
    s.create(widgets, { ...named('a'), spec: { replicas: 1, note: 'x' }, status: { replicas: 5 } })
    s.patch(widgets, 'a', 'merge', { status: { replicas: 1 }, spec: { replicas: 9 }, metadata: { labels: { a: 'b' } } }, status)
    s.patch(widgets, 'a', 'merge', { status: { replicas: 7 }, spec: { note: 'y' } })
    s.patch(widgets, 'a', 'merge', { status: { replicas: 'many' } }, status)
    const read = s.get(widgets, 'a', status)
    s.update(widgets, { ...named('a', { resourceVersion: read.at('metadata.resourceVersion') }), status: { note: 'only' } }, status)
    s.update(widgets, { ...named('a'), status: { note: 'unguarded' } }, status)
  })

  scenario('status of a custom resource that has no such subresource', (s) => {
    const widgets = customResource('Widget')
    s.define(widgets, [versionOf({ spec: { type: 'object' }, status: { type: 'object', properties: { done: { type: 'boolean' } } } })])
    s.create(widgets, { ...named('a'), status: { done: true } })
    s.patch(widgets, 'a', 'merge', { status: { done: false } })
    s.get(widgets, 'a', status)
    s.get(widgets, 'a', scale)
  })

  scenario('scale of a deployment', (s) => {
    s.create(deployments, { ...named('a'), spec: workloadSpec() })
    s.get(deployments, 'a', scale)
    s.request('PUT', s.path(deployments, 'a', scale), scaleOf(3))
    s.patch(deployments, 'a', 'merge', { spec: { replicas: 5 } }, scale)
    s.patch(deployments, 'a', 'json', [{ op: 'replace', path: '/spec/replicas', value: 0 }], scale)
    s.patch(deployments, 'a', 'strategic', { spec: { replicas: 2 } }, scale)
    s.get(deployments, 'a')
  })

  scenario('scale of a replica set', (s) => {
    s.create(replicaSets, {
      ...named('a'),
      spec: workloadSpec({ selector: { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] } }),
    })
    s.get(replicaSets, 'a', scale)
    s.patch(replicaSets, 'a', 'merge', { spec: { replicas: 4 } }, scale)
  })

  scenario('scale that is wrong', (s) => {
    s.create(deployments, { ...named('a'), spec: workloadSpec() }, { isQuiet: true })
    s.patch(deployments, 'a', 'merge', { spec: { replicas: -1 } }, scale)
    s.patch(deployments, 'a', 'merge', { spec: { replicas: 'many' } }, scale)
    s.request('PUT', s.path(deployments, 'a', scale), { apiVersion: 'apps/v1', kind: 'Deployment', ...named('a') })
    s.request('PUT', s.path(deployments, 'a', scale), scaleOf(3, { resourceVersion: '1' }))
    s.request('PUT', s.path(deployments, 'a', scale), scaleOf(3, { name: 'b' }))
    s.patch(deployments, 'absent', 'merge', { spec: { replicas: 1 } }, scale)
    s.get(deployments, 'absent', scale)
  })

  scenario('scale of a custom resource', (s) => {
    const widgets = defineScalable(s)
    s.create(widgets, { ...named('a'), spec: { replicas: 1 } })
    s.patch(widgets, 'a', 'merge', { status: { replicas: 1, selector: 'app=web' } }, status)
    s.get(widgets, 'a', scale)
    s.patch(widgets, 'a', 'merge', { spec: { replicas: 3 } }, scale)
    s.request('PUT', s.path(widgets, 'a', scale), scaleOf(4))
    s.get(widgets, 'a')
    s.patch(widgets, 'a', 'merge', { spec: { replicas: -3 } }, scale)
  })

  scenario('scale of a custom resource without replicas', (s) => {
    const widgets = defineScalable(s)
    s.create(widgets, { ...named('a'), spec: {} })
    s.get(widgets, 'a', scale)
    s.patch(widgets, 'a', 'merge', { spec: { replicas: 2 } }, scale)
  })

  scenario('scale of a missing custom resource', (s) => {
    const widgets = defineScalable(s)
    s.get(widgets, 'absent', scale)
    s.patch(widgets, 'absent', 'merge', { spec: { replicas: 2 } }, scale)
  })

  scenario('binding of a pod', (s) => {
    const binding = (name: string, target: string): JsonObject => ({
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name },
      target: { kind: 'Node', name: target },
    })
    const bind = (name: string, body: JsonObject) => s.request('POST', s.path(pods, name, { subresource: 'binding' }), body)
    s.create(pods, { ...named('a'), spec: podSpec() })
    bind('a', binding('a', 'one'))
    s.get(pods, 'a')
    bind('a', binding('a', 'two'))
    bind('absent', binding('absent', 'one'))
    bind('a', { ...binding('a', ''), target: { kind: 'Pod', name: '' } })
  })

  scenario('eviction of a pod', (s) => {
    s.create(pods, { ...named('a'), spec: podSpec() })
    s.request('POST', s.path(pods, 'a', { subresource: 'eviction' }), { apiVersion: 'policy/v1', kind: 'Eviction', ...named('a') })
    s.get(pods, 'a')
    s.request('POST', s.path(pods, 'a', { subresource: 'eviction' }), { apiVersion: 'policy/v1', kind: 'Eviction', ...named('a') })
  })

  scenario('finalize of a namespace', (s) => {
    const name = s.unique('done')
    s.create(namespaces, named(name), { isQuiet: true })
    s.delete(namespaces, name)
    s.request('PUT', `/api/v1/namespaces/${name}/finalize`, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
      spec: { finalizers: [] },
    })
    s.get(namespaces, name)
  })

  scenario('ephemeral containers of a pod', (s) => {
    s.create(pods, { ...named('a'), spec: podSpec({ ephemeralContainers: [{ name: 'debug', image: 'busybox:1.36' }] }) })
    s.create(pods, { ...named('a'), spec: podSpec() }, { isQuiet: true })
    s.patch(pods, 'a', 'strategic', { spec: { ephemeralContainers: [{ name: 'debug', image: 'busybox:1.36' }] } })
  })
})

// Writes requests.json: the requests whose answers by a real API server the registry is held against. Run: node make-requests.mjs
import { writeFileSync } from 'node:fs'

const ns = '/api/v1/namespaces/golden'
const apps = '/apis/apps/v1/namespaces/golden'
const steps = []
const step = (method, path, body, type) => steps.push({ method, path, ...(body === undefined ? {} : { body }), ...(type === undefined ? {} : { type }) })
const post = (path, body) => step('POST', path, body)
const put = (path, body) => step('PUT', path, body)
const patch = (path, body) => step('PATCH', path, body, 'application/merge-patch+json')
const get = (path) => step('GET', path)
const del = (path, body) => step('DELETE', path, body)

post('/api/v1/namespaces', { metadata: { name: 'golden' } })
post(`${ns}/serviceaccounts`, { metadata: { name: 'default' }, automountServiceAccountToken: false })

// Metadata.
const maps = `${ns}/configmaps`
post(maps, {})
post(maps, { metadata: { name: 'A_' } })
post(maps, { metadata: { name: 'a', generateName: 'G_' } })
post(maps, { metadata: { name: 'x', labels: { 'a b': 'c d' }, annotations: { 'x y': 'z' }, finalizers: ['f o', 'bare', 'example.com/ok'] } })
post(maps, { metadata: { name: 'x', ownerReferences: [{ apiVersion: 'a/b/c' }, { apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u' }] } })
post(maps, {
  metadata: {
    name: 'x',
    ownerReferences: [
      { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: '1', controller: true },
      { apiVersion: 'v1', kind: 'Pod', name: 'b', uid: '2', controller: true },
    ],
  },
})
post(maps, { metadata: { name: 'x', finalizers: ['orphan', 'foregroundDeletion'] } })
post(maps, { metadata: { name: 'x', resourceVersion: '7' } })
post(maps, { metadata: { name: 'x', namespace: 'other' } })
post(maps, { metadata: { name: 'm1', generation: 7, uid: 'x', selfLink: 'z', labels: {}, creationTimestamp: '2020-01-01T00:00:00Z' }, data: { a: '1' } })
post(maps, { metadata: { name: 'm1' } })
put(`${maps}/m1`, { metadata: { name: 'm2' } })
put(`${maps}/m1`, { metadata: { name: 'm1', uid: 'other' } })
put(`${maps}/m1`, { metadata: { name: 'm1', resourceVersion: '1' }, data: { a: '2' } })
put(`${maps}/m1`, { metadata: { name: 'm1' }, data: { a: '2' } })
put(`${maps}/none`, { metadata: { name: 'none' } })
patch(`${maps}/m1`, { metadata: { finalizers: ['example.com/a'] } })
patch(`${maps}/m1`, { metadata: { finalizers: ['bare'] } })
del(`${maps}/m1`, { preconditions: { resourceVersion: '1' } })
del(`${maps}/m1`, { propagationPolicy: 'Nonsense' })
del(`${maps}/m1`, { propagationPolicy: 'Orphan', orphanDependents: true })
del(`${maps}/m1`)
del(`${maps}/m1`)
patch(`${maps}/m1`, { metadata: { finalizers: ['example.com/a', 'example.com/b', 'example.com/c'] } })
patch(`${maps}/m1`, { data: { b: '3' } })
patch(`${maps}/m1`, { metadata: { finalizers: null } })
get(`${maps}/m1`)
post(maps, { metadata: { name: 'm3' } })
del(`${maps}/m3`, { propagationPolicy: 'Foreground' })
patch(`${maps}/m3`, { metadata: { finalizers: null } })
post(maps, { metadata: { name: 'm4' } })
del(`${maps}/m4`, { propagationPolicy: 'Orphan' })
del(`${maps}/m4`, { propagationPolicy: 'Background' })
del(`${maps}/m4`)

// Config maps and secrets.
post(maps, { metadata: { name: 'c' }, data: { 'a b': '1', '..': '2', both: 'x' }, binaryData: { both: 'YQ==', '...': 'YQ==' } })
post(maps, { metadata: { name: 'c' }, immutable: true, data: { a: '1' } })
patch(`${maps}/c`, { data: { a: '2' } })
patch(`${maps}/c`, { immutable: false })
patch(`${maps}/c`, { metadata: { labels: { a: 'b' } } })
const secrets = `${ns}/secrets`
post(secrets, { metadata: { name: 's' }, stringData: { a: 'b' }, data: { a: 'eA==', c: 'ZA==' } })
patch(`${secrets}/s`, { type: 'other' })
patch(`${secrets}/s`, { stringData: { e: 'f' } })
put(`${secrets}/s`, { metadata: { name: 's' } })
for (const type of ['kubernetes.io/tls', 'kubernetes.io/basic-auth', 'kubernetes.io/ssh-auth', 'kubernetes.io/dockerconfigjson', 'kubernetes.io/service-account-token']) {
  post(secrets, { metadata: { name: 't' }, type })
}
post(secrets, { metadata: { name: 't' }, data: { 'a/b': 'YQ==' } })

// Services.
const services = `${ns}/services`
post(services, { metadata: { name: 'svc' }, spec: { ports: [{ port: 80 }], selector: { a: 'b' } } })
post(services, { metadata: { name: 'headless' }, spec: { clusterIP: 'None', selector: { a: 'b' } } })
post(services, { metadata: { name: 'selectorless' }, spec: { clusterIP: 'None', ports: [{ port: 80 }] } })
post(services, { metadata: { name: 'external' }, spec: { type: 'ExternalName', externalName: 'a.b' } })
post(services, { metadata: { name: 'bad' }, spec: { type: 'ExternalName' } })
post(services, { metadata: { name: 'node' }, spec: { type: 'NodePort', ports: [{ port: 80 }] } })
post(services, { metadata: { name: 'lb' }, spec: { type: 'LoadBalancer', ports: [{ port: 80, name: 'http', targetPort: 'web' }], sessionAffinity: 'ClientIP' } })
post(services, { metadata: { name: 'local' }, spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }] } })
post(services, { metadata: { name: 'bad' }, spec: {} })
post(services, { metadata: { name: 'bad' }, spec: { type: 'Foo', sessionAffinity: 'Bar', ports: [{ port: 80 }, { port: 80 }] } })
post(services, {
  metadata: { name: 'bad' },
  spec: { ports: [{ port: 80, name: 'a' }, { port: 80, name: 'a' }, { port: 0, name: 'A', protocol: 'X', targetPort: 'a_b' }] },
})
post(services, { metadata: { name: 'bad' }, spec: { clusterIP: '10.0.0.1', ports: [{ port: 80 }] } })
post(services, { metadata: { name: 'bad' }, spec: { clusterIP: '11.0.0.1', ports: [{ port: 80 }] } })
post(services, { metadata: { name: 'bad' }, spec: { clusterIP: 'foo', ports: [{ port: 80 }] } })
post(services, { metadata: { name: 'bad' }, spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 20 }] } })
post(services, { metadata: { name: 'bad' }, spec: { type: 'ClusterIP', ports: [{ port: 80, nodePort: 30000 }] } })
post(services, { metadata: { name: '1x.a' }, spec: { ports: [{ port: 80 }] } })
patch(`${services}/svc`, { spec: { clusterIP: '10.0.0.77' } })
patch(`${services}/svc`, { spec: { type: 'NodePort' } })
patch(`${services}/svc`, { spec: { type: 'ClusterIP' } })
put(`${services}/svc`, { metadata: { name: 'svc' }, spec: { ports: [{ port: 81 }] } })
put(`${services}/put`, { metadata: { name: 'put' }, spec: { ports: [{ port: 81 }] } })
patch(`${services}/svc/status`, { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } })
del(`${services}/svc`)

// Nodes, leases, events, service accounts, namespaces.
post('/api/v1/nodes', { metadata: { name: 'golden-node' }, status: { capacity: { cpu: '4' } } })
patch('/api/v1/nodes/golden-node', { spec: { unschedulable: true }, status: { phase: 'ignored' } })
patch('/api/v1/nodes/golden-node/status', { spec: { unschedulable: false }, status: { conditions: [{ type: 'Ready', status: 'True' }] } })
patch('/api/v1/nodes/golden-node', { spec: { taints: [{ key: 'a b', value: 'c d', effect: 'Foo' }, { key: 'a' }] } })
del('/api/v1/nodes/golden-node')
const leases = '/apis/coordination.k8s.io/v1/namespaces/golden/leases'
post(leases, { metadata: { name: 'l' } })
put(`${leases}/l`, { metadata: { name: 'l' }, spec: { holderIdentity: 'x' } })
put(`${leases}/created`, { metadata: { name: 'created' }, spec: { holderIdentity: 'x' } })
post(leases, { metadata: { name: 'bad' }, spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } })
patch(`${leases}/l`, { spec: { renewTime: '2024-01-01T00:00:00.100000Z' } })
const events = `${ns}/events`
post(events, { metadata: { name: 'e' }, involvedObject: { kind: 'Pod', namespace: 'golden', name: 'p' }, reason: 'r', message: 'm', type: 'Normal' })
post(events, { metadata: { name: 'bad' }, involvedObject: { kind: 'Pod', namespace: 'other', name: 'p' } })
get('/apis/events.k8s.io/v1/namespaces/golden/events/e')
post('/apis/events.k8s.io/v1/namespaces/golden/events', { metadata: { name: 'g' }, regarding: { namespace: 'golden' }, note: 'n' })
post('/apis/events.k8s.io/v1/namespaces/golden/events', {
  metadata: { name: 'g' },
  eventTime: '2024-01-01T00:00:00.000000Z',
  regarding: { kind: 'Pod', namespace: 'golden', name: 'p' },
  note: 'n',
  reason: 'r',
  action: 'a',
  type: 'Normal',
  reportingController: 'example.com/c',
  reportingInstance: 'i',
})
get(`${events}/g`)
post(`${ns}/serviceaccounts`, { metadata: { name: 'sa' } })
del(`${ns}/serviceaccounts/sa`)
post('/api/v1/namespaces', { metadata: { name: 'a.b' } })
post('/api/v1/namespaces', { metadata: { name: 'golden-2' }, spec: { finalizers: ['bare'] } })
post('/api/v1/namespaces', { metadata: { name: 'golden-2', labels: { x: 'y' } }, status: { phase: 'Nonsense' } })
patch('/api/v1/namespaces/golden-2', { spec: { finalizers: null }, metadata: { labels: null } })
del('/api/v1/namespaces/golden-2')
del('/api/v1/namespaces/golden-2')
put('/api/v1/namespaces/golden-2/finalize', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'golden-2' }, spec: {} })
get('/api/v1/namespaces/golden-2')

// Pods.
const pods = `${ns}/pods`
const container = { name: 'c', image: 'nginx' }
post(pods, { metadata: { name: 'bad' } })
post(pods, { metadata: { name: 'bad' }, spec: {} })
post(pods, { metadata: { name: 'bad' }, spec: { containers: [{}] } })
post(pods, { metadata: { name: 'bad' }, spec: { containers: [container, { name: 'c', image: 'x:1' }, { name: 'C_', image: 'x' }] } })
post(pods, {
  metadata: { name: 'bad' },
  spec: {
    restartPolicy: 'Foo',
    dnsPolicy: 'Bar',
    activeDeadlineSeconds: 0,
    hostname: 'A',
    nodeSelector: { 'a b': 'c' },
    serviceAccountName: 'default',
    containers: [
      {
        ...container,
        imagePullPolicy: 'X',
        terminationMessagePolicy: 'Y',
        ports: [{ containerPort: 0 }, { containerPort: 70000, name: 'UPPER', protocol: 'Z' }, { containerPort: 1, name: 'a' }, { containerPort: 2, name: 'a' }],
        env: [{ name: '' }, { name: 'a=b' }, { name: 'V', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }, { name: 'W', valueFrom: {} }],
        volumeMounts: [{ name: 'none', mountPath: '/a' }, { name: 'v', mountPath: '/a' }, { name: 'v' }],
        resources: { limits: { cpu: '1' }, requests: { cpu: '2' } },
        livenessProbe: {},
        readinessProbe: { httpGet: { port: 0 }, periodSeconds: -1 },
      },
    ],
    volumes: [{ name: 'v' }, { name: 'v' }, { name: 'B_' }, { name: 'two', emptyDir: {}, hostPath: { path: '/x' } }, { name: 'sec', secret: {} }],
    tolerations: [{ operator: 'Equal' }, { key: 'a', operator: 'Exists', value: 'x' }, { key: 'b', effect: 'Foo', operator: 'Bar' }],
  },
})
post(pods, {
  metadata: { name: 'p' },
  spec: {
    containers: [
      {
        ...container,
        ports: [{ containerPort: 80 }],
        env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
        livenessProbe: { httpGet: { port: 80 } },
        lifecycle: { preStop: { exec: { command: ['x'] } } },
        resources: { limits: { cpu: '0.5', memory: '1Gi' } },
      },
    ],
    initContainers: [{ name: 'i', image: 'busybox:1@sha256:0123456789012345678901234567890123456789012345678901234567890123' }],
    volumes: [{ name: 'v' }, { name: 's', secret: { secretName: 'x' } }, { name: 'h', hostPath: { path: '/x' } }, { name: 'cm', configMap: { name: 'x' } }],
  },
  status: { phase: 'Running' },
})
patch(`${pods}/p`, { metadata: { labels: { a: 'b' } }, status: { phase: 'Running' } })
put(`${pods}/none`, { metadata: { name: 'none' }, spec: { containers: [container] } })
patch(`${pods}/p`, { spec: { activeDeadlineSeconds: 100 } })
patch(`${pods}/p`, { spec: { activeDeadlineSeconds: 200 } })
patch(`${pods}/p`, { spec: { restartPolicy: 'Never' } })
patch(`${pods}/p`, { spec: { containers: [container, { name: 'd', image: 'x' }] } })
patch(`${pods}/p/status`, { status: { phase: 'Running', podIP: '1.2.3.4' }, metadata: { labels: { c: 'd' } }, spec: { nodeName: 'x' } })
post(`${pods}/p/binding`, { metadata: { name: 'p' }, target: { kind: 'Node' } })
post(`${pods}/p/binding`, { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n1' } })
post(`${pods}/p/binding`, { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n2' } })
post(`${pods}/none/binding`, { metadata: { name: 'none' }, target: { kind: 'Node', name: 'n2' } })
del(`${pods}/p`)
del(`${pods}/p`, { gracePeriodSeconds: 40 })
del(`${pods}/p`, { gracePeriodSeconds: 10 })
del(`${pods}/p`, { gracePeriodSeconds: 0 })
get(`${pods}/p`)
post(pods, { metadata: { name: 'q' }, spec: { containers: [container], nodeName: 'n1' } })
post(`${pods}/q/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'q' } })
get(`${pods}/q`)
post(`${pods}/none/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'none' } })
post(pods, { metadata: { name: 'r' }, spec: { containers: [container] } })
del(`${pods}/r`)
get(`${pods}/r`)

// Deployments and replica sets.
const deployments = `${apps}/deployments`
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } }
post(deployments, { metadata: { name: 'bad' } })
post(deployments, { metadata: { name: 'bad' }, spec: { selector: {}, template } })
post(deployments, { metadata: { name: 'bad' }, spec: { selector: { matchLabels: { a: 'c' } }, template } })
post(deployments, { metadata: { name: 'bad' }, spec: { selector: { matchLabels: { a: 'b' } }, template: { spec: { containers: [{ name: 'c' }] } } } })
post(deployments, {
  metadata: { name: 'bad' },
  spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Foo' }, { key: 'a b', operator: 'In' }, { key: 'c', operator: 'Exists', values: ['x'] }] }, template },
})
post(deployments, {
  metadata: { name: 'bad' },
  spec: {
    replicas: -1,
    minReadySeconds: -1,
    revisionHistoryLimit: -1,
    progressDeadlineSeconds: -2,
    strategy: { type: 'Foo' },
    selector: { matchLabels: { a: 'b' } },
    template: { ...template, spec: { ...template.spec, restartPolicy: 'Never', activeDeadlineSeconds: 5 } },
  },
})
post(deployments, {
  metadata: { name: 'bad' },
  spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } }, selector: { matchLabels: { a: 'b' } }, template },
})
post(deployments, {
  metadata: { name: 'bad' },
  spec: { strategy: { rollingUpdate: { maxSurge: 'x', maxUnavailable: '101%' } }, selector: { matchLabels: { a: 'b' } }, template },
})
post(deployments, {
  metadata: { name: 'bad' },
  spec: { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } }, selector: { matchLabels: { a: 'b' } }, template },
})
post(deployments, { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template }, status: { replicas: 3 } })
patch(`${deployments}/d`, { spec: { selector: { matchLabels: { c: 'd' } } } })
patch(`${deployments}/d`, { spec: { replicas: 3 } })
patch(`${deployments}/d`, { metadata: { annotations: { x: 'y' } } })
patch(`${deployments}/d`, { metadata: { labels: { x: 'y' } } })
patch(`${deployments}/d`, { metadata: { labels: { x: 'y' } } })
patch(`${deployments}/d/status`, { metadata: { labels: { x: 'z' }, annotations: { q: 'r' } }, spec: { replicas: 7 }, status: { replicas: 2, readyReplicas: 1 } })
patch(`${deployments}/d/status`, { status: { replicas: 1, readyReplicas: 2, availableReplicas: 3, observedGeneration: -1 } })
get(`${deployments}/d/scale`)
patch(`${deployments}/d/scale`, { spec: { replicas: 5 } })
patch(`${deployments}/d/scale`, { spec: { replicas: -1 } })
put(`${deployments}/d/scale`, { metadata: { name: 'd' }, spec: { replicas: 0 } })
put(`${deployments}/d/scale`, { metadata: { name: 'd', resourceVersion: '1' }, spec: { replicas: 1 } })
get(`${deployments}/none/scale`)
del(`${deployments}/d`)
const sets = `${apps}/replicasets`
post(sets, { metadata: { name: 'bad' }, spec: { selector: { matchLabels: { a: 'c' } }, template } })
post(sets, { metadata: { name: 'rs' }, spec: { selector: { matchLabels: { a: 'b' } }, template } })
patch(`${sets}/rs`, { spec: { selector: { matchLabels: { c: 'd' } } } })
patch(`${sets}/rs/status`, { status: { replicas: 1, readyReplicas: 2 } })
get(`${sets}/rs/scale`)

// Custom resources.
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', maximum: 10, default: 1 },
        replicas: { type: 'integer' },
        name: { type: 'string' },
      },
    },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
}
post(crds, { metadata: { name: 'bad' }, spec: { group: 'golden.test', names: { plural: 'widgets', kind: 'Widget' }, scope: 'Namespaced', versions: [] } })
post(crds, {
  metadata: { name: 'widgets.golden.test' },
  spec: {
    group: 'golden.test',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'] },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' },
        },
        selectableFields: [{ jsonPath: '.spec.name' }],
      },
      { name: 'v1beta1', served: true, storage: false, schema: { openAPIV3Schema: { ...schema, description: 'old' } }, subresources: { status: {} } },
    ],
  },
})
step('WAIT', `${crds}/widgets.golden.test`)
get(`${crds}/widgets.golden.test`)
const widgets = '/apis/golden.test/v1/namespaces/golden/widgets'
const widget = { apiVersion: 'golden.test/v1', kind: 'Widget' }
post(widgets, { ...widget, metadata: { name: 'W_' }, spec: { size: 33 } })
post(widgets, { ...widget, metadata: { name: 'w', finalizers: ['bare'] }, spec: { unknown: 1, replicas: 0 }, status: { a: 1 } })
put(`${widgets}/w`, { ...widget, metadata: { name: 'w' }, spec: {} })
put(`${widgets}/none`, { ...widget, metadata: { name: 'none' }, spec: {} })
patch(`${widgets}/w`, { metadata: { labels: { x: 'y' } }, status: { b: 1 } })
patch(`${widgets}/w`, { spec: { size: 4 } })
patch(`${widgets}/w`, { spec: { size: 40 } })
patch(`${widgets}/w/status`, { metadata: { labels: { x: 'z' } }, spec: { size: 5 }, status: { replicas: 2, selector: 'a=b' } })
get(`${widgets}/w/scale`)
patch(`${widgets}/w/scale`, { spec: { replicas: 3 } })
patch(`${widgets}/w/scale`, { spec: { replicas: -3 } })
get(`/apis/golden.test/v1beta1/namespaces/golden/widgets/w`)
patch(`/apis/golden.test/v1beta1/namespaces/golden/widgets/w`, { spec: { name: 'n' } })
get(`${widgets}/w`)
del(`${widgets}/w`)
patch(`${widgets}/w`, { metadata: { finalizers: null } })
get(`${widgets}/w`)
post(widgets, { ...widget, metadata: { name: 'v' }, spec: {} })
del(`${widgets}/v`)

writeFileSync(new URL('requests.json', import.meta.url), `${JSON.stringify(steps, null, 1)}\n`)

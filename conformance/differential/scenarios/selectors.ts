import {
  configMaps,
  coreEvents,
  customResource,
  defineArea,
  deployments,
  named,
  namespaces,
  nodes,
  podSpec,
  pods,
  type Resource,
  type ScenarioBuilder,
  secrets,
  services,
  table,
  versionOf,
  workloadSpec,
} from '../language/index.js'

/** Four objects with different labels. */
function createLabelled(s: ScenarioBuilder): void {
  s.create(configMaps, named('a', { labels: { app: 'web', tier: 'front' } }), { isQuiet: true })
  s.create(configMaps, named('b', { labels: { app: 'web', tier: 'back' } }), { isQuiet: true })
  s.create(configMaps, named('c', { labels: { app: 'db', empty: '' } }), { isQuiet: true })
  s.create(configMaps, named('d'), { isQuiet: true })
}

const labelSelectors: readonly (readonly [name: string, selectors: readonly string[]])[] = [
  ['by equality', ['app=web', 'app==web', 'app!=web', 'app=web,tier=front', 'app = web', 'empty=']],
  ['by set', ['app in (web,db)', 'app notin (web)', 'tier in (front, back)', 'app in (web),tier notin (back)', 'app in ()']],
  ['by existence', ['app', '!app', 'tier,app', '!tier,app']],
  ['that are malformed', ['app in web', 'app=', '=web', 'app==', 'app=web,', ',', '!', 'a b', 'app=we b', 'app in (web', 'app,,tier']],
  [
    'with wrong keys and values',
    ['-app=web', 'app=-web', 'a/b/c=web', `app=${'x'.repeat(64)}`, `${'k'.repeat(64)}=v`, 'example.com/app=web', 'Example.com/app=web'],
  ],
  ['by order', ['app>1', 'app<1', 'app>x', 'size>1,size<9']],
]

const fieldSelectors: readonly (readonly [name: string, resource: Resource, selectors: readonly string[]])[] = [
  [
    'config maps',
    configMaps,
    [
      'metadata.name=a',
      'metadata.name!=a',
      'metadata.namespace={{namespace}}',
      'metadata.namespace=elsewhere',
      'metadata.name==a,metadata.name!=b',
      '',
    ],
  ],
  ['config maps by what they do not have', configMaps, ['data.a=b', 'metadata.labels.app=web', 'metadata.uid=1', 'spec=1']],
  [
    'malformed',
    configMaps,
    ['metadata.name', 'metadata.name>a', '=a', 'metadata.name in (a)', 'metadata.name=a=b', 'metadata.name=a,', 'metadata.name=a\\,b'],
  ],
]

/** Label and field selectors of lists. */
export const selectors = defineArea('selectors', (scenario) => {
  for (const [name, texts] of labelSelectors) {
    scenario(`label selectors ${name}`, (s) => {
      createLabelled(s)
      for (const labelSelector of texts) s.list(configMaps, { query: { labelSelector } })
    })
  }

  for (const [name, resource, texts] of fieldSelectors) {
    scenario(`field selectors of ${name}`, (s) => {
      createLabelled(s)
      for (const fieldSelector of texts) s.list(resource, { query: { fieldSelector } })
    })
  }

  scenario('field selectors of pods', (s) => {
    s.create(
      pods,
      { ...named('a'), spec: podSpec({ nodeName: 'one', restartPolicy: 'Never', serviceAccountName: 'robot' }) },
      { isQuiet: true },
    )
    s.create(pods, { ...named('b'), spec: podSpec({ schedulerName: 'mine', hostNetwork: true }) }, { isQuiet: true })
    for (const fieldSelector of [
      'spec.nodeName=one',
      'spec.nodeName=',
      'spec.nodeName!=one',
      'spec.restartPolicy=Never',
      'spec.schedulerName=mine',
      'spec.serviceAccountName=robot',
      'spec.hostNetwork=true',
      'status.phase=Pending',
      'status.phase!=Pending',
      'status.podIP=10.1.2.3',
      'status.nominatedNodeName=',
    ]) {
      s.list(pods, { query: { fieldSelector } })
    }
  })

  scenario('field selectors that pods do not have', (s) => {
    for (const fieldSelector of ['spec.containers=1', 'status.hostIP=1.2.3.4', 'spec.priority=1'])
      s.list(pods, { query: { fieldSelector } })
  })

  scenario('field selectors of secrets', (s) => {
    s.create(secrets, { ...named('a'), type: 'Opaque' }, { isQuiet: true })
    s.create(secrets, { ...named('b'), type: 'example.com/own' }, { isQuiet: true })
    for (const fieldSelector of ['type=Opaque', 'type=example.com/own', 'type!=Opaque', 'data=1'])
      s.list(secrets, { query: { fieldSelector } })
  })

  scenario('field selectors of namespaces', (s) => {
    const labels = { run: '{{run}}' }
    s.create(namespaces, named(s.unique('one'), { labels }), { isQuiet: true })
    s.create(namespaces, named(s.unique('two'), { labels }), { isQuiet: true })
    const labelSelector = 'run={{run}}'
    for (const fieldSelector of [
      'status.phase=Active',
      'status.phase=Terminating',
      'metadata.name=one-{{run}}',
      'name=one-{{run}}',
      'spec.finalizers=kubernetes',
    ]) {
      s.list(namespaces, { query: { labelSelector, fieldSelector } })
    }
  })

  scenario('field selectors of nodes', (s) => {
    const labels = { run: '{{run}}' }
    s.create(nodes, { ...named(s.unique('one'), { labels }), spec: { unschedulable: true } }, { isQuiet: true })
    s.create(nodes, named(s.unique('two'), { labels }), { isQuiet: true })
    const labelSelector = 'run={{run}}'
    for (const fieldSelector of ['spec.unschedulable=true', 'spec.unschedulable=false', 'spec.unschedulable!=true', 'spec.podCIDR=1']) {
      s.list(nodes, { query: { labelSelector, fieldSelector } })
    }
  })

  scenario('field selectors of services', (s) => {
    s.create(services, { ...named('a'), spec: { clusterIP: 'None', ports: [{ port: 80 }] } }, { isQuiet: true })
    s.create(services, { ...named('b'), spec: { type: 'ExternalName', externalName: 'example.com' } }, { isQuiet: true })
    for (const fieldSelector of ['spec.clusterIP=None', 'spec.type=ExternalName', 'spec.type!=ExternalName', 'spec.ports=1'])
      s.list(services, { query: { fieldSelector } })
  })

  scenario('field selectors of deployments', (s) => {
    s.create(deployments, { ...named('a'), spec: workloadSpec() }, { isQuiet: true })
    for (const fieldSelector of ['metadata.name=a', 'status.replicas=0', 'spec.replicas=1'])
      s.list(deployments, { query: { fieldSelector } })
  })

  scenario('field selectors of events', (s) => {
    const event = (name: string, more: { [key: string]: string }) =>
      s.create(
        coreEvents,
        { ...named(name), involvedObject: { kind: 'Pod', name: 'p', namespace: '{{namespace}}' }, ...more },
        { isQuiet: true },
      )
    event('a', { reason: 'Started', type: 'Normal' })
    event('b', { reason: 'Failed', type: 'Warning', reportingComponent: 'mine' })
    for (const fieldSelector of [
      'involvedObject.name=p',
      'involvedObject.kind=Pod,reason=Failed',
      'type=Warning',
      'type!=Normal',
      'reportingComponent=mine',
      'source=mine',
      'involvedObject.uid=',
      'message=x',
    ]) {
      s.list(coreEvents, { query: { fieldSelector } })
    }
  })

  scenario('label and field selector together', (s) => {
    createLabelled(s)
    s.list(configMaps, { query: { labelSelector: 'app=web', fieldSelector: 'metadata.name!=a' } })
    s.list(configMaps, { query: { labelSelector: 'app=db', fieldSelector: 'metadata.name=a' } })
    s.list(configMaps, { query: { labelSelector: 'app in', fieldSelector: 'nothing=a' } })
  })

  scenario('selectors across namespaces', (s) => {
    s.create(configMaps, named('a', { labels: { run: '{{run}}' } }), { isQuiet: true })
    s.list(configMaps, { namespace: '', query: { labelSelector: 'run={{run}}' } })
    s.list(configMaps, { namespace: '', query: { fieldSelector: 'metadata.namespace={{namespace}}' } })
  })

  scenario('selectors of custom resources', (s) => {
    const widgets = customResource('Widget')
    const properties = { spec: { type: 'object', properties: { colour: { type: 'string' }, size: { type: 'integer' } } } }
    s.define(widgets, [versionOf(properties, { selectableFields: [{ jsonPath: '.spec.colour' }, { jsonPath: '.spec.size' }] })])
    s.create(widgets, { ...named('a', { labels: { app: 'web' } }), spec: { colour: 'red', size: 1 } }, { isQuiet: true })
    s.create(widgets, { ...named('b'), spec: { colour: 'blue' } }, { isQuiet: true })
    s.list(widgets, { query: { labelSelector: 'app=web' } })
    for (const fieldSelector of [
      'metadata.name=b',
      'metadata.namespace={{namespace}}',
      'spec.colour=red',
      'spec.size=1',
      'spec.size=',
      'spec.size!=1',
      'spec.weight=1',
    ]) {
      s.list(widgets, { query: { fieldSelector } })
    }
  })

  scenario('selectors of tables', (s) => {
    createLabelled(s)
    s.list(configMaps, { ...table, query: { labelSelector: 'app=db' } })
    s.list(configMaps, { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io', query: { labelSelector: 'app=db' } })
  })

  scenario('delete by selector', (s) => {
    createLabelled(s)
    s.deleteCollection(configMaps, undefined, { query: { labelSelector: 'app=web' } })
    s.list(configMaps)
    s.deleteCollection(configMaps, undefined, { query: { fieldSelector: 'metadata.name=d' } })
    s.list(configMaps)
    s.deleteCollection(configMaps, undefined, { query: { labelSelector: 'app in' } })
  })
})

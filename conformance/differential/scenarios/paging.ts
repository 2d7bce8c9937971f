import {
  configMaps,
  customResource,
  defineArea,
  deployments,
  named,
  type ScenarioBuilder,
  secrets,
  tableMediaType,
  versionOf,
  workloadSpec,
} from '../language/index.js'

/** `a`, `b`, `c`, … */
function createSome(s: ScenarioBuilder, count: number): void {
  for (let index = 0; index < count; index += 1) {
    s.create(configMaps, named(String.fromCharCode(97 + index), { labels: { parity: index % 2 === 0 ? 'even' : 'odd' } }), {
      isQuiet: true,
    })
  }
}

/** limit and continue, and the resourceVersion of lists. */
export const paging = defineArea('paging', (scenario) => {
  scenario('pages of two', (s) => {
    createSome(s, 5)
    const first = s.list(configMaps, { query: { limit: 2 } })
    const second = s.list(configMaps, { query: { limit: 2, continue: first.at('metadata.continue') } })
    s.list(configMaps, { query: { limit: 2, continue: second.at('metadata.continue') } })
  })

  scenario('a page that holds everything', (s) => {
    createSome(s, 3)
    s.list(configMaps, { query: { limit: 3 } })
    s.list(configMaps, { query: { limit: 10 } })
    s.list(configMaps, { query: { limit: 0 } })
  })

  scenario('a list of nothing', (s) => {
    s.list(configMaps)
    s.list(configMaps, { query: { limit: 1 } })
    s.list(deployments, { query: { limit: 1 } })
  })

  scenario('pages of different sizes', (s) => {
    createSome(s, 5)
    const first = s.list(configMaps, { query: { limit: 1 } })
    s.list(configMaps, { query: { limit: 3, continue: first.at('metadata.continue') } })
    s.list(configMaps, { query: { continue: first.at('metadata.continue') } })
  })

  scenario('pages show what was there at the first page', (s) => {
    createSome(s, 4)
    const first = s.list(configMaps, { query: { limit: 2 } })
    s.create(configMaps, named('bb'))
    s.create(configMaps, named('zz'))
    s.update(configMaps, { ...named('c'), data: { changed: 'yes' } })
    s.delete(configMaps, 'd')
    s.list(configMaps, { query: { limit: 5, continue: first.at('metadata.continue') } })
    s.list(configMaps)
  })

  scenario('pages with a label selector', (s) => {
    createSome(s, 6)
    const first = s.list(configMaps, { query: { limit: 2, labelSelector: 'parity=even' } })
    s.list(configMaps, { query: { limit: 2, labelSelector: 'parity=even', continue: first.at('metadata.continue') } })
  })

  scenario('pages with a field selector', (s) => {
    createSome(s, 4)
    const first = s.list(configMaps, { query: { limit: 2, fieldSelector: 'metadata.name!=b' } })
    s.list(configMaps, { query: { limit: 2, fieldSelector: 'metadata.name!=b', continue: first.at('metadata.continue') } })
  })

  scenario('pages of a table', (s) => {
    createSome(s, 3)
    const accept = tableMediaType
    const first = s.list(configMaps, { accept, query: { limit: 2 } })
    s.list(configMaps, { accept, query: { limit: 2, continue: first.at('metadata.continue') } })
  })

  scenario('pages of metadata', (s) => {
    createSome(s, 3)
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
    const first = s.list(configMaps, { accept, query: { limit: 2 } })
    s.list(configMaps, { accept, query: { limit: 2, continue: first.at('metadata.continue') } })
  })

  scenario('pages of custom resources', (s) => {
    const widgets = customResource('Widget')
    s.define(widgets, [versionOf({ spec: { type: 'object' } })])
    for (const name of ['a', 'b', 'c']) s.create(widgets, named(name), { isQuiet: true })
    const first = s.list(widgets, { query: { limit: 2 } })
    s.list(widgets, { query: { limit: 2, continue: first.at('metadata.continue') } })
  })

  scenario('pages across namespaces', (s) => {
    createSome(s, 3)
    const query = { limit: 2, labelSelector: 'parity', fieldSelector: 'metadata.namespace={{namespace}}' }
    const first = s.list(configMaps, { namespace: '', query })
    s.list(configMaps, { namespace: '', query: { ...query, continue: first.at('metadata.continue') } })
  })

  scenario('continue tokens that are wrong', (s) => {
    createSome(s, 1)
    for (const token of ['nonsense', '!!!', 'e30', Buffer.from('{"v":"meta.k8s.io/v1","rv":0,"start":"a"}').toString('base64url')]) {
      s.list(configMaps, { query: { limit: 1, continue: token } })
    }
    s.list(configMaps, { query: { continue: Buffer.from('{"v":"v0","rv":5,"start":"a"}').toString('base64url') } })
    s.list(configMaps, { query: { continue: Buffer.from('{"v":"meta.k8s.io/v1","rv":5,"start":"../x"}').toString('base64url') } })
  })

  scenario('continue together with a resourceVersion', (s) => {
    createSome(s, 3)
    const first = s.list(configMaps, { query: { limit: 1 } })
    s.list(configMaps, {
      query: { limit: 1, continue: first.at('metadata.continue'), resourceVersion: first.at('metadata.resourceVersion') },
    })
    s.list(configMaps, { query: { limit: 1, continue: first.at('metadata.continue'), resourceVersion: '0' } })
    s.list(configMaps, { query: { limit: 1, continue: first.at('metadata.continue'), resourceVersionMatch: 'Exact' } })
  })

  scenario('lists at a resourceVersion', (s) => {
    createSome(s, 2)
    const before = s.list(configMaps)
    s.create(configMaps, named('x'))
    s.delete(configMaps, 'a')
    s.list(configMaps, { query: { resourceVersion: before.at('metadata.resourceVersion'), resourceVersionMatch: 'Exact' } })
    s.list(configMaps, { query: { resourceVersion: before.at('metadata.resourceVersion'), resourceVersionMatch: 'Exact', limit: 1 } })
  })

  scenario('lists not older than a resourceVersion', (s) => {
    createSome(s, 2)
    const before = s.list(configMaps)
    s.list(configMaps, { query: { resourceVersion: before.at('metadata.resourceVersion'), resourceVersionMatch: 'NotOlderThan' } })
    s.list(configMaps, { query: { resourceVersion: before.at('metadata.resourceVersion') } })
  })

  scenario('lists of a resourceVersion that is still to come', (s) => {
    createSome(s, 1)
    const before = s.list(configMaps)
    s.list(configMaps, {
      query: { resourceVersion: before.at('metadata.resourceVersion', 1_000_000), resourceVersionMatch: 'NotOlderThan' },
    })
    s.get(configMaps, 'a', { query: { resourceVersion: before.at('metadata.resourceVersion', 1_000_000) } })
  })

  scenario('resourceVersions that are wrong', (s) => {
    createSome(s, 1)
    s.list(configMaps, { query: { resourceVersion: 'newest' } })
    s.list(configMaps, { query: { resourceVersion: '-1' } })
    s.get(configMaps, 'a', { query: { resourceVersion: 'newest' } })
    s.list(configMaps, { query: { resourceVersionMatch: 'Exact' } })
    s.list(configMaps, { query: { resourceVersionMatch: 'Sometimes', resourceVersion: '1' } })
    s.list(configMaps, { query: { resourceVersionMatch: 'Exact', resourceVersion: '0' } })
    s.list(configMaps, { query: { sendInitialEvents: true } })
  })

  scenario('pages while deleting', (s) => {
    createSome(s, 4)
    s.deleteCollection(configMaps, undefined, { query: { limit: 2 } })
    s.list(configMaps)
  })

  scenario('lists of other kinds', (s) => {
    s.create(secrets, { ...named('a'), stringData: { k: 'v' } })
    s.create(deployments, { ...named('a'), spec: workloadSpec() })
    s.list(secrets, { query: { limit: 1 } })
    s.list(deployments, { query: { limit: 1 } })
  })
})

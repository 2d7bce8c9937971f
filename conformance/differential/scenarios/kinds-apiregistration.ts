import {
  customResource,
  customResourceDefinitions,
  defineArea,
  definition,
  type JsonObject,
  named,
  type Resource,
  table,
  versionOf,
} from '../language/index.js'

const apiServices: Resource = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  plural: 'apiservices',
  kind: 'APIService',
  isNamespaced: false,
}

const spec = (more: JsonObject = {}): JsonObject => ({
  group: '{{group}}',
  version: 'v1',
  groupPriorityMinimum: 1000,
  versionPriority: 15,
  ...more,
})
const localServices = [
  'v1.',
  'v1.apps',
  'v1.rbac.authorization.k8s.io',
  'v2.autoscaling',
  'v1.autoscaling',
  'v1.apiextensions.k8s.io',
  'v1.resource.k8s.io',
  'v1.apiregistration.k8s.io',
]
const service = { namespace: 'default', name: 'nobody' }

/** The kinds of apiregistration.k8s.io. */
export const kindsApiRegistration = defineArea('kinds apiregistration', (scenario) => {
  scenario('a local service of an API', (s) => {
    const name = 'v1.{{group}}'
    const created = s.create(apiServices, { ...named(name), spec: spec() })
    s.get(apiServices, name, table)
    s.patch(apiServices, name, 'merge', { spec: { versionPriority: 20 } })
    s.update(apiServices, { ...named(name), spec: spec() })
    s.update(apiServices, { ...named(name, { resourceVersion: created.at('metadata.resourceVersion') }), spec: spec() })
    s.patch(apiServices, name, 'merge', { metadata: { labels: { k: 'v' } }, status: { conditions: [] } }, { subresource: 'status' })
    s.patch(apiServices, name, 'merge', { status: { conditions: [{ type: 'X', status: 'Maybe' }] } }, { subresource: 'status' })
    s.delete(apiServices, name)
  })
  scenario('services of APIs that are refused', (s) => {
    const refused: readonly JsonObject[] = [
      { ...named('a'), spec: {} },
      { ...named('v1.b'), spec: spec() },
      { ...named('V1.G'), spec: spec({ group: 'G', version: 'V1', groupPriorityMinimum: 20001, versionPriority: 1001 }) },
      { ...named('v2.'), spec: spec({ group: '', version: 'v2', groupPriorityMinimum: -1, versionPriority: -1 }) },
      { ...named('v1.g'), spec: spec({ group: 'g', caBundle: 'AAAA', insecureSkipTLSVerify: true }) },
      { ...named('v1.g'), spec: spec({ group: 'g', service: { port: 70000 }, caBundle: 'AAAA', insecureSkipTLSVerify: true }) },
      { ...named('v1.g/x'), spec: spec({ group: 'g/x', service }) },
    ]
    for (const body of refused) s.create(apiServices, body)
  })
  // Each in a scenario of its own: the order in which the server makes them is no fact.
  for (const name of localServices) scenario(`the service that every server has for ${name}`, (s) => void s.get(apiServices, name))
  scenario('the table of a service that every server has', (s) => void s.get(apiServices, 'v1.authentication.k8s.io', table))
  scenario('the service of custom resources', (s) => {
    const thing = customResource('Thing')
    const name = 'v1.{{group}}'
    s.create(customResourceDefinitions, definition(thing, [versionOf({}), versionOf({}, { name: 'v2', storage: false })]), {
      isQuiet: true,
    })
    s.untilServed(thing)
    const path = s.path(apiServices, name)
    s.until(path, { status: 200 })
    s.until(s.path(apiServices, 'v2.{{group}}'), { status: 200 })
    s.patch(apiServices, name, 'merge', { spec: { versionPriority: 20 } })
    s.until(path, { at: 'spec.versionPriority', equals: 100 })
    s.delete(apiServices, name)
    s.until(path, { status: 200 })
    s.delete(customResourceDefinitions, 'things.{{group}}', undefined, { isQuiet: true })
    s.until(path, { status: 404 })
  })
})

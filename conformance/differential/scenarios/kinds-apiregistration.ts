import { defineArea, type JsonObject, named, type Resource } from '../language/index.js'

const apiServices: Resource = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  plural: 'apiservices',
  kind: 'APIService',
  isNamespaced: false,
}
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }

const spec = (more: JsonObject = {}): JsonObject => ({
  group: '{{group}}',
  version: 'v1',
  groupPriorityMinimum: 1000,
  versionPriority: 15,
  ...more,
})
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
  scenario('the services that every server has', (s) => {
    for (const name of [
      'v1.',
      'v1.apps',
      'v1.rbac.authorization.k8s.io',
      'v2.autoscaling',
      'v1.apiextensions.k8s.io',
      'v1.resource.k8s.io',
    ]) {
      s.get(apiServices, name)
    }
    s.get(apiServices, 'v1.apiregistration.k8s.io')
    s.get(apiServices, 'v1.authentication.k8s.io', table)
  })
})

import { customResource, customResourceDefinitions, type DefineScenarios, definition, versionOf } from '../language/index.js'

const gnostic = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'

/** Groups that are on by default, with their versions. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'admissionregistration.k8s.io': ['v1'],
  'apiextensions.k8s.io': ['v1'],
  'apiregistration.k8s.io': ['v1'],
  apps: ['v1'],
  'authentication.k8s.io': ['v1'],
  'authorization.k8s.io': ['v1'],
  autoscaling: ['v1', 'v2'],
  batch: ['v1'],
  'certificates.k8s.io': ['v1'],
  'coordination.k8s.io': ['v1'],
  'discovery.k8s.io': ['v1'],
  'events.k8s.io': ['v1'],
  'flowcontrol.apiserver.k8s.io': ['v1'],
  'networking.k8s.io': ['v1'],
  'node.k8s.io': ['v1'],
  policy: ['v1'],
  'rbac.authorization.k8s.io': ['v1'],
  'resource.k8s.io': ['v1'],
  'scheduling.k8s.io': ['v1'],
  'storage.k8s.io': ['v1'],
  'storagemigration.k8s.io': ['v1'],
}

/** OpenAPI documents, which belong to discovery. */
export const openApiScenarios: DefineScenarios = (scenario) => {
  scenario('OpenAPI v3, of the core', (s) => {
    s.request('GET', '/openapi/v3/api')
    s.request('GET', '/openapi/v3/api/v1')
  })

  for (const [group, versions] of Object.entries(groups)) {
    scenario(`OpenAPI v3, of ${group}`, (s) => {
      s.request('GET', `/openapi/v3/apis/${group}`)
      for (const version of versions) s.request('GET', `/openapi/v3/apis/${group}/${version}`)
    })
  }

  scenario('OpenAPI v3, of other paths', (s) => {
    for (const name of ['apis', 'version', '.well-known/openid-configuration', 'openid/v1/jwks']) s.request('GET', `/openapi/v3/${name}`)
  })

  scenario('OpenAPI v2', (s) => {
    s.request('GET', '/openapi/v2')
  })

  scenario('OpenAPI of a custom resource', (s) => {
    const widgets = customResource('Widget')
    const spec = {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', format: 'int32', minimum: 1, default: 3, description: 'How big it is.' },
        port: { 'x-kubernetes-int-or-string': true },
        any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        none: { type: 'string', nullable: true, enum: ['a', 'b'] },
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
        },
      },
    }
    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' }
    const more = { subresources: { status: {}, scale }, selectableFields: [{ jsonPath: '.spec.none' }] }
    s.create(customResourceDefinitions, definition(widgets, [versionOf({ spec }, more)]), { isQuiet: true })
    s.untilServed(widgets)
    s.until('/openapi/v3/apis/{{group}}/v1', { status: 200 })
    s.request('GET', '/openapi/v3/apis/{{group}}')
    s.request('DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.{{group}}', undefined, { isQuiet: true })
    s.until('/openapi/v3/apis/{{group}}/v1', { status: 404 })
  })

  scenario('OpenAPI v3, tags and hashes', (s) => {
    const path = '/openapi/v3/apis/apps'
    const etag = s.request('HEAD', path).at('etag')
    s.request('GET', path, undefined, { headers: { 'if-none-match': etag } })
    s.request('GET', path, undefined, { headers: { 'if-none-match': `"another", ${etag}` } })
    s.request('HEAD', path, undefined, { headers: { 'if-none-match': '"another"' } })
    s.request('GET', path, undefined, { query: { hash: 'OLD' } })
    s.request('HEAD', path, undefined, { query: { hash: '' } })
    s.request('HEAD', path, undefined, { query: { hash: 'OLD' } })
    s.request('POST', path, {})
    for (const accept of ['application/yaml', 'text/html', '*/*', 'application/*', 'text/html, application/json;q=0.5'])
      s.request('HEAD', path, undefined, { accept })
    s.request('GET', path, undefined, { accept: 'text/html', query: { hash: 'OLD' } })
    for (const missing of ['', '/', '/v3/', '/v3/nothing', '/v3/apis/apps/', '/v3/apis/nothing/v1', '/v4']) {
      s.request('GET', `/openapi${missing}`)
    }
    s.request('GET', path, undefined, { user: 'anonymous' })
    s.request('HEAD', path, undefined, { user: 'jane' })
  })

  scenario('OpenAPI v2, tags and media types', (s) => {
    const etag = s.request('HEAD', '/openapi/v2').at('etag')
    s.request('GET', '/openapi/v2', undefined, { headers: { 'if-none-match': etag } })
    s.request('GET', '/openapi/v2', undefined, { accept: gnostic, headers: { 'if-none-match': etag } })
    s.request('HEAD', '/openapi/v2', undefined, { accept: gnostic, headers: { 'if-none-match': '"another"' } })
    for (const accept of [gnostic.replace('@', '.'), `application/json;q=0.5,${gnostic}`, `${gnostic};q=0.5,application/json`, '*/*']) {
      s.request('HEAD', '/openapi/v2', undefined, { accept })
    }
    for (const accept of ['application/yaml', 'text/html', gnostic.replace('v2@', 'v3@')])
      s.request('GET', '/openapi/v2', undefined, { accept })
    s.request('GET', '/openapi/v2/')
  })
}

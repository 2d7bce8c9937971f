import {
  groupDefinition,
  groupListDefinition,
  resourceListDefinition,
  versionInfoDefinition,
  versionsDefinition,
} from './definition-names.js'
import { camelGroup, capitalized, type OpenApiPath, type Operation, openApiPath, rootPath } from './operation.js'

const media = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']

/** Documents of paths that are no group version's, by their names below `/openapi/v3/`: `api`, `apis`, `apis/apps`, `version`. */
export function rootDocumentPath(name: string): OpenApiPath | undefined {
  const [first, group, ...rest] = name.split('/')
  if (name === 'version') {
    return path('/version/', { operationId: 'getCodeVersion', tag: 'version', answer: versionInfoDefinition, media: ['application/json'] })
  }
  if (name === 'api') return path('/api/', { operationId: 'getCoreAPIVersions', tag: 'core', answer: versionsDefinition, media })
  if (name === 'apis') return path('/apis/', { operationId: 'getAPIVersions', tag: 'apis', answer: groupListDefinition, media })
  if (first !== 'apis' || group === undefined || rest.length > 0) return undefined
  const tag = camelGroup(group)
  return path(`/apis/${group}/`, { operationId: `get${capitalized(tag)}APIGroup`, tag, answer: groupDefinition, media })
}

/** The path that lists the resources of a group version. */
export function resourceListPath(group: string, version: string): OpenApiPath {
  const name = camelGroup(group)
  const operationId = `get${capitalized(name)}${capitalized(version)}APIResources`
  return path(`${rootPath(group, version)}/`, { operationId, tag: `${name}_${version}`, answer: resourceListDefinition, media })
}

function path(
  at: string,
  operation: { readonly operationId: string; readonly tag: string; readonly answer: string; readonly media: readonly string[] },
): OpenApiPath {
  const get: Operation = {
    method: 'get',
    operationId: operation.operationId,
    tag: operation.tag,
    parameters: [],
    consumes: operation.media,
    produces: operation.media,
    answers: { '200': operation.answer },
  }
  return openApiPath(at, [get])
}

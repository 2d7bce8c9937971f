import {
  groupDefinition,
  groupListDefinition,
  resourceListDefinition,
  versionInfoDefinition,
  versionsDefinition,
} from './definition-names.js'
import { camelGroup, capitalized, type OpenApiPath, type Operation, openApiPath, rootPath, text } from './operation.js'

/** What is said of a path with one operation. */
interface Root {
  readonly operationId: string
  readonly tag: string
  readonly answer: string
  /** @default all that objects are written in */
  readonly media?: readonly string[]
  /** @default the media types of the answer */
  readonly consumes?: readonly string[]
}

const allMedia = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']

/** The documents that every server has besides those of groups, by their names below `/openapi/v3/`. */
const fixed: Readonly<Record<string, Root>> = {
  api: { operationId: 'getCoreAPIVersions', tag: 'core', answer: versionsDefinition },
  apis: { operationId: 'getAPIVersions', tag: 'apis', answer: groupListDefinition },
  version: { operationId: 'getCodeVersion', tag: 'version', answer: versionInfoDefinition, media: ['application/json'] },
  '.well-known/openid-configuration': {
    operationId: 'getServiceAccountIssuerOpenIDConfiguration',
    tag: 'WellKnown',
    answer: text,
    consumes: [],
    media: ['application/json'],
  },
  'openid/v1/jwks': {
    operationId: 'getServiceAccountIssuerOpenIDKeyset',
    tag: 'openid',
    answer: text,
    consumes: [],
    media: ['application/jwk-set+json'],
  },
}

/** The names of documents of paths that are no group version's; `groups` are those that are compiled in. */
export function rootDocumentNames(groups: readonly string[]): readonly string[] {
  return [...Object.keys(fixed), ...groups.filter((group) => group !== '').map((group) => `apis/${group}`)]
}

/** The path that a document of no group version is about, by the document's name: `api`, `apis/apps`, `version`. */
export function rootDocumentPath(name: string): OpenApiPath | undefined {
  const root = Object.hasOwn(fixed, name) ? fixed[name] : undefined
  if (root !== undefined) return path(`/${name}/`, root)
  const [first, group, ...rest] = name.split('/')
  if (first !== 'apis' || group === undefined || rest.length > 0) return undefined
  const tag = camelGroup(group)
  return path(`/apis/${group}/`, { operationId: `get${capitalized(tag)}APIGroup`, tag, answer: groupDefinition })
}

/** The path that lists the resources of a group version. */
export function resourceListPath(group: string, version: string): OpenApiPath {
  const name = camelGroup(group)
  const operationId = `get${capitalized(name)}${capitalized(version)}APIResources`
  return path(`${rootPath(group, version)}/`, { operationId, tag: `${name}_${version}`, answer: resourceListDefinition })
}

function path(at: string, { operationId, tag, answer, media = allMedia, consumes = media }: Root): OpenApiPath {
  const get: Operation = { method: 'get', operationId, tag, parameters: [], consumes, produces: media, answers: { '200': answer } }
  return openApiPath(at, [get])
}

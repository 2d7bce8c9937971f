import type { Parameter } from './operation.js'

const query = (name: string, type = 'string'): Parameter => ({ name, in: 'query', type })
const path = (name: string): Parameter => ({ name, in: 'path', type: 'string' })

export const nameInPath: Parameter = path('name')
export const namespaceInPath: Parameter = path('namespace')
export const pretty: Parameter = query('pretty')
export const resourceVersion: Parameter = query('resourceVersion')

/** Of creates and updates. */
export const writeParameters: readonly Parameter[] = [query('dryRun'), query('fieldManager'), query('fieldValidation')]

/** Of patches: apply needs a field manager, so that this parameter is another one. */
export const patchParameters: readonly Parameter[] = [
  query('dryRun'),
  { ...query('fieldManager'), scope: 'patch' },
  query('fieldValidation'),
  { ...query('force', 'boolean'), scope: 'patch' },
]

export const deleteParameters: readonly Parameter[] = [
  query('dryRun'),
  query('gracePeriodSeconds', 'integer'),
  query('ignoreStoreReadErrorWithClusterBreakingPotential', 'boolean'),
  query('orphanDependents', 'boolean'),
  query('propagationPolicy'),
]

export const listParameters: readonly Parameter[] = [
  query('allowWatchBookmarks', 'boolean'),
  query('continue'),
  query('fieldSelector'),
  query('labelSelector'),
  query('limit', 'integer'),
  resourceVersion,
  query('resourceVersionMatch'),
  query('sendInitialEvents', 'boolean'),
  query('shardSelector'),
  query('timeoutSeconds', 'integer'),
  query('watch', 'boolean'),
]

/** Which objects a deletion of many is about: what a list is asked with, but for watching. */
export const selectionParameters: readonly Parameter[] = listParameters.filter(
  ({ name }) => name !== 'allowWatchBookmarks' && name !== 'watch',
)

/** The part of a path that a proxy passes on. */
export function proxiedPath(scope: string): Parameter {
  return { ...path('path'), scope }
}

/** Reads `container:string tty:boolean`. */
export function parseParameters(text: string, scope: string): readonly Parameter[] {
  return text.split(' ').map((one) => {
    const [name = '', type = ''] = one.split(':')
    return { ...query(name, type), scope }
  })
}

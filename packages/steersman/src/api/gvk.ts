/**
 * Groups, versions and kinds, and the URL paths of resources.
 */

/** An API group and version. */
export interface GroupVersion {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
}

/** A kind in an API group and version. Every resource descriptor is one. */
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string
}

/**
 * Reads an `apiVersion`: `v1` is the core group, `apps/v1` a named one.
 *
 * @throws TypeError when it has more than one slash.
 */
export function parseApiVersion(apiVersion: string): GroupVersion {
  const parts = apiVersion.split('/')
  if (parts.length > 2) throw new TypeError(`unexpected GroupVersion string: ${apiVersion}`)
  const [first = '', second] = parts
  return second === undefined ? { group: '', version: first } : { group: first, version: second }
}

/** The `apiVersion` of objects: `v1`, `apps/v1`. */
export function apiVersionOf(type: GroupVersion): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`
}

/** The text of a kind for logs and messages, as Go prints it: `apps/v1, Kind=Deployment`. */
export function gvkText(gvk: GroupVersionKind): string {
  return `${gvk.group === '' ? '' : `${gvk.group}/`}${gvk.version}, Kind=${gvk.kind}`
}

/** Which object, collection or subresource a path leads to. */
export interface ResourcePath {
  /** Absent or empty: the collection of all namespaces, or of a cluster-scoped resource. */
  readonly namespace?: string
  /** Absent or empty: the collection. */
  readonly name?: string
  /** `status`, `scale`, `log`, …; needs a name. */
  readonly subresource?: string
}

/** What a path needs to know of a resource. Every resource descriptor has it. */
export interface ResourceCoordinates extends GroupVersion {
  readonly plural: string
  readonly scope: 'Namespaced' | 'Cluster'
}

/**
 * The URL path of a resource, from the root of the server, without a query: `/apis/apps/v1/namespaces/n/deployments/x/scale`.
 *
 * The namespace is ignored for a cluster-scoped resource, as it is in object keys.
 *
 * @throws TypeError for a name or namespace that cannot stand in a path, a subresource without a name, a name of a
 *   namespaced resource without its namespace.
 */
export function resourcePath(type: ResourceCoordinates, path: ResourcePath = {}): string {
  const { namespace = '', name = '', subresource = '' } = path
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`
  const isNamespaced = type.scope === 'Namespaced'
  if (name !== '' && isNamespaced && namespace === '') {
    throw new TypeError(`Cannot build the path of ${type.plural} "${name}": the resource is namespaced and no namespace is given`)
  }
  if (subresource !== '' && name === '') {
    throw new TypeError(`Cannot build the path of ${type.plural}/${subresource}: a subresource needs the name of an object`)
  }
  let text = isNamespaced && namespace !== '' ? `${root}/namespaces/${segment(namespace)}/${type.plural}` : `${root}/${type.plural}`
  if (name !== '') text += `/${segment(name)}`
  // A subresource such as `proxy/some/path` has slashes of its own.
  return subresource === '' ? text : `${text}/${subresource}`
}

const safeSegment = /^[A-Za-z0-9._~:@!$&'()*+,;=-]+$/

function segment(name: string): string {
  if (name === '.' || name === '..' || name.includes('/') || name.includes('%')) {
    throw new TypeError(`Cannot build a resource path: invalid resource name ${JSON.stringify(name)}`)
  }
  return safeSegment.test(name) ? name : encodeURIComponent(name)
}

import { builtinGroupVersions } from '../schema/index.js'

/**
 * Which built-in APIs are served, as `--runtime-config` of kube-apiserver says it. Keys: `api/all`, `api/ga`, `api/beta`, `api/alpha`,
 * `<group>/<version>` and `<group>/<version>/<plural>`; the group of core is empty. The more special a key is, the more it counts; among the first
 * four the later one counts.
 */
export type RuntimeConfig = Readonly<Record<string, boolean>>

/** Whether a built-in resource is served. */
export type ServesResource = (group: string, version: string, plural: string) => boolean

const stages: readonly (readonly [key: string, pattern: RegExp])[] = [
  ['api/all', /^/],
  ['api/ga', /^v\d+$/],
  ['api/beta', /^v\d+beta\d+$/],
  ['api/alpha', /^v\d+alpha\d+$/],
]
const stageKeys: ReadonlySet<string> = new Set(stages.map(([key]) => key))

/** Versions that the real server knows and no longer serves: they may be named. */
const retiredVersions: Readonly<Record<string, string>> = {
  apps: 'v1beta1 v1beta2',
  'authentication.k8s.io': 'v1alpha1 v1beta1',
  'authorization.k8s.io': 'v1beta1',
  batch: 'v1beta1',
  'certificates.k8s.io': 'v1alpha1',
  'discovery.k8s.io': 'v1beta1',
  'events.k8s.io': 'v1beta1',
  extensions: 'v1beta1',
  'flowcontrol.apiserver.k8s.io': 'v1beta1 v1beta2 v1beta3',
  'imagepolicy.k8s.io': 'v1alpha1',
  'lifecycle.k8s.io': 'v1alpha1',
  'networking.k8s.io': 'v1beta1',
  'node.k8s.io': 'v1alpha1 v1beta1',
  policy: 'v1beta1',
  'rbac.authorization.k8s.io': 'v1alpha1 v1beta1',
  'scheduling.k8s.io': 'v1alpha3 v1beta1',
  'storage.k8s.io': 'v1alpha1 v1beta1',
}

/** Reads which built-in APIs are served. @throws {RangeError} for a key that names nothing. */
export function servedByConfig(config: RuntimeConfig): ServesResource {
  checkKeys(config)
  const versions = new Map<string, boolean>()
  for (const { group, version, onByDefault } of builtinGroupVersions) {
    const key = `${group}/${version}`
    let isOn = config[key] ?? onByDefault
    if (config[key] === undefined) for (const [stage, pattern] of stages) if (pattern.test(version)) isOn = config[stage] ?? isOn
    versions.set(key, isOn)
  }
  return (group, version, plural) => config[`${group}/${version}/${plural}`] ?? versions.get(`${group}/${version}`) ?? false
}

function checkKeys(config: RuntimeConfig): void {
  const keys = Object.keys(config)
  if (keys.length === 1 && config['api/all'] === false) throw new RangeError('invalid runtime-config with only api/all=false')
  const named = keys.filter((key) => !stageKeys.has(key))
  for (const key of named) {
    const { length } = key.split('/')
    if (length !== 2 && length !== 3) throw new RangeError(`runtime-config invalid key ${key}`)
  }
  const unknown = named.map(groupVersionOf).filter(([group]) => !isKnownGroup(group))
  if (unknown.length > 0) throw new RangeError(`unknown api groups ${[...new Set(unknown.map(textOf))].sort().join(',')}`)
  for (const key of named) {
    const groupVersion = groupVersionOf(key)
    if (!isKnownVersion(groupVersion)) throw new RangeError(`group version ${textOf(groupVersion)} that has not been registered`)
    const plural = key.split('/')[2]
    if (plural !== undefined && plural !== plural.toLowerCase()) {
      const rule = 'group/version/resource and resource is always lowercase plural'
      throw new RangeError(`invalid key ${key}: ${rule}, not "${plural}"`)
    }
  }
}

type GroupVersion = readonly [group: string, version: string]

function groupVersionOf(key: string): GroupVersion {
  const [group = '', version = ''] = key.split('/')
  return [group, version]
}

function textOf([group, version]: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`
}

function isKnownGroup(group: string): boolean {
  return Object.hasOwn(retiredVersions, group) || builtinGroupVersions.some((builtin) => builtin.group === group)
}

function isKnownVersion([group, version]: GroupVersion): boolean {
  if (builtinGroupVersions.some((builtin) => builtin.group === group && builtin.version === version)) return true
  return Object.hasOwn(retiredVersions, group) && (retiredVersions[group] ?? '').split(' ').includes(version)
}

import type { UnstructuredObject } from 'steersman/api'
import { compareCodePoints, forbidden, StatusError } from 'steersman/api'
import type { AdmissionAttributes, AdmissionPlugin } from '../contracts/index.js'
import type { Amounts, ContainerResources, LimitedPodSpec } from './limits.js'
import { claimLimitErrors, type LimitItem, limitErrors, podAmounts } from './limits.js'
import { type Lookup, listAll } from './lookup.js'
import { objectName } from './object-name.js'

const limitRanges = { group: '', version: 'v1', plural: 'limitranges' }

/** Gives the containers of a new pod the defaults of the limit ranges of its namespace, and holds pods and claims to what these ranges allow. */
export function limitRanger(registry: Lookup): AdmissionPlugin {
  return {
    name: 'LimitRanger',
    async admit(attributes: AdmissionAttributes): Promise<UnstructuredObject | undefined> {
      const { object } = attributes
      if (object === undefined || !isPod(attributes)) return object
      return (await rangesFor(registry, attributes)).reduce(withDefaults, object)
    },
    async validate(attributes: AdmissionAttributes): Promise<void> {
      const { object } = attributes
      if (object === undefined || (!isPod(attributes) && !isClaim(attributes))) return
      for (const limits of await rangesFor(registry, attributes)) {
        const errors = isPod(attributes) ? podErrors(object, limits) : claimErrors(object, limits)
        if (errors.length === 0) continue
        const reasons = [...new Set(errors)]
        const reason = reasons.length === 1 ? (reasons[0] ?? '') : `[${reasons.join(', ')}]`
        throw new StatusError(forbidden(attributes.type, objectName(attributes), reason))
      }
    },
  }
}

function isPod({ type, operation, subresource }: AdmissionAttributes): boolean {
  return type.group === '' && type.kind === 'Pod' && operation === 'CREATE' && subresource === ''
}

function isClaim({ type, operation, subresource, oldObject }: AdmissionAttributes): boolean {
  const isWrite = operation === 'CREATE' || operation === 'UPDATE'
  return type.group === '' && type.kind === 'PersistentVolumeClaim' && isWrite && subresource === '' && !isTerminating(oldObject)
}

function isTerminating(object: UnstructuredObject | undefined): boolean {
  return object?.metadata.deletionTimestamp !== undefined
}

async function rangesFor(registry: Lookup, { namespace }: AdmissionAttributes): Promise<readonly (readonly LimitItem[])[]> {
  const ranges = await listAll(registry, limitRanges, namespace)
  return ranges.map(({ spec }) => (spec as { readonly limits?: readonly LimitItem[] | null } | undefined)?.limits ?? [])
}

const annotation = 'kubernetes.io/limit-ranger'

/** A pod with the defaults of one limit range, and an annotation that tells of them. */
function withDefaults(pod: UnstructuredObject, limits: readonly LimitItem[]): UnstructuredObject {
  const ofContainers = limits.filter(({ type }) => type === 'Container')
  const requests: Amounts = Object.assign({}, ...ofContainers.map(({ defaultRequest }) => defaultRequest))
  const defaults: Amounts = Object.assign({}, ...ofContainers.map((item) => item.default))
  const told: string[] = []
  const complete = (container: ContainerResources, what: string): ContainerResources => {
    const own = container.resources ?? {}
    const missing = (amounts: Amounts, present: Amounts = {}) => Object.keys(amounts).filter((name) => present[name] === undefined)
    const tell = (names: readonly string[], kind: string) => {
      if (names.length > 0) told.push(`${[...names].sort(compareCodePoints).join(', ')} ${kind} for ${what} ${container.name}`)
    }
    const [newRequests, newLimits] = [missing(requests, own.requests), missing(defaults, own.limits)]
    if (newRequests.length === 0 && newLimits.length === 0) return container
    tell(newRequests, 'request')
    tell(newLimits, 'limit')
    const resources = { ...own, limits: { ...defaults, ...own.limits }, requests: { ...requests, ...own.requests } }
    return { ...container, resources }
  }
  const spec = (pod.spec ?? {}) as LimitedPodSpec
  const containers = (spec.containers ?? []).map((container) => complete(container, 'container'))
  const initContainers = spec.initContainers?.map((container) => complete(container, 'init container'))
  if (told.length === 0) return pod
  const annotations = { ...pod.metadata.annotations, [annotation]: `LimitRanger plugin set: ${told.join('; ')}` }
  return {
    ...pod,
    metadata: { ...pod.metadata, annotations },
    spec: { ...spec, containers, ...(initContainers === undefined ? {} : { initContainers }) },
  }
}

function podErrors(pod: UnstructuredObject, limits: readonly LimitItem[]): readonly string[] {
  const spec = (pod.spec ?? {}) as LimitedPodSpec
  return limits.flatMap((limit) => {
    if (limit.type === 'Pod') return limitErrors(limit, podAmounts(spec, 'requests'), podAmounts(spec, 'limits'))
    if (limit.type !== 'Container') return []
    return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
      limitErrors(limit, resources?.requests ?? {}, resources?.limits ?? {}),
    )
  })
}

function claimErrors(claim: UnstructuredObject, limits: readonly LimitItem[]): readonly string[] {
  const { resources } = (claim.spec ?? {}) as ContainerResources
  return limits
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap((limit) => claimLimitErrors(limit, resources?.requests ?? {}))
}

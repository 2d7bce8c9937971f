import type { DefinitionTable } from './definition.js'

export const metaPackage = 'io.k8s.apimachinery.pkg.apis.meta.v1'

/** Definitions of meta/v1 that every OpenAPI document needs and that no kind refers to. */
export const metaDefinitions: Readonly<Record<string, DefinitionTable>> = {
  [`${metaPackage}.ListMeta`]: {
    continue: 'string',
    remainingItemCount: 'int64',
    resourceVersion: 'string',
    selfLink: 'string',
  },
  [`${metaPackage}.Status`]: {
    apiVersion: 'string',
    code: 'int32',
    details: `${metaPackage}.StatusDetails`,
    kind: 'string',
    message: 'string',
    metadata: `${metaPackage}.ListMeta`,
    reason: 'string',
    status: 'string',
  },
  [`${metaPackage}.StatusDetails`]: {
    causes: `[]${metaPackage}.StatusCause;list=atomic`,
    group: 'string',
    kind: 'string',
    name: 'string',
    retryAfterSeconds: 'int32',
    uid: 'string',
  },
  [`${metaPackage}.StatusCause`]: { field: 'string', message: 'string', reason: 'string' },
  [`${metaPackage}.DeleteOptions`]: {
    apiVersion: 'string',
    dryRun: '[]string;list=atomic',
    gracePeriodSeconds: 'int64',
    ignoreStoreReadErrorWithClusterBreakingPotential: 'boolean',
    kind: 'string',
    orphanDependents: 'boolean',
    preconditions: `${metaPackage}.Preconditions`,
    propagationPolicy: 'string',
  },
  [`${metaPackage}.Preconditions`]: { resourceVersion: 'string', uid: 'string' },
  'io.k8s.api.autoscaling.v1.Scale': {
    apiVersion: 'string',
    kind: 'string',
    metadata: `${metaPackage}.ObjectMeta`,
    spec: 'io.k8s.api.autoscaling.v1.ScaleSpec',
    status: 'io.k8s.api.autoscaling.v1.ScaleStatus',
  },
  'io.k8s.api.autoscaling.v1.ScaleSpec': { replicas: 'int32' },
  'io.k8s.api.autoscaling.v1.ScaleStatus': { replicas: 'int32!', selector: 'string' },
  'io.k8s.api.policy.v1.Eviction': {
    apiVersion: 'string',
    deleteOptions: `${metaPackage}.DeleteOptions`,
    kind: 'string',
    metadata: `${metaPackage}.ObjectMeta`,
  },
}

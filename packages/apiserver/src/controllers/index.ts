/**
 * Room `controllers`: the built-in controllers, as clients of any API server.
 *
 * They know nothing of the server they work with and would do the same against a real kube-apiserver: Deployments become ReplicaSets, ReplicaSets become pods,
 * what lost its owner is collected, what is in a deleted namespace goes with it, volumes that are in use stay, and every namespace gets what pods need.
 *
 * Promises: level triggered (whatever was missed while they were down is made up for); no write when nothing is to be done; statuses, conditions,
 * events and their texts are those of kube-controller-manager; no object is deleted on the word of a cache alone.
 *
 * Deliberately not here: pods coming to life (room `nodes`), and anything that reads the server's memory instead of its API.
 */
import { type ControllerHost, type Logger, Manager } from 'steersman'
import type { Environment, Transport } from 'steersman/environment'
import { addClusterRoleAggregation } from './cluster-role-aggregation.js'
import { addDeploymentController } from './deployment.js'
import { addGarbageCollector } from './garbage-collector.js'
import { addNamespaceController } from './namespace.js'
import { addReplicaSetController } from './replica-set.js'
import { addRootCertificatePublisher, addServiceAccountController } from './service-account.js'
import {
  addPersistentVolumeClaimProtection,
  addPersistentVolumeProtection,
  addVolumeAttributesClassProtection,
} from './volume-protection.js'

/** Options of the built-in controllers. */
export interface BuiltinControllerOptions {
  /** PEM of the authority that signed the API server's certificate. Without it no `kube-root-ca.crt` is published. */
  readonly rootCertificate?: string
}

/** Adds a controller to a manager, before its start. */
export type AddController = (manager: ControllerHost, options?: BuiltinControllerOptions) => void

/** The built-in controllers by the names that kube-controller-manager gives them. */
export const builtinControllers: Readonly<Record<string, AddController>> = {
  'serviceaccount-controller': addServiceAccountController,
  'root-ca-certificate-publisher-controller': (manager, options) => {
    if (options?.rootCertificate !== undefined) addRootCertificatePublisher(manager, options.rootCertificate)
  },
  'namespace-controller': addNamespaceController,
  'garbage-collector-controller': addGarbageCollector,
  'deployment-controller': addDeploymentController,
  'replicaset-controller': addReplicaSetController,
  'clusterrole-aggregation-controller': addClusterRoleAggregation,
  'persistentvolumeclaim-protection-controller': addPersistentVolumeClaimProtection,
  'persistentvolume-protection-controller': addPersistentVolumeProtection,
  'volumeattributesclass-protection-controller': addVolumeAttributesClassProtection,
}

/** Short names of {@link builtinControllers}. */
export const controllerAliases: Readonly<Record<string, string>> = {
  serviceaccount: 'serviceaccount-controller',
  'root-ca-cert-publisher': 'root-ca-certificate-publisher-controller',
  namespace: 'namespace-controller',
  garbagecollector: 'garbage-collector-controller',
  deployment: 'deployment-controller',
  replicaset: 'replicaset-controller',
  'clusterrole-aggregation': 'clusterrole-aggregation-controller',
  'pvc-protection': 'persistentvolumeclaim-protection-controller',
  'pv-protection': 'persistentvolume-protection-controller',
}

/**
 * Adds built-in controllers to a manager.
 *
 * @param names names or aliases; `*` means all, `-name` leaves one out
 * @throws {RangeError} for a name that no controller has.
 */
export function addBuiltinControllers(
  manager: ControllerHost,
  names: readonly string[] = ['*'],
  options: BuiltinControllerOptions = {},
): void {
  const all = Object.keys(builtinControllers)
  const chosen = new Set<string>()
  for (const name of names) {
    const isLeftOut = name.startsWith('-')
    const given = isLeftOut ? name.slice(1) : name
    const meant = given === '*' ? all : [controllerAliases[given] ?? given]
    for (const controller of meant) {
      if (!(controller in builtinControllers))
        throw new RangeError(`Cannot add controller "${given}": there is none of that name; there are ${all.join(', ')}`)
      if (isLeftOut) chosen.delete(controller)
      else chosen.add(controller)
    }
  }
  for (const name of all) if (chosen.has(name)) builtinControllers[name]?.(manager, options)
}

/** What {@link createBuiltinControllers} works with. */
export interface BuiltinControllersEnvironment extends BuiltinControllerOptions {
  readonly environment: Environment
  /** To the API server, as a user who may do everything. The controllers close it when they stop. */
  readonly transport: Transport
  readonly logger: Logger
}

/** Something that runs until its signal aborts. */
export interface RunningPart {
  readonly name: string
  start(signal: AbortSignal): Promise<void>
}

/**
 * Built-in controllers as one part of a process: they share a manager of their own, so one connection and one cache.
 *
 * @param names as for {@link addBuiltinControllers}; none make no part
 */
export function createBuiltinControllers(names: readonly string[], options: BuiltinControllersEnvironment): readonly RunningPart[] {
  if (names.length === 0) return []
  const { environment, transport, logger } = options
  // They follow every kind there is, deprecated ones too, as kube-controller-manager does without a word.
  const manager = new Manager({ environment, transport, logger, suppressWarnings: true })
  addBuiltinControllers(manager, names, options)
  return [{ name: 'kube-controller-manager', start: (signal) => manager.start(signal) }]
}

export {
  addClusterRoleAggregation,
  addDeploymentController,
  addGarbageCollector,
  addNamespaceController,
  addPersistentVolumeClaimProtection,
  addPersistentVolumeProtection,
  addReplicaSetController,
  addRootCertificatePublisher,
  addServiceAccountController,
  addVolumeAttributesClassProtection,
}

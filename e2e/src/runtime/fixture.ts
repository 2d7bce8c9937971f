import {
  type Client,
  createClient,
  customResourceDefinition,
  ignoreAlreadyExists,
  isConditionTrue,
  Manager,
  type ManagerOptions,
} from 'steersman'
import type { AnyDefinedResourceType } from 'steersman/api'
import { CustomResourceDefinition } from 'steersman/api/types/apiextensions/v1'
import { Deployment } from 'steersman/api/types/apps/v1'
import { ConfigMap, Namespace, Secret } from 'steersman/api/types/core/v1'
import type { Transport, TransportUser } from 'steersman/environment'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { CapturedLogger } from './captured-logger.js'
import { Gadget } from './gadget.js'
import type { ClusterKind, TestCluster } from './test-cluster.js'
import { until, within } from './until.js'

/** A manager that runs, and its end. */
export interface RunningManager {
  readonly manager: Manager
  readonly logger: CapturedLogger
  /** Settles as `manager.start` does. */
  readonly running: Promise<void>
  /** Stops it. @throws what `start` throws. */
  stop(): Promise<void>
}

/** What each suite works with: one cluster, with the Gadget resource installed. */
export class Fixture {
  readonly kind: ClusterKind
  #cluster: TestCluster | undefined
  #client: Client | undefined
  #transport: Transport | undefined
  #count = 0
  readonly #suffix = Math.random().toString(36).slice(2, 8)

  constructor(kind: ClusterKind) {
    this.kind = kind
  }

  get cluster(): TestCluster {
    if (this.#cluster === undefined) throw new Error('The cluster has not started')
    return this.#cluster
  }

  /** An administrator's client, without a cache. */
  get client(): Client {
    if (this.#client === undefined) throw new Error('The cluster has not started')
    return this.#client
  }

  async start(): Promise<void> {
    this.#cluster = await this.kind.start()
    this.#transport = this.#cluster.transport()
    this.#client = createClient({ environment: this.#cluster.environment, transport: this.#transport })
    await this.install(Gadget)
  }

  async stop(): Promise<void> {
    await this.#transport?.close()
    await this.#cluster?.stop()
  }

  /** A name that nobody else uses. */
  name(stem: string): string {
    this.#count += 1
    return `${stem}-${this.#suffix}-${this.#count}`
  }

  /** A namespace of the test's own. */
  async namespace(): Promise<string> {
    const name = this.name('e2e')
    await this.client.create(Namespace, { metadata: { name } })
    onTestFinished(() => this.#removeNamespace(name))
    return name
  }

  /** A transport that closes with the test. */
  transport(user?: TransportUser): Transport {
    const transport = this.cluster.transport(user)
    onTestFinished(() => transport.close())
    return transport
  }

  /** A client over a transport of the test's own. */
  clientOver(transport: Transport): Client {
    return createClient({ environment: this.cluster.environment, transport })
  }

  /** Installs a custom resource and waits until the server serves it. */
  async install(type: AnyDefinedResourceType): Promise<void> {
    const crd = customResourceDefinition(type)
    const key = { name: `${type.plural}.${type.group}` }
    await until(`${key.name} to be created`, async () => {
      // The name of one that is still terminating is taken.
      const present = await this.client.create(CustomResourceDefinition, crd).catch(ignoreAlreadyExists)
      return present !== undefined || (await this.client.get(CustomResourceDefinition, key)).metadata.deletionTimestamp === undefined
    })
    await until(`${key.name} to be established`, async () => {
      const { status } = await this.client.get(CustomResourceDefinition, key)
      return isConditionTrue(status?.conditions ?? [], 'Established')
    })
    await until(`${key.name} to be served`, () => this.client.list(type))
  }

  /** Removes a custom resource and waits until it is gone. */
  async uninstall(type: AnyDefinedResourceType): Promise<void> {
    const key = { name: `${type.plural}.${type.group}` }
    await this.client.delete(CustomResourceDefinition, key)
    await until(`${key.name} to be gone`, async () => !(await this.#exists(key.name)))
  }

  /** A manager of the cluster that is not started. */
  manager(options: ManagerOptions = {}): Manager {
    return new Manager({
      environment: this.cluster.environment,
      logger: new CapturedLogger(),
      ...(options.config === undefined ? { transport: this.cluster.transport() } : {}),
      ...options,
    })
  }

  /** Starts a manager; it stops with the test. */
  run(setup: (manager: Manager) => void, options: ManagerOptions = {}): RunningManager {
    const logger = new CapturedLogger()
    const manager = this.manager({ logger, ...options })
    setup(manager)
    const stop = new AbortController()
    const running = manager.start(stop.signal)
    // Whoever awaits it sees the error; here it only must not be called unhandled.
    running.catch(() => undefined)
    const end = async (): Promise<void> => {
      stop.abort(new Error('the test is over'))
      await within('the manager to stop', running)
    }
    onTestFinished(async () => {
      await end().catch(() => undefined)
    })
    return { manager, logger, running, stop: end }
  }

  async #exists(crd: string): Promise<boolean> {
    const { items } = await this.client.list(CustomResourceDefinition, { fieldSelector: `metadata.name=${crd}` })
    return items.length > 0
  }

  /** No controller does it here: what the tests make is deleted, then the namespace is finalised by hand. */
  async #removeNamespace(name: string): Promise<void> {
    if (this.kind.isShared !== true) return
    const { client } = this
    for (const type of [ConfigMap, Secret, Deployment, Gadget]) await client.deleteCollection(type, { namespace: name })
    await client.delete(Namespace, { name })
    const namespace = await client.get(Namespace, { name })
    await client.subresource('finalize').update(Namespace, { ...namespace, spec: { finalizers: [] } })
  }
}

/** Starts a cluster for the tests of the enclosing `describe`. */
export function useFixture(kind: ClusterKind): Fixture {
  const fixture = new Fixture(kind)
  beforeAll(() => fixture.start())
  afterAll(() => fixture.stop())
  return fixture
}

import { type ControlPlane, startControlPlane } from '@steersman/apiserver'
import { addBuiltinControllers } from '@steersman/apiserver/controllers'
import { addScheduler, addSimulatedNodes, type SimulatedNodesOptions } from '@steersman/apiserver/nodes'
import { type Client, createClient, type LogFacts, type Logger, Manager } from 'steersman'
import type { AnyResourceType, KubernetesObject, ResourceOf } from 'steersman/api'
import { type TransportResponse, type VirtualProcess, VirtualWorld } from 'steersman/environment'

/** A write that the server answered with success. */
export interface Write {
  readonly atMs: number
  readonly client: string
  readonly method: string
  readonly path: string
}

/** Options of {@link ControlledWorld.open}. */
export interface ControlledWorldOptions {
  /** @default 1 */
  readonly seed?: number
  /** @default 3 */
  readonly nodes?: number
  readonly simulation?: Omit<SimulatedNodesOptions, 'count'>
  /** @default all */
  readonly controllers?: readonly string[]
}

/** An API server, the built-in controllers and simulated nodes, each a process of its own in a virtual world. */
export class ControlledWorld {
  readonly world: VirtualWorld
  readonly server: ControlPlane
  readonly client: Client
  readonly user: VirtualProcess
  readonly writes: Write[] = []
  /** Errors that the components logged. */
  readonly errors: string[] = []
  readonly #options: ControlledWorldOptions
  readonly #stops = new Map<string, () => void>()

  private constructor(world: VirtualWorld, server: ControlPlane, options: ControlledWorldOptions) {
    this.world = world
    this.server = server
    this.#options = options
    this.user = world.process('user')
    const { server: url, user } = this.#config
    this.client = createClient({ environment: this.user, transport: this.user.network.connect(url, { user: user! }) })
    world.network.intercept({
      response: (exchange, response: TransportResponse) => {
        const { method, path } = exchange.request
        if (method !== 'GET' && response.status < 300)
          this.writes.push({ atMs: world.elapsedMs, client: exchange.client.name, method, path })
        return undefined
      },
    })
  }

  get #config() {
    return this.server.clientConfig!
  }

  /** Starts everything. */
  static async open(options: ControlledWorldOptions = {}): Promise<ControlledWorld> {
    const world = new VirtualWorld({ seed: options.seed ?? 1, maxLatencyMs: 2 })
    const process = world.process('control-plane')
    const server = await world.run(startControlPlane({ environment: process, controllers: 'none' }))
    const controlled = new ControlledWorld(world, server, options)
    controlled.startControllers()
    controlled.startNodes()
    return controlled
  }

  startControllers(): void {
    this.#start('controllers', (manager) => addBuiltinControllers(manager, this.#options.controllers ?? ['*'], { rootCertificate: 'PEM' }))
  }

  startNodes(): void {
    const { nodes: count = 3, simulation } = this.#options
    if (count === 0) return
    this.#start('nodes', (manager) => {
      addScheduler(manager)
      addSimulatedNodes(manager, { count, ...simulation })
    })
  }

  /** SIGKILL. */
  kill(name: 'controllers' | 'nodes'): void {
    this.#stops.get(name)?.()
  }

  run<T>(part: Promise<T>): Promise<T> {
    return this.world.run(part, { maxVirtualMs: 4 * 3_600_000 })
  }

  /** Resolves when `check` returns something; it is asked every 50 virtual milliseconds. */
  async until<T>(what: string, check: () => Promise<T | undefined | false>, withinMs = 60_000): Promise<T> {
    const deadline = this.world.elapsedMs + withinMs
    for (;;) {
      const found = await check()
      if (found !== undefined && found !== false) return found
      if (this.world.elapsedMs >= deadline)
        throw new Error(`Not within ${withinMs} ms: ${what}. Errors: ${this.errors.slice(-5).join('; ')}`)
      await this.user.sleep(50)
    }
  }

  /** Resolves when an object is gone. */
  gone(type: AnyResourceType, key: { readonly namespace?: string; readonly name: string }, withinMs?: number): Promise<true> {
    return this.until(
      `${type.kind} ${key.name} is gone`,
      async () => {
        const list = await this.client.list(type, { ...(key.namespace === undefined ? {} : { namespace: key.namespace }) })
        return list.items.every((item: { metadata: { name: string } }) => item.metadata.name !== key.name)
      },
      withinMs,
    )
  }

  /** The history of a kind from now on, one entry per change, in the server's order. */
  async follow<Type extends AnyResourceType>(type: Type, onChange: (present: readonly ResourceOf<Type>[]) => void): Promise<void> {
    const list = await this.client.list(type)
    const present = new Map<string, ResourceOf<Type>>()
    for (const item of list.items) present.set((item as KubernetesObject).metadata.uid ?? '', item)
    const watch = async (): Promise<void> => {
      let resourceVersion = list.metadata.resourceVersion ?? ''
      for (;;) {
        for await (const batch of this.client.watch(type, { resourceVersion }))
          for (const event of batch) {
            if (event.type === 'ERROR') throw new Error(`Watch of ${type.kind} failed`)
            const object = event.object as KubernetesObject
            resourceVersion = object.metadata.resourceVersion ?? resourceVersion
            if (event.type === 'DELETED') present.delete(object.metadata.uid ?? '')
            else if (event.type !== 'BOOKMARK') present.set(object.metadata.uid ?? '', event.object as ResourceOf<Type>)
            onChange([...present.values()])
          }
      }
    }
    watch().catch((error: unknown) => void this.errors.push(`follow: ${String(error)}`))
  }

  /** Writes since a virtual time, as `METHOD path`, by whom. */
  writesSince(elapsedMs: number): readonly string[] {
    return this.writes.filter(({ atMs }) => atMs > elapsedMs).map(({ client, method, path }) => `${client} ${method} ${path}`)
  }

  #start(name: string, add: (manager: Manager) => void): void {
    const process = this.world.process(name)
    const manager = new Manager({ environment: process, config: this.#config, logger: this.#logger(name), suppressWarnings: true })
    add(manager)
    const stop = new AbortController()
    manager.start(stop.signal).catch((error: unknown) => void this.errors.push(`${name}: ${String(error)}`))
    this.#stops.set(name, () => process.kill())
  }

  #logger(name: string): Logger {
    const logger: Logger = {
      debug: () => {},
      info: () => {},
      warn: (message: string, facts?: LogFacts) => void this.errors.push(`${name}: ${message} ${JSON.stringify(facts ?? {})}`),
      error: (error: unknown, message: string) => void this.errors.push(`${name}: ${message}: ${String(error)}`),
      with: () => logger,
    }
    return logger
  }
}

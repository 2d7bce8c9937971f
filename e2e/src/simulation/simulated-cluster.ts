import { type ControllerSelection, type ControlPlane, startControlPlane } from '@steersman/apiserver'
import {
  type AnyDefinedResourceType,
  type AnyResourceType,
  type Client,
  type ClientConfig,
  createClient,
  customResourceDefinition,
  type Logger,
  Manager,
} from 'steersman'
import { CustomResourceDefinition } from 'steersman/api/types/apiextensions/v1'
import { type InterceptedExchange, TransportError, type TransportResponse, type VirtualProcess, VirtualWorld } from 'steersman/environment'
import { ClusterObserver } from './cluster-observer.js'
import { CourseRecorder } from './course-recorder.js'
import { SwitchableNetwork } from './switchable-network.js'

/** Options of {@link SimulatedCluster.open}. */
export interface SimulatedClusterOptions {
  readonly seed: number
  /** @default 0 */
  readonly nodes?: number
  /** @default 'none' */
  readonly controllers?: ControllerSelection
  /** Everything that crosses the network takes 0 to this many milliseconds. @default drawn by the seed */
  readonly maxLatencyMs?: number
  /** How many entries of the trace to keep as text. @default 0 */
  readonly traceEntries?: number
}

/** A write that the server answered with success. */
export interface Write {
  readonly atMs: number
  /** The process that asked. */
  readonly client: string
  readonly method: string
  readonly path: string
}

/** Makes a program of a manager that is not started yet. */
export type Program = (manager: Manager) => void

const CONTROL_PLANE = 'control-plane'

/** A control plane, operators and a user in one virtual world. */
export class SimulatedCluster {
  readonly world: VirtualWorld
  readonly controlPlane: ControlPlane
  /** The process of whoever plays the scenario. */
  readonly user: VirtualProcess
  /** The user's own, uncached. */
  readonly client: Client
  readonly observer: ClusterObserver
  /** Every write that the server applied, by anybody. */
  readonly writes: Write[] = []
  /** How many requests each process has sent, watches included. */
  readonly requests = new Map<string, number>()
  /** What managers failed with. */
  readonly failures: unknown[] = []
  readonly course: CourseRecorder
  readonly #config: ClientConfig
  readonly #listener: SwitchableNetwork
  readonly #operators = new Map<
    string,
    { readonly process: VirtualProcess; readonly stop: AbortController; readonly running: Promise<void> }
  >()
  readonly #end = new AbortController()
  readonly #following: Promise<void>[] = []

  private constructor(world: VirtualWorld, controlPlane: ControlPlane, listener: SwitchableNetwork, course: CourseRecorder) {
    this.world = world
    this.controlPlane = controlPlane
    this.course = course
    this.#listener = listener
    this.#config = controlPlane.clientConfig!
    this.user = world.process('user')
    this.client = createClient({
      environment: this.user,
      transport: this.user.network.connect(this.#config.server, { user: this.#config.user! }),
    })
    this.observer = new ClusterObserver(this.user, this.client)
    world.network.intercept({
      request: (exchange) => this.#countRequest(exchange),
      response: (exchange, response) => this.#recordWrite(exchange, response),
    })
  }

  /** Starts the control plane in a new world. */
  static async open(options: SimulatedClusterOptions): Promise<SimulatedCluster> {
    const { seed, nodes = 0, controllers = 'none', traceEntries = 0 } = options
    const maxLatencyMs = options.maxLatencyMs ?? latencies[seed % latencies.length]!
    const world = new VirtualWorld({ seed, maxLatencyMs, traceEntries })
    const course = new CourseRecorder()
    world.network.intercept(course)
    const listener = new SwitchableNetwork(world.process(CONTROL_PLANE))
    const controlPlane = await world.run(startControlPlane({ environment: listener.environment, nodes, controllers }))
    return new SimulatedCluster(world, controlPlane, listener, course)
  }

  /** Runs a part of the scenario. */
  run<T>(part: Promise<T>): Promise<T> {
    return this.world.run(part, { maxVirtualMs: 3_600_000, maxEvents: 1_000_000 })
  }

  async install(type: AnyDefinedResourceType): Promise<void> {
    await this.client.create(CustomResourceDefinition, customResourceDefinition(type))
  }

  /** Lets the observer follow a kind until the end. */
  async follow(type: AnyResourceType): Promise<void> {
    this.#following.push((await this.observer.follow(type, this.#end.signal)).ended)
  }

  /** Starts a program as a process of its own; after a kill, its next incarnation. */
  startOperator(name: string, program: Program, options: { readonly readYourOwnWrites?: boolean; readonly logger?: Logger } = {}): void {
    const process = this.world.process(name)
    const manager = new Manager({ environment: process, config: this.#config, ...options })
    program(manager)
    const stop = new AbortController()
    const running = manager.start(stop.signal).catch((error: unknown) => void this.failures.push(error))
    this.#operators.set(name, { process, stop, running })
  }

  /** SIGKILL. */
  killOperator(name: string): void {
    this.#operators.get(name)?.process.kill()
  }

  /** SIGTERM; resolves when it has ended. */
  async stopOperator(name: string): Promise<void> {
    const operator = this.#operators.get(name)
    if (operator === undefined || !operator.process.alive) return
    operator.stop.abort(new DOMException('The operator is told to stop', 'AbortError'))
    await operator.running
    operator.process.kill()
  }

  /**
   * Nobody reaches the server for so long: its connections fall silent, or are broken and refused.
   *
   * @returns how often each process asked each thing meanwhile: by `operator GET /apis/…`.
   */
  async outage(kind: 'silent' | 'refused', milliseconds: number): Promise<ReadonlyMap<string, number>> {
    const asked = new Map<string, number>()
    const stopCounting = this.world.network.intercept(({ client, request }) => {
      const what = `${client.name} ${request.method} ${request.path}`
      asked.set(what, (asked.get(what) ?? 0) + 1)
      return undefined
    })
    if (kind === 'silent') this.world.network.partition(CONTROL_PLANE, true)
    else await this.#listener.down()
    await this.user.sleep(milliseconds)
    if (kind === 'silent') this.world.network.partition(CONTROL_PLANE, false)
    else this.#listener.up()
    stopCounting()
    return asked
  }

  /** Repeats what did not reach the server, as a person would. Let `act` bear being applied twice. */
  async persist<T>(act: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await act()
      } catch (error) {
        if (!(error instanceof TransportError)) throw error
        await this.user.sleep(1000)
      }
    }
  }

  /** Ends everything in good order. @returns what is still awaited then, which should be nothing. */
  async close(): Promise<string[]> {
    for (const name of this.#operators.keys()) await this.run(this.stopOperator(name))
    this.#end.abort(new DOMException('The scenario is over', 'AbortError'))
    await this.run(Promise.all(this.#following))
    await this.run(this.controlPlane.stop())
    return this.world.pending()
  }

  #countRequest({ client }: InterceptedExchange): undefined {
    this.requests.set(client.name, (this.requests.get(client.name) ?? 0) + 1)
  }

  #recordWrite({ client, request }: InterceptedExchange, response: TransportResponse): undefined {
    if (request.method === 'GET' || response.status >= 300) return
    this.writes.push({ atMs: this.world.elapsedMs, client: client.name, method: request.method, path: request.path })
  }
}

/** From a process beside the server to one on another continent. */
const latencies = [0, 1, 3, 10, 30, 100]

import type { Environment, Transport } from 'steersman/environment'
import type { Logger } from 'steersman/internal'

/** What runs beside the API server and talks to it as any client does: a controller, simulated nodes. */
export interface Component {
  /** As `--controllers` names it. */
  readonly name: string
  /** Runs until the signal aborts; settles after all work has stopped. */
  start(signal: AbortSignal): Promise<void>
}

/** What a component is made of. */
export interface ComponentOptions {
  /** In process, as a member of `system:masters`. */
  readonly transport: Transport
  readonly environment: Environment
  readonly logger: Logger
  /** What pods trust the server by, as PEM; absent when it does not listen with TLS. */
  readonly rootCertificate?: string
}

/** The built-in controllers: what there is, and how to make some of them. Nothing runs before it is started. */
export interface ControllerFactory {
  readonly names: readonly string[]
  /** Other names, and the names they stand for. */
  readonly aliases: Readonly<Record<string, string>>
  create(names: readonly string[], options: ComponentOptions): readonly Component[]
}

/** Makes simulated nodes. */
export type NodeFactory = (count: number, options: ComponentOptions) => readonly Component[]

/** Which controllers run: all of them, none, or those named. */
export type ControllerSelection = 'all' | 'none' | readonly string[]

/** The names of a selection. @throws {RangeError} for a name that no controller has. */
export function selectControllers(
  factory: Pick<ControllerFactory, 'names' | 'aliases'>,
  selection: ControllerSelection,
): readonly string[] {
  const { names, aliases } = factory
  if (selection === 'all') return names
  if (selection === 'none') return []
  const wanted = selection.map((given) => aliases[given] ?? given)
  const unknown = wanted.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw new RangeError(`Cannot start controller "${unknown}": no controller has this name; expected one of ${names.join(', ')}`)
  }
  return names.filter((name) => wanted.includes(name))
}

/** Components that run together. */
export class RunningComponents {
  readonly #stop = new AbortController()
  readonly #running: Promise<void>[]

  /** Starts them. One that fails is logged; the others go on. */
  constructor(components: readonly Component[], logger: Logger) {
    this.#running = components.map((component) => this.#run(component, logger))
  }

  async #run(component: Component, logger: Logger): Promise<void> {
    const { name } = component
    try {
      await component.start(this.#stop.signal)
      if (!this.#stop.signal.aborted) logger.warn('Component ended by itself', { component: name })
    } catch (error) {
      if (!this.#stop.signal.aborted) logger.error(error, 'Component failed', { component: name })
    }
  }

  /** Resolves when all have stopped. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('the control plane is stopping'))
    await Promise.all(this.#running)
  }
}

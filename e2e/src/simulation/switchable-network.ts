import type { Environment, Listener, Network, RequestHandler, VirtualProcess } from 'steersman/environment'

/**
 * A server process whose listener can go down and come up again while the server itself keeps its state: what its clients see when an API server
 * with durable storage restarts. Streams break, requests are refused, then everything is as it was.
 */
export class SwitchableNetwork {
  /** The process with this network in place of its own. */
  readonly environment: Environment
  readonly #network: Network
  #url = ''
  #handler: RequestHandler | undefined
  #listener: Listener | undefined

  constructor(process: VirtualProcess) {
    this.#network = process.network
    this.environment = {
      now: () => process.now(),
      monotonicMs: () => process.monotonicMs(),
      sleep: (milliseconds, signal) => process.sleep(milliseconds, signal),
      timer: (milliseconds, callback, options) => process.timer(milliseconds, callback, options),
      random: () => process.random(),
      uuid: () => process.uuid(),
      hostname: () => process.hostname(),
      deliver: (label, promise) => process.deliver(label, promise),
      hold: (promise) => process.hold(promise),
      network: { connect: (url, options) => this.#network.connect(url, options), listen: (url, handler) => this.#listen(url, handler) },
    }
  }

  /** Stops listening and breaks what is open. */
  async down(): Promise<void> {
    await this.#listener?.close()
    this.#listener = undefined
  }

  /** Listens again. */
  up(): void {
    this.#listener ??= this.#network.listen(this.#url, this.#handler!)
  }

  #listen(url: string, handler: RequestHandler): Listener {
    this.#url = url
    this.#handler = handler
    this.#listener = this.#network.listen(url, handler)
    return { url: this.#listener.url, close: () => this.down() }
  }
}

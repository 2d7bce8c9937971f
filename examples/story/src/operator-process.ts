import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The widget operator as a process of its own, as it would run in production. */
export class OperatorProcess {
  readonly #kubeconfig: string
  readonly #onLine: (line: string) => void
  #child: ChildProcess | undefined

  constructor(kubeconfig: string, onLine: (line: string) => void) {
    this.#kubeconfig = kubeconfig
    this.#onLine = onLine
  }

  start(): void {
    const main = fileURLToPath(new URL('../../widget/dist/main.js', import.meta.url))
    const child = spawn(process.execPath, [main], {
      env: { ...process.env, KUBECONFIG: this.#kubeconfig },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    createInterface({ input: child.stderr }).on('line', this.#onLine)
    this.#child = child
  }

  /** Ends the process at once, in the middle of whatever it does. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Asks the process to stop and waits for it. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (child === undefined || !this.isRunning) return
    const exited = once(child, 'exit')
    child.kill(signal)
    const giveUp = setTimeout(() => child.kill('SIGKILL'), 5000)
    await exited
    clearTimeout(giveUp)
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Runs a program until it ends or its own input does: also when this process is killed, nothing is left running. */
const keeper = 'exec 3<&0; "$@" & pid=$!; { cat <&3; kill $pid; } >/dev/null 2>&1 & wait $pid'

/** `whole`: with two nodes and all controllers. `server`: with neither. */
export type ControlPlaneKind = 'whole' | 'server'

/** A program of ours that runs beside the session. */
export class Program {
  readonly #name: string
  readonly #child: ChildProcess
  #output = ''

  private constructor(name: string, args: readonly string[], environment: NodeJS.ProcessEnv) {
    this.#name = name
    const command = ['-c', keeper, 'keeper', process.execPath, ...args]
    this.#child = spawn('/bin/sh', command, { cwd: root, env: environment, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
    this.#child.once('exit', () => this.#child.stdin?.destroy())
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#keep(text))
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#keep(text))
  }

  /** Starts the embedded control plane; resolves when it says that it is ready. */
  static async controlPlane(kubeconfig: string, kind: ControlPlaneKind): Promise<Program> {
    const beside = kind === 'whole' ? ['--nodes', '2'] : ['--nodes', '0', '--controllers', 'none']
    const args = ['packages/apiserver/dist/bin/control-plane.js', '--kubeconfig', kubeconfig, ...beside]
    const program = new Program('control plane', args, { PATH: process.env.PATH })
    await program.#says(/is ready/)
    return program
  }

  /** Starts the operator of Widgets. */
  static operator(kubeconfig: string): Program {
    return new Program('operator', ['examples/widget/dist/main.js'], { PATH: process.env.PATH, KUBECONFIG: kubeconfig })
  }

  /** Asks it to end; resolves to its exit code. Kills it when it takes longer than five seconds. */
  async stop(): Promise<number | null> {
    const child = this.#child
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const timer = setTimeout(() => process.kill(-(child.pid ?? Number.NaN), 'SIGKILL'), 5000)
    child.stdin?.end()
    const [code] = (await once(child, 'exit')) as [number | null]
    clearTimeout(timer)
    return code
  }

  /** The last that it printed. */
  get output(): string {
    return this.#output
  }

  async #says(pattern: RegExp): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const look = () => pattern.test(this.#output) && resolve()
      this.#child.stdout?.on('data', look)
      this.#child.once('exit', (code) => reject(new Error(`The ${this.#name} ended with ${code}: ${this.#output}`)))
    })
  }

  #keep(text: string): void {
    this.#output = (this.#output + text).slice(-100_000)
  }
}

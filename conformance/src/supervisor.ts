import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { conformanceFolder } from './control-plane-binaries.js'

/** A program that the supervisor runs. */
export interface Program {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
}

/** A process of a program. */
export interface SupervisedProcess {
  readonly pid: number
  /** When it was started, in milliseconds of Unix time. */
  readonly atMs: number
}

/** Programs in a folder that end, and a folder that goes, when this process does: `bin/supervisor.mjs` watches a pipe from here. */
export class Supervisor {
  readonly #child: ChildProcess
  readonly #gone: Promise<void>
  /** The name of a program that ended by itself. */
  exited: string | undefined
  /** The programs that were started, by name. */
  readonly processes = new Map<string, SupervisedProcess>()

  constructor(folder: string, programs: readonly Program[]) {
    const script = fileURLToPath(new URL('bin/supervisor.mjs', conformanceFolder))
    this.#child = spawn(process.execPath, [script, JSON.stringify({ folder, programs })], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#gone = new Promise((resolve) => this.#child.once('exit', () => resolve()))
    this.#child.stdin?.on('error', () => undefined)
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      const told = JSON.parse(line) as { readonly exited: string } | (SupervisedProcess & { readonly started: string })
      if ('started' in told) this.processes.set(told.started, { pid: told.pid, atMs: told.atMs })
      else this.exited ??= told.exited
    })
  }

  start(program: Program): void {
    this.#child.stdin?.write(`${JSON.stringify(program)}\n`)
  }

  /** Resolves when all programs and the folder are gone. */
  async stop(): Promise<void> {
    this.#child.stdin?.end()
    await this.#gone
  }
}

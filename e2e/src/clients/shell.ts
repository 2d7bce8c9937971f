import { type ChildProcess, spawn } from 'node:child_process'
import type { Command, Outcome, Until } from './command.js'

/** No command may take longer. */
const commandTimeoutMs = 90_000

/** Where and with which programs lines run. */
export interface ShellOptions {
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
}

/** Runs one command of a session to its end, or as far as it says. */
export async function runCommand({ run, until }: Command, options: ShellOptions): Promise<Outcome> {
  const running = new RunningLine(run, options)
  if (until === undefined) return running.ended
  try {
    for (const step of until) await follow(running, step, options)
  } finally {
    running.interrupt()
  }
  return { ...(await running.ended), exit: 0 }
}

async function follow(running: RunningLine, { meanwhile, shows }: Until, options: ShellOptions): Promise<void> {
  if (meanwhile !== undefined) {
    const beside = await new RunningLine(meanwhile, options).ended
    if (beside.exit !== 0) throw new Error(`Cannot run beside it "${meanwhile}": ${beside.stderr}`)
  }
  await running.shown(shows)
}

/** One line in a shell of its own. */
class RunningLine {
  readonly ended: Promise<Outcome>
  readonly #line: string
  readonly #child: ChildProcess
  #stdout = ''
  #stderr = ''
  #onOutput: () => void = () => {}

  constructor(line: string, { folder, environment }: ShellOptions) {
    this.#line = line
    // A group of its own, so that a signal reaches everything in the line.
    this.#child = spawn('/bin/sh', ['-c', line], { cwd: folder, env: environment, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#add(text, ''))
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#add('', text))
    const timer = setTimeout(() => this.#signal('SIGKILL'), commandTimeoutMs)
    this.ended = new Promise((resolve, reject) => {
      this.#child.once('error', reject)
      this.#child.once('close', (code) => {
        clearTimeout(timer)
        resolve({ exit: code ?? -1, stdout: this.#stdout, stderr: this.#stderr })
      })
    })
  }

  /** Resolves once the line has printed what matches. @throws when it ends before. */
  async shown(pattern: RegExp): Promise<void> {
    const matched = new Promise<void>((resolve) => {
      this.#onOutput = () => {
        if (pattern.test(this.#stdout)) resolve()
      }
      this.#onOutput()
    })
    const ended = this.ended.then(() => {
      throw new Error(`"${this.#line}" ended without ${pattern}; it printed:\n${this.#stdout}${this.#stderr}`)
    })
    await Promise.race([matched, ended])
    this.#onOutput = () => {}
  }

  interrupt(): void {
    this.#signal('SIGINT')
  }

  #add(stdout: string, stderr: string): void {
    this.#stdout += stdout
    this.#stderr += stderr
    this.#onOutput()
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid, exitCode, signalCode } = this.#child
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal)
  }
}

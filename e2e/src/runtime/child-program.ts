import { type ChildProcess, spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { until, within } from './until.js'

export interface ProgramLine {
  readonly level: string
  readonly time: string
  readonly msg: string
  readonly [fact: string]: unknown
}

/** A program of ours in a process of its own; it is killed with the test. */
export class ChildProgram {
  readonly #child: ChildProcess
  readonly #exit: Promise<string>
  stdout = ''
  stderr = ''

  /** @param path of the compiled program, from the root of the repository. */
  constructor(path: string, env: Readonly<Record<string, string>>) {
    const file = new URL(`../../../${path}`, import.meta.url)
    const child = spawn(process.execPath, [file.pathname], { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    this.#exit = new Promise((resolve) => child.on('close', (code, signal) => resolve(code === null ? String(signal) : `code ${code}`)))
    onTestFinished(() => void child.kill('SIGKILL'))
  }

  /** What it has logged: one JSON object per line. @throws {SyntaxError} when a line is none. */
  get lines(): readonly ProgramLine[] {
    const whole = this.stderr.slice(0, this.stderr.lastIndexOf('\n') + 1)
    return whole
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ProgramLine)
  }

  /** Waits for a log line. */
  line(msg: string): Promise<ProgramLine> {
    return until(`"${msg}" in the log, which is:\n${this.stderr}`, () => this.lines.find((line) => line.msg === msg))
  }

  signal(name: 'SIGTERM' | 'SIGINT'): void {
    this.#child.kill(name)
  }

  /** Resolves to `code 0` or the name of the signal that killed it. */
  exit(): Promise<string> {
    return within('the program to end', this.#exit)
  }
}

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { conformanceFolder } from '../src/control-plane-binaries.js'

/** A program to run. */
export interface SessionOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** The file that its output goes to. */
  readonly log: string
  /** A folder that goes with the program if this process dies; otherwise it is the caller's. */
  readonly scratch: string
  readonly timeoutMs: number
}

/** How it ended. */
export interface SessionEnd {
  /** -1 when a signal ended it. */
  readonly code: number
  readonly timedOut: boolean
  /** Why it did not even start. */
  readonly error?: string
}

/** Runs a program to its end. Everything that it started, also in other process groups, ends with it and with this process: `bin/session.mjs` watches a pipe from here. */
export function runSession(options: SessionOptions): Promise<SessionEnd> {
  const script = fileURLToPath(new URL('bin/session.mjs', conformanceFolder))
  const keeper = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    let text = ''
    keeper.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    keeper.once('error', reject)
    keeper.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(text) as SessionEnd)
      else reject(new Error(`Cannot run ${options.command}: its keeper ended with ${code}`))
    })
  })
}

import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { PrintedOutcome } from './print-histories.js'
import type { HistoryOptions } from './widget-history.js'

/** The compiled script; tests run it in fresh processes, as they come from `npm run build`. */
const script = fileURLToPath(new URL('../../dist/simulation/print-histories.js', import.meta.url))

/** Which seeds {@link spawnHistories} runs. */
export interface Seeds {
  readonly first: number
  readonly count: number
  /** @default 1 */
  readonly step?: number
}

/**
 * Runs histories in a fresh process.
 *
 * @throws {Error} with what the process said, when it ends with another code than 0: a rejection that nobody handled, for instance.
 */
export function spawnHistories({ first, count, step = 1 }: Seeds, options: HistoryOptions = {}): Promise<PrintedOutcome[]> {
  return new Promise((resolve, reject) => {
    const parameters = [`${first}`, `${count}`, `${step}`, JSON.stringify(options)]
    // Histories leave much young garbage: a larger nursery saves a tenth of the time.
    const child = spawn(process.execPath, ['--max-semi-space-size=32', script, ...parameters], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let complaint = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code !== 0) reject(new Error(`Cannot run histories from seed ${first}: ended with ${code ?? signal}: ${complaint}`))
      else
        resolve(
          output
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as PrintedOutcome),
        )
    })
  })
}

/** Runs histories in as many processes as the machine has cores. In the order of the seeds. */
export async function spawnManyHistories({ first, count }: Seeds, options: HistoryOptions = {}): Promise<PrintedOutcome[]> {
  const processes = Math.min(availableParallelism(), count)
  const parts = await Promise.all(
    Array.from({ length: processes }, (_, index) =>
      spawnHistories({ first: first + index, count: Math.ceil((count - index) / processes), step: processes }, options),
    ),
  )
  return parts.flat().sort((one, other) => one.seed - other.seed)
}

import { execFileSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem } from 'node:os'

/** What the figures depend on. */
export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryGiB: number
  readonly kernel: string
  readonly node: string
  readonly go: string | undefined
  /** Before the first bench: other work on the machine makes every figure worse. */
  readonly load: number
}

export function describeMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.versions.node,
    go: goVersion(),
    load: loadavg()[0] ?? Number.NaN,
  }
}

export function machineLine({ processor, cores, memoryGiB, kernel, node, go, load }: Machine): string {
  return `${processor}, ${cores} cores, ${memoryGiB} GiB, Linux ${kernel}, Node.js ${node}, ${go ?? 'no Go'}, load ${load.toFixed(1)}`
}

function goVersion(): string | undefined {
  try {
    return /go[\d.]+/.exec(execFileSync('go', ['version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))?.[0]
  } catch {
    // There is none.
    return undefined
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A control plane in a process of its own. */
export interface ServedControlPlane {
  /** From the start of the process to the line that says it is ready. */
  readonly readyMs: number
  readonly kubeconfig: string
  /** Resident memory in MB, as the kernel counts it. */
  rssMb(): number
  stop(): Promise<void>
}

const apiserver = dirname(createRequire(import.meta.url).resolve('@steersman/apiserver'))

/** Starts the executable as a user does. */
export async function serveControlPlane(flags: readonly string[] = []): Promise<ServedControlPlane> {
  const folder = await mkdtemp(join(tmpdir(), 'steersman-bench-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const before = performance.now()
  const child = spawn(process.execPath, [join(apiserver, 'bin/control-plane.js'), '--kubeconfig', kubeconfig, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await firstLine(child)
  const readyMs = performance.now() - before
  return {
    readyMs,
    kubeconfig,
    rssMb: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Runs a script of this folder in a process of its own and returns the JSON that it prints. */
export async function runScript(name: string, args: readonly string[] = []): Promise<Record<string, number>> {
  const child = spawn(process.execPath, ['--expose-gc', new URL(`./${name}`, import.meta.url).pathname, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${name} ended with exit code ${code}`)
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, number>
}

function firstLine(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', () => resolve())
    child.once('exit', (code) => reject(new Error(`the control plane ended with exit code ${code} before it was ready`)))
  })
}

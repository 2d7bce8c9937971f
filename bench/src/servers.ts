import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startRealControlPlane } from '@steersman/conformance/real-control-plane'
import { type SupervisedProcess, Supervisor } from '@steersman/conformance/supervisor'
import type { Side } from './measurement.js'

/** A control plane in processes of its own, which end with this one. */
export interface Server {
  readonly kubeconfig: string
  /** From the start of its first process to the moment it was ready. */
  readonly readyMs: number
  readonly pids: readonly number[]
  stop(): Promise<void>
}

const readyWithinMs = 30_000
const apiserver = dirname(createRequire(import.meta.url).resolve('@steersman/apiserver'))
const alone = ['--nodes', '0', '--controllers', 'none']

/** Starts ours, or etcd with kube-apiserver, with fresh data and no controllers. */
export function startServer(side: Side): Promise<Server> {
  return side === 'ours' ? startOurs() : startReference()
}

/** Starts the executable as a user does. @param flags @default no nodes and no controllers */
export async function startOurs(flags: readonly string[] = alone): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'steersman-bench-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const args = [join(apiserver, 'bin/control-plane.js'), '--kubeconfig', kubeconfig, ...flags]
  const supervisor = new Supervisor(folder, [{ name: 'ours', command: process.execPath, args }])
  const log = join(folder, 'ours.log')
  const deadlineMs = Date.now() + readyWithinMs
  while (!logOf(log).includes('ready at')) {
    if (supervisor.exited !== undefined || Date.now() > deadlineMs) {
      const problem = supervisor.exited === undefined ? `not ready within ${readyWithinMs} ms` : 'it ended'
      const said = logOf(log)
      await supervisor.stop()
      throw new Error(`Cannot start the embedded control plane: ${problem}: ${said}`)
    }
    await pause(1)
  }
  return { ...started(supervisor.processes, Date.now()), kubeconfig, stop: () => supervisor.stop() }
}

async function startReference(): Promise<Server> {
  const real = await startRealControlPlane()
  return { ...started(real.processes, Date.now()), kubeconfig: real.kubeconfigPath, stop: () => real.stop() }
}

function started(processes: ReadonlyMap<string, SupervisedProcess>, readyAtMs: number): Pick<Server, 'readyMs' | 'pids'> {
  const all = [...processes.values()]
  return { readyMs: readyAtMs - Math.min(...all.map(({ atMs }) => atMs)), pids: all.map(({ pid }) => pid) }
}

function logOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The supervisor has not started it yet.
    return ''
  }
}

/** Resident memory of all processes of a server in MB, as the kernel counts it. */
export function residentMegabytes({ pids }: Server): number {
  const kilobytes = pids.map((pid) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]))
  return kilobytes.reduce((sum, value) => sum + value, 0) / 1024
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

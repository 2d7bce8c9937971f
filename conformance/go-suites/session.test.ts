import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { conformanceFolder } from '../src/control-plane-binaries.js'
import { waitFor } from '../src/free-ports.js'
import { runSession, type SessionOptions } from './session.js'

/** Starts, as envtest does, a program in a process group of its own that never ends, tells its id, and goes on as long as it is told. */
const starter = `(set -m; sleep 1000 & echo $! > pid.part); mv pid.part pid; exec`

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steersman-session-'))
  mkdirSync(join(folder, 'scratch'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function options(rest: string, timeoutMs = 60_000): SessionOptions {
  const command = { command: '/bin/sh', args: ['-c', `${starter} ${rest}`] }
  return { ...command, cwd: folder, env: { PATH: process.env.PATH }, log: join(folder, 'log'), scratch: join(folder, 'scratch'), timeoutMs }
}

async function childEnds(): Promise<boolean> {
  const file = join(folder, 'pid')
  expect(await waitFor(10_000, async () => existsSync(file))).toBe(true)
  const pid = Number(readFileSync(file, 'utf8'))
  return waitFor(10_000, async () => !isAlive(pid))
}

function isAlive(pid: number): boolean {
  try {
    // A zombie has ended; nobody has asked for its code yet.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // There is no such process.
    return false
  }
}

describe.runIf(existsSync('/proc/self/stat'))('runSession', () => {
  test('ends what the program left behind in another process group', async () => {
    expect(await runSession(options(`sh -c 'echo printed; exit 3'`))).toEqual({ code: 3, timedOut: false })
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('printed\n')
    expect(await childEnds()).toBe(true)
  })

  test('ends everything when its time is over', async () => {
    expect(await runSession(options('sleep 1000', 500))).toEqual({ code: -1, timedOut: true })
    expect(await childEnds()).toBe(true)
  })

  test('ends everything when its parent is killed', async () => {
    const script = fileURLToPath(new URL('bin/session.mjs', conformanceFolder))
    const keeper = JSON.stringify([script, JSON.stringify(options('sleep 1000'))])
    const parent = `require('node:child_process').spawn(process.execPath, ${keeper}, { stdio: ['pipe', 'pipe', 'inherit'] })`
    const child = spawn(process.execPath, ['-e', parent], { stdio: 'ignore' })
    expect(await waitFor(10_000, async () => existsSync(join(folder, 'pid')))).toBe(true)
    expect(existsSync(join(folder, 'scratch'))).toBe(true)
    child.kill('SIGKILL')
    expect(await childEnds()).toBe(true)
    expect(await waitFor(10_000, async () => !existsSync(join(folder, 'scratch')))).toBe(true)
  })

  test('says that a program cannot be started', async () => {
    const end = await runSession({ ...options(''), command: '/nowhere/program' })
    expect(end).toMatchObject({ code: -1, error: expect.stringContaining('ENOENT') as string })
  })
})

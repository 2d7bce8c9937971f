import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { conformanceFolder } from './control-plane-binaries.js'
import { waitFor } from './free-ports.js'
import { Supervisor } from './supervisor.js'

const sleeper = "require('node:fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000)"
const program = { name: 'sleeper', command: process.execPath, args: ['-e', sleeper] }

async function pidIn(folder: string): Promise<number> {
  const file = join(folder, 'pid')
  expect(await waitFor(10_000, async () => existsSync(file) && readFileSync(file, 'utf8') !== '')).toBe(true)
  return Number(readFileSync(file, 'utf8'))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    // There is no such process.
    return false
  }
}

const freshFolder = () => mkdtempSync(join(tmpdir(), 'steersman-supervisor-'))

describe('Supervisor', () => {
  test('ends its programs and removes the folder on stop', async () => {
    const folder = freshFolder()
    const supervisor = new Supervisor(folder, [program])
    const pid = await pidIn(folder)
    expect(supervisor.processes.get('sleeper')?.pid).toBe(pid)
    await supervisor.stop()
    expect([isAlive(pid), existsSync(folder)]).toEqual([false, false])
  })

  test('leaves nothing behind when its parent is killed', async () => {
    const folder = freshFolder()
    const script = fileURLToPath(new URL('bin/supervisor.mjs', conformanceFolder))
    const parentFolder = freshFolder()
    const parentScript = join(parentFolder, 'parent.mjs')
    writeFileSync(
      parentScript,
      `import { spawn } from 'node:child_process'
spawn(process.execPath, ${JSON.stringify([script, JSON.stringify({ folder, programs: [program] })])}, { stdio: ['pipe', 'pipe', 'inherit'] })
setInterval(() => {}, 1000)`,
    )
    const parent = spawn(process.execPath, [parentScript], { stdio: 'ignore' })
    const pid = await pidIn(folder)
    parent.kill('SIGKILL')
    expect(await waitFor(10_000, async () => !isAlive(pid) && !existsSync(folder))).toBe(true)
    rmSync(parentFolder, { recursive: true })
  })

  test('says which program ended by itself', async () => {
    const folder = freshFolder()
    const supervisor = new Supervisor(folder, [{ name: 'brief', command: process.execPath, args: ['-e', ''] }])
    expect(await waitFor(10_000, async () => supervisor.exited === 'brief')).toBe(true)
    await supervisor.stop()
  })
})

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHttpTransport, loadClientConfig } from 'steersman/client'
import { systemEnvironment } from 'steersman/environment'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Executables run as they are published.
const executable = fileURLToPath(new URL('../../dist/bin/control-plane.js', import.meta.url))

interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(...flags: readonly string[]): {
  readonly child: ChildProcess
  readonly ready: Promise<string>
  readonly outcome: Promise<Outcome>
} {
  const child = spawn(process.execPath, [executable, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const outcome = new Promise<Outcome>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      if (stdout.includes('\n')) resolve(stdout)
    })
    outcome.then(() => reject(new Error(`ended before it was ready: ${stderr}`)))
  })
  ready.catch(() => {})
  return { child, ready, outcome }
}

describe('control-plane', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'steersman-bin-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('--help explains each flag and ends', async () => {
    const { code, stdout, stderr } = await run('--help').outcome
    expect(code).toBe(0)
    expect(stderr).toBe('')
    for (const flag of ['--kubeconfig FILE', '--port N', '--nodes N', '--controllers LIST', '--storage memory', '--runtime-config LIST'])
      expect(stdout).toContain(flag)
  })

  test.each([
    [['--bogus'], "Unknown option '--bogus'; try --help"],
    [['--port', 'x'], '--port x: expected a whole number between 0 and 65535; try --help'],
    [['--port', '65536'], '--port 65536: expected a whole number between 0 and 65535; try --help'],
    [['--nodes', '-1'], '--nodes'],
    [['--nodes=1.5'], '--nodes 1.5: expected a whole number between 0 and 10000; try --help'],
    [['--storage', 'disk'], '--storage disk: expected memory; try --help'],
    [['--controllers', 'a,,b'], '--controllers a,,b: expected all, none, or names with commas between them; try --help'],
    [['--runtime-config', 'api/all=1'], '--runtime-config: invalid value api/all=1; try --help'],
    [['--runtime-config', 'apps/v1=yes'], '--runtime-config: invalid value apps/v1=yes; try --help'],
    [['--runtime-config=example.com/v1'], 'unknown api groups example.com/v1; try --help'],
    [['--controllers', 'bogus'], 'Cannot start controller "bogus"'],
    [['extra'], "Unexpected argument 'extra'"],
  ])('%j is refused with exit code 2 and one line', async (flags, message) => {
    const { code, stdout, stderr } = await run(...flags).outcome
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  test('a kubeconfig that cannot be written ends it with exit code 1 and one line', async () => {
    const { code, stderr } = await run('--kubeconfig', join(folder, 'missing', 'kubeconfig'), '--controllers', 'none', '--nodes', '0')
      .outcome
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Cannot write the kubeconfig .*: no such file or directory; .*\n$/)
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'serves until %s, with watches open, and ends within a second with exit code 0',
    async (signal) => {
      const kubeconfig = join(folder, `kubeconfig-${signal}`)
      const { child, ready, outcome } = run('--kubeconfig', kubeconfig)
      expect(await ready).toMatch(new RegExp(`^Control plane is ready at https://127\\.0\\.0\\.1:\\d+, kubeconfig ${kubeconfig}\\n$`))
      expect(statSync(kubeconfig).mode & 0o777).toBe(0o600)
      const transport = createHttpTransport({ environment: systemEnvironment, config: await loadClientConfig({ kubeconfig }) })
      const watch = await transport.request({ method: 'GET', path: '/api/v1/pods', query: new URLSearchParams('watch=1'), headers: {} })
      expect(watch.status).toBe(200)
      const before = performance.now()
      child.kill(signal)
      expect(await outcome).toMatchObject({ code: 0, stderr: '' })
      expect(performance.now() - before).toBeLessThan(1000)
      await transport.close()
    },
  )
})

/**
 * `npm run test:real`: what runs on the embedded control plane, on a real kube-apiserver: files `*.real.ts`.
 *
 * Starts a real control plane with fresh data, or takes the one whose administrator's kubeconfig `STEERSMAN_REAL_KUBECONFIG` names. Arguments go to vitest.
 * Closes with a line `N passed, N failed`.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, installDependencies, root } from './install.mjs'

installDependencies()
await build()

const control = process.env.STEERSMAN_REAL_KUBECONFIG ? undefined : await startControlPlane()
const folder = mkdtempSync(join(tmpdir(), 'steersman-test-real-'))
try {
  const kubeconfig = control?.kubeconfigPath ?? process.env.STEERSMAN_REAL_KUBECONFIG
  const { passed, failed } = await runVitest(kubeconfig, join(folder, 'report.json'))
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
  await control?.stop()
}

async function startControlPlane() {
  const { startRealControlPlane } = await import('../conformance/dist/src/real-control-plane.js')
  try {
    return await startRealControlPlane()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    console.log('0 passed, 1 failed')
    process.exit(1)
  }
}

async function runVitest(kubeconfig, report) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const child = spawn(process.execPath, [vitest, 'run', '-c', 'vitest.real.config.ts', ...reporters, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, STEERSMAN_REAL_KUBECONFIG: kubeconfig },
  })
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  try {
    const { numPassedTests: passed, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
    // An error outside of a test, such as an unhandled rejection, fails the run without failing a test.
    return { passed, failed: numFailedTests === 0 && code !== 0 ? 1 : numFailedTests }
  } catch (error) {
    console.error(`Cannot read the test report: ${error.message}`)
    return { passed: 0, failed: 1 }
  }
}

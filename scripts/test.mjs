/**
 * `npm test`: installs what it needs, builds, checks, and runs every test that needs nothing but Node.js.
 * Closes with a line `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, installDependencies, root } from './install.mjs'

installDependencies()
await build()

let passed = 0
let failed = 0
const checks = [
  ['format and lint', 'node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings']],
  ['layers', 'scripts/check-layers/main.mjs', []],
  ['public surface', 'scripts/surface/main.mjs', []],
]
for (const [name, script, args] of checks) {
  const { status } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit' })
  if (status === 0) passed += 1
  else failed += 1
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}`)
}

const folder = mkdtempSync(join(tmpdir(), 'steersman-test-'))
const report = join(folder, 'report.json')
const vitest = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--project=!clients',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
]
const { status } = spawnSync(process.execPath, [join(root, vitest[0]), ...vitest.slice(1)], { cwd: root, stdio: 'inherit' })
try {
  const result = JSON.parse(readFileSync(report, 'utf8'))
  passed += result.numPassedTests
  failed += result.numFailedTests
  if (status !== 0 && result.numFailedTests === 0) failed += 1
} catch (error) {
  console.error(`Cannot read the test report: ${error.message}`)
  failed += 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/**
 * `npm run test:clients`: a session of the real kubectl, which is downloaded once, against the embedded control plane. Prints what is known to disagree
 * with a real one, and closes with a line `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchClients } from './clients/fetch-clients.mjs'
import { build, installDependencies, root } from './install.mjs'

installDependencies()
await build()
const { kubectl } = fetchClients()

const folder = mkdtempSync(join(tmpdir(), 'steersman-test-'))
const report = join(folder, 'report.json')
const vitest = ['run', '--project=clients', '--reporter=verbose', '--reporter=json', `--outputFile.json=${report}`]
const { status } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...vitest, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, STEERSMAN_KUBECTL: kubectl },
})
let passed = 0
let failed = 0
const known = []
try {
  const result = JSON.parse(readFileSync(report, 'utf8'))
  passed = result.numPassedTests
  failed = result.numFailedTests
  if (status !== 0 && failed === 0) failed = 1
  for (const { assertionResults } of result.testResults) known.push(...assertionResults.filter(({ meta }) => meta?.known !== undefined))
} catch (error) {
  console.error(`Cannot read the test report: ${error.message}`)
  failed = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

if (known.length > 0) {
  console.log(`${known.length} of them are known to disagree with a real control plane:`)
  for (const { title, meta } of known) console.log(`  ${title}\n    ${meta.known}`)
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

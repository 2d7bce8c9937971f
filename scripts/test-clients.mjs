/**
 * `npm run test:clients`: a session of the real kubectl against the embedded control plane, once with each version: 1.35 is downloaded once, that of the real
 * control plane is used where it was built. Prints what is known to disagree with a real one, and closes with a line `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchClients } from './clients/fetch-clients.mjs'
import { kubectlVersions } from './clients/kubectl-versions.mjs'
import { build, installDependencies, root } from './install.mjs'

installDependencies()
await build()

const summary = []
const total = { passed: 0, failed: 0 }
for (const { name, path, missing } of kubectlVersions()) {
  if (missing !== undefined) {
    summary.push(`${name}: skipped: ${missing}`)
    continue
  }
  const { passed, failed, known } = runSession(path)
  total.passed += passed
  total.failed += failed
  summary.push(`${name}: ${passed} passed, ${failed} failed; ${known.length} of them are known to disagree with a real control plane`)
  for (const { title, meta } of known) summary.push(`  ${title}\n    ${meta.known}`)
}
for (const line of summary) console.log(line)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1

function runSession(kubectl) {
  const folder = mkdtempSync(join(tmpdir(), 'steersman-test-'))
  const report = join(folder, 'report.json')
  const vitest = ['run', '--project=clients', '--reporter=verbose', '--reporter=json', `--outputFile.json=${report}`]
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...vitest, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, STEERSMAN_KUBECTL: kubectl, STEERSMAN_HELM: fetchClients().helm },
  })
  try {
    const { numPassedTests: passed, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
    // An error outside of a test fails the run without failing a test.
    const failed = status !== 0 && numFailedTests === 0 ? 1 : numFailedTests
    const known = testResults.flatMap(({ assertionResults }) => assertionResults.filter(({ meta }) => meta?.known !== undefined))
    return { passed, failed, known }
  } catch (error) {
    console.error(`Cannot read the test report: ${error.message}`)
    return { passed: 0, failed: 1, known: [] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

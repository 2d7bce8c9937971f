/**
 * `npm run test:node-versions`: the same seed gives the same hash of the trace on every supported version of Node.js. Needs the npm registry, where the package
 * `node` carries the executables; a version that cannot be had is a failure.
 *
 * Versions can be named as arguments: `node scripts/test-node-versions.mjs 20 26`.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build, installDependencies, root } from './install.mjs'

installDependencies()
await build()

const versions = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24']
const script = join(root, 'e2e/dist/simulation/print-histories.js')
const seeds = ['1', '10']

const here = run('this one', process.execPath, [])
let failed = 0
for (const version of versions) {
  const there = run(version, 'npx', ['-y', '-p', `node@${version}`, 'node'])
  const isSame = there !== undefined && there === here
  if (!isSame) failed += 1
  console.log(`${isSame ? 'ok    ' : 'FAILED'} Node.js ${version} takes the same course as ${process.version}`)
}
console.log(`${versions.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 && here !== undefined ? 0 : 1

/** What the histories printed: everything about each, its hash included. */
function run(name, command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, [...args, script, ...seeds], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (status === 0) return stdout
  console.error(`Cannot run histories with Node.js ${name}: ${error?.message ?? stderr}`)
  return undefined
}

/** Everything that must hold before a commit: format, lint, types, layers, public surface, unit tests. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installDependencies, root } from './install.mjs'

installDependencies()

const bin = (name) => join(root, 'node_modules', name)
const steps = [
  ['format and lint', bin('@biomejs/biome/bin/biome'), ['check', '--error-on-warnings', '--max-diagnostics=50']],
  ['types', bin('typescript/bin/tsc'), ['-b']],
  ['layers', join(root, 'scripts/check-layers/main.mjs'), []],
  ['public surface', join(root, 'scripts/surface/main.mjs'), []],
  ['unit tests', bin('vitest/vitest.mjs'), ['run', '--project', 'unit', '--reporter=dot']],
]

const failed = []
for (const [name, script, args] of steps) {
  const before = Date.now()
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' })
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - before) / 1000).toFixed(1)} s)`)
  if (status !== 0) failed.push(name)
}
if (failed.length > 0) {
  console.error(`not ok: ${failed.join(', ')}`)
  process.exitCode = 1
}

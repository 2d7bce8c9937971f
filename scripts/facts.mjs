/**
 * `npm run facts`: asks a real API server what hack/apigen cannot read from Go types, and rewrites facts.json, openapi.json and bootstrap.json in hack/apigen. Needs Go and what
 * `npm run build:control-plane` builds.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, installDependencies, root } from './install.mjs'

installDependencies()
await build()
const { startRealControlPlane } = await import(pathToFileURL(join(root, 'conformance/dist/src/real-control-plane.js')).href)
const byDefault = await startRealControlPlane()
const all = await startRealControlPlane({ flags: ['--runtime-config=api/all=true'] })
try {
  const args = ['run', '.', 'facts', `--server=${byDefault.url}`, `--all-server=${all.url}`, `--token=${byDefault.token}`]
  process.exitCode = spawnSync('go', args, { cwd: join(root, 'hack/apigen'), stdio: 'inherit' }).status ?? 1
} finally {
  await Promise.all([byDefault.stop(), all.stop()])
}

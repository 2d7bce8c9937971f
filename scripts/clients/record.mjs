/**
 * Records what kubectl prints against a real control plane into e2e/src/clients/golden: `node scripts/clients/record.mjs`. Needs what
 * `npm run build:control-plane` builds. Each session is run with each version of kubectl, each time on fresh data: the first gives the texts, each later one what it prints instead.
 * `node scripts/clients/record.mjs server` records only the session whose file begins so.
 */
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { kubernetesVersion } from '../../conformance/build-control-plane/build.mjs'
import { build, installDependencies, root } from '../install.mjs'
import { fetchClients } from './fetch-clients.mjs'
import { kubectlVersions } from './kubectl-versions.mjs'
import { standInNodes } from './stand-in-nodes.mjs'

installDependencies()
await build()
const { startRealControlPlane } = await import(pathToFileURL(join(root, 'conformance/dist/src/real-control-plane.js')).href)
const [first, ...others] = kubectlVersions()
const missing = others.find((version) => version.missing !== undefined)
if (missing !== undefined) throw new Error(`Cannot record ${missing.name}: ${missing.missing}`)

let recordedWith = `kube-apiserver and kube-controller-manager v${kubernetesVersion} and kubectl ${clientVersion(first.path)}`
for (const { name, path } of others) {
  recordedWith += ` (after the prompt ${name.replace('kubectl ', '')}$, where it prints something else: kubectl ${clientVersion(path)})`
}
const sessions = [
  { file: 'kubectl.clients.ts', variable: 'STEERSMAN_RECORD', whole: true },
  { file: 'server.clients.ts', variable: 'STEERSMAN_RECORD_SERVER', whole: false },
].filter(({ file }) => process.argv.length < 3 || process.argv.slice(2).some((name) => file.startsWith(name)))
process.exitCode = 0
for (const session of sessions) {
  await record(session, first.path, { STEERSMAN_RECORDED_WITH: recordedWith })
  for (const { path } of others) if (process.exitCode === 0) await record(session, path)
}

/** One session on fresh data. */
async function record({ file, variable, whole }, kubectl, environment) {
  const controlPlane = await startRealControlPlane({ controllerManager: whole })
  const stop = new AbortController()
  try {
    const typed = runSession(file, stop.signal, { STEERSMAN_KUBECTL: kubectl, [variable]: controlPlane.kubeconfigPath, ...environment })
    const nodes = whole ? [standInNodes({ url: controlPlane.url, token: controlPlane.token, signal: stop.signal })] : []
    process.exitCode = await Promise.race([typed, ...nodes])
  } finally {
    stop.abort()
    await controlPlane.stop()
  }
}

/** Resolves to the exit code of the session. */
function runSession(file, signal, environment) {
  const vitest = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project=clients', '--reporter=verbose', file],
    {
      cwd: root,
      stdio: 'inherit',
      signal,
      env: { ...process.env, STEERSMAN_HELM: fetchClients().helm, ...environment },
    },
  )
  vitest.once('error', () => {})
  return new Promise((done) => vitest.once('close', done))
}

function clientVersion(kubectl) {
  const { stdout } = spawnSync(kubectl, ['version', '--client', '-o', 'json'], { encoding: 'utf8', env: {} })
  return JSON.parse(stdout).clientVersion.gitVersion
}

/**
 * Records what kubectl prints against a real control plane into e2e/src/clients/golden: `node scripts/clients/record.mjs`. Needs what
 * `npm run build:control-plane` builds. The session is run with each version of kubectl, each time on fresh data: the first gives the texts, each later one what it prints instead.
 */
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { kubernetesVersion } from '../../conformance/build-control-plane/build.mjs'
import { build, installDependencies, root } from '../install.mjs'
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
process.exitCode = await recordOnFreshData(first.path, { STEERSMAN_RECORDED_WITH: recordedWith })
for (const { path } of others) if (process.exitCode === 0) process.exitCode = await recordOnFreshData(path)

/** Resolves to the exit code of the session. */
async function recordOnFreshData(kubectl, environment) {
  const controlPlane = await startRealControlPlane({ controllerManager: true })
  const stop = new AbortController()
  try {
    const nodes = standInNodes({ url: controlPlane.url, token: controlPlane.token, signal: stop.signal })
    const session = runSession(stop.signal, { STEERSMAN_KUBECTL: kubectl, STEERSMAN_RECORD: controlPlane.kubeconfigPath, ...environment })
    return await Promise.race([session, nodes])
  } finally {
    stop.abort()
    await controlPlane.stop()
  }
}

function runSession(signal, environment) {
  const vitest = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project=clients', '--reporter=verbose'], {
    cwd: root,
    stdio: 'inherit',
    signal,
    env: { ...process.env, ...environment },
  })
  vitest.once('error', () => {})
  return new Promise((done) => vitest.once('close', done))
}

function clientVersion(kubectl) {
  const { stdout } = spawnSync(kubectl, ['version', '--client', '-o', 'json'], { encoding: 'utf8', env: {} })
  return JSON.parse(stdout).clientVersion.gitVersion
}

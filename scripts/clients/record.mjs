/**
 * Records what kubectl prints against a real control plane into e2e/src/clients/golden: `node scripts/clients/record.mjs`. Needs what
 * `npm run build:control-plane` builds.
 */
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, installDependencies, root } from '../install.mjs'
import { fetchClients } from './fetch-clients.mjs'
import { standInNodes } from './stand-in-nodes.mjs'

installDependencies()
build()
const { startRealControlPlane } = await import(pathToFileURL(join(root, 'conformance/dist/src/real-control-plane.js')).href)
const { kubectl } = fetchClients()
const controlPlane = await startRealControlPlane({ controllerManager: true })
const stop = new AbortController()
try {
  const nodes = standInNodes({ url: controlPlane.url, token: controlPlane.token, signal: stop.signal })
  process.exitCode = await Promise.race([recordSession(stop.signal), nodes])
} finally {
  stop.abort()
  await controlPlane.stop()
}

/** Resolves to the exit code of the session. */
async function recordSession(signal) {
  const versions = kubectlJson('version')
  const vitest = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project=clients', '--reporter=verbose'], {
    cwd: root,
    stdio: 'inherit',
    signal,
    env: {
      ...process.env,
      STEERSMAN_KUBECTL: kubectl,
      STEERSMAN_RECORD: controlPlane.kubeconfigPath,
      STEERSMAN_RECORDED_WITH: `kube-apiserver and kube-controller-manager ${versions.serverVersion.gitVersion} and kubectl ${versions.clientVersion.gitVersion}`,
    },
  })
  vitest.once('error', () => {})
  return new Promise((done) => vitest.once('close', done))
}

function kubectlJson(...args) {
  const { stdout } = spawnSync(kubectl, ['--kubeconfig', controlPlane.kubeconfigPath, ...args, '-o', 'json'], { encoding: 'utf8', env: {} })
  return JSON.parse(stdout)
}

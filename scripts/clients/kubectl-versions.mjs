/** The versions of kubectl that the session is run with. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { controlPlaneFolder, kubernetesVersion } from '../../conformance/build-control-plane/build.mjs'
import { fetchClients } from './fetch-clients.mjs'

/**
 * Returns, oldest first, `{ name, path }` of each that is there, and `{ name, missing }` with the reason otherwise. The first is always there: its texts stand for all versions.
 */
export function kubectlVersions() {
  const built = join(controlPlaneFolder, 'kubectl')
  const name = `kubectl ${kubernetesVersion.split('.').slice(0, 2).join('.')}`
  const missing = `it is not built; npm run build:control-plane -- --only=kubectl (needs Go) makes ${built}`
  return [{ name: 'kubectl 1.35', path: fetchClients().kubectl }, existsSync(built) ? { name, path: built } : { name, missing }]
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** What `build-control-plane/build.mjs` says about its binaries; it is plain JavaScript because it must run before anything is compiled. */
interface BuildScript {
  readonly kubernetesVersion: string
  readonly controlPlaneFolder: string
  requireGo(what: string): void
  goEnvironment(): NodeJS.ProcessEnv
}

/** The folder of this workspace, from its sources as well as from what is compiled. */
export const conformanceFolder = new URL(import.meta.url.includes('/dist/') ? '../../' : '../', import.meta.url)

/** Where and how the real binaries are built. */
export async function buildScript(): Promise<BuildScript> {
  return (await import(new URL('build-control-plane/build.mjs', conformanceFolder).href)) as BuildScript
}

/** The version of Kubernetes that the real control plane has: `1.37.2`. */
export async function realVersion(): Promise<string> {
  return (await buildScript()).kubernetesVersion
}

/** The real binaries are not there, or a program of them did not come up. */
export class RealControlPlaneError extends Error {
  readonly code: 'NOT_BUILT' | 'NOT_READY'

  constructor(code: RealControlPlaneError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'RealControlPlaneError'
    this.code = code
  }
}

/** The path of a built binary. @throws {RealControlPlaneError} `NOT_BUILT`. */
export async function realBinary(
  name: 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'kubectl' | 'e2e.test',
): Promise<string> {
  const { controlPlaneFolder } = await buildScript()
  const path = join(controlPlaneFolder, name)
  if (!existsSync(path))
    throw new RealControlPlaneError('NOT_BUILT', `Cannot run ${name}: ${path} is missing; run: npm run build:control-plane`)
  return path
}

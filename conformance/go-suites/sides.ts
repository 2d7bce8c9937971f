import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { conformanceFolder, realBinary } from '../src/control-plane-binaries.js'

/** The folder of the real binaries. @throws {RealControlPlaneError} `NOT_BUILT`. */
export async function realAssets(): Promise<string> {
  const paths = [await realBinary('etcd'), await realBinary('kube-apiserver'), await realBinary('kubectl')]
  return dirname(paths[0] as string)
}

const commandLineTool = fileURLToPath(new URL('../packages/cli/', conformanceFolder))

/**
 * The folder of ours: the one given, or else what `steersman envtest` prints; `undefined` where that is not built yet.
 *
 * @throws {Error} when an executable is missing.
 */
export function oursAssets(given?: string): string | undefined {
  const folder = given ?? askCommandLineTool()
  if (folder === undefined) return undefined
  const missing = ['etcd', 'kube-apiserver', 'kubectl'].find((name) => !existsSync(join(folder, name)))
  if (missing !== undefined) throw new Error(`Cannot run the suites on ours: no "${missing}" in ${folder}`)
  return resolve(folder)
}

function askCommandLineTool(): string | undefined {
  const manifest = join(commandLineTool, 'package.json')
  if (!existsSync(manifest)) return undefined
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly bin?: Readonly<Record<string, string>> }
  const program = join(commandLineTool, bin?.steersman ?? '')
  if (bin?.steersman === undefined || !existsSync(program)) return undefined
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'envtest'], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`Cannot run the suites on ours: "steersman envtest" ended with ${status}: ${stderr}`)
  return stdout.trim()
}

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildScript, conformanceFolder } from '../src/control-plane-binaries.js'
import type { Suite } from './suites.js'

const moduleFolder = fileURLToPath(new URL('go/suites', conformanceFolder))
const controllerRuntime = 'sigs.k8s.io/controller-runtime'

/** The version of controller-runtime that go.mod requires: `0.25.2`. */
export const controllerRuntimeVersion =
  /controller-runtime v([\d.]+)/.exec(readFileSync(join(moduleFolder, 'go.mod'), 'utf8'))?.[1] ?? 'unknown'

/** The test binaries of controller-runtime's own suites, unmodified from the module cache, built once per version. */
export interface BuiltSuites {
  /** Where binaries and logs are. */
  readonly folder: string
  /** The path of a suite's test binary. */
  binary(suite: Suite): string
  /** The folder of its sources, in which it must run. */
  sources(suite: Suite): string
}

/** Builds those that are missing. @throws {Error} without Go, or when a build fails. */
export async function buildSuites(suites: readonly Suite[]): Promise<BuiltSuites> {
  const { controlPlaneFolder, requireGo, goEnvironment } = await buildScript()
  requireGo('the suites')
  const environment = goEnvironment()
  const folder = join(dirname(controlPlaneFolder), `controller-runtime-${controllerRuntimeVersion}`)
  mkdirSync(folder, { recursive: true })
  const binary = ({ name }: Suite) => join(folder, `${name.replaceAll('/', '-')}.test`)
  const sources = join(moduleSources(environment), 'pkg')
  for (const suite of suites) if (!existsSync(binary(suite))) await buildSuite(suite, binary(suite), environment)
  return { folder, binary, sources: ({ name }) => join(sources, name) }
}

/** The folder of controller-runtime in the module cache, which is filled if need be. */
function moduleSources(environment: NodeJS.ProcessEnv): string {
  const { stdout, stderr } = spawnSync('go', ['mod', 'download', '-json', controllerRuntime], {
    cwd: moduleFolder,
    env: environment,
    encoding: 'utf8',
  })
  try {
    return (JSON.parse(stdout) as { readonly Dir: string }).Dir
  } catch (cause) {
    throw new Error(`Cannot download ${controllerRuntime}: ${stderr}`, { cause })
  }
}

/** Builds under another name and renames, so that a build that was interrupted leaves nothing that looks whole. */
async function buildSuite({ name }: Suite, path: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const partial = `${path}.${process.pid}`
  const before = Date.now()
  try {
    await new Promise<void>((resolve, reject) => {
      const args = ['test', '-c', '-vet=off', '-ldflags', '-s -w', '-o', partial, `${controllerRuntime}/pkg/${name}`]
      const child = spawn('go', args, { cwd: moduleFolder, env: environment, stdio: ['ignore', 'inherit', 'inherit'] })
      child.once('error', reject)
      child.once('exit', (code, signal) =>
        code === 0 ? resolve() : reject(new Error(`Cannot build the suite "${name}": go ended with ${signal ?? code}`)),
      )
    })
    renameSync(partial, path)
  } finally {
    rmSync(partial, { force: true })
  }
  console.log(`  ${name}: built in ${Math.round((Date.now() - before) / 1000)} s`)
}

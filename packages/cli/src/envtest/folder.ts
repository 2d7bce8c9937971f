import { createHash } from 'node:crypto'
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scripts } from './scripts.js'

/** The folder of executables cannot be written. */
export class EnvtestFolderError extends Error {
  readonly code = 'ENVTEST_FOLDER'

  constructor(folder: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`Cannot write ${folder}: ${reason}; choose a folder that can be written with --folder`, { cause })
    this.name = 'EnvtestFolderError'
  }
}

/**
 * Writes the executables and returns the absolute path of their folder, for `KUBEBUILDER_ASSETS`. May be called by many processes at once.
 *
 * @param path of the folder. @default one in the user's cache, of its own for each installation of this package
 * @throws {EnvtestFolderError}
 */
export async function writeEnvtestFolder(path = defaultFolder()): Promise<string> {
  const folder = resolve(path)
  try {
    await mkdir(folder, { recursive: true })
    for (const [name, text] of Object.entries(scripts(programs()))) await writeExecutable(join(folder, name), text)
  } catch (error) {
    throw new EnvtestFolderError(folder, error)
  }
  return folder
}

/** The programs that the executables become. */
function programs() {
  const program = (name: string) => fileURLToPath(import.meta.resolve(`@steersman/apiserver/bin/${name}`))
  return { node: process.execPath, etcd: program('etcd'), apiserver: program('kube-apiserver') }
}

function defaultFolder(): string {
  const installation = createHash('sha256').update(JSON.stringify(programs())).digest('hex').slice(0, 12)
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'steersman', `envtest-${installation}`)
}

/** Whoever starts the executable meanwhile sees the old text or the new one, never a part. */
async function writeExecutable(path: string, text: string): Promise<void> {
  const partial = `${path}.${process.pid}.tmp`
  try {
    await writeFile(partial, text)
    await chmod(partial, 0o755)
    await rename(partial, path)
  } finally {
    await rm(partial, { force: true })
  }
}

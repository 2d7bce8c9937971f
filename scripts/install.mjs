/** Installs the dependencies of a fresh clone, once. */
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs a command in the root of the repository and ends this process with its code when it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32', ...options })
  if (result.error) throw result.error
  if (result.status !== 0) process.exit(result.status ?? 1)
}

/** Installs what the lockfile says unless that has been done. */
export function installDependencies() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Cannot run on Node.js ${process.versions.node}: 20.19 or newer is needed`)
    process.exit(1)
  }
  const mark = join(root, 'node_modules/.package-lock.json')
  const lock = join(root, 'package-lock.json')
  if (existsSync(mark) && statSync(mark).mtimeMs >= statSync(lock).mtimeMs - 1000) return
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
}

/** Checks types, writes declarations, compiles the private workspaces and bundles the published packages. */
export async function build() {
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b'])
  // Loaded here: it is not there before the installation.
  const { bundlePackages } = await import('./bundle.mjs')
  await bundlePackages()
}

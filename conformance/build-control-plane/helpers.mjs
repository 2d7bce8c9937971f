/**
 * Builds `conformance/go`, our programs in Go for suites and benchmarks, into the cache folder when its sources are newer than what is there.
 *
 *     node conformance/build-control-plane/helpers.mjs
 *
 * Cold this takes two minutes on two cores, and a second when little has changed.
 */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildBinary, controlPlaneFolder, requireGo } from './build.mjs'

const helpersModule = fileURLToPath(new URL('../go', import.meta.url))

/** Where the program is, built or not. */
export const helpersBinary = join(controlPlaneFolder, 'helpers')

function newestSource(folder = helpersModule) {
  const times = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name)
    // A folder with a go.mod is a module of its own.
    if (entry.isDirectory()) return existsSync(join(path, 'go.mod')) ? 0 : newestSource(path)
    return /\.go$|^go\.(mod|sum)$/.test(entry.name) && !entry.name.endsWith('_test.go') ? statSync(path).mtimeMs : 0
  })
  return Math.max(0, ...times)
}

/**
 * Builds the program unless it is newer than its sources. Resolves to its path.
 *
 * @throws {Error} without Go, or when the build fails.
 */
export async function buildHelpers() {
  if (existsSync(helpersBinary) && statSync(helpersBinary).mtimeMs > newestSource()) return helpersBinary
  requireGo('the helpers in Go')
  mkdirSync(dirname(helpersBinary), { recursive: true })
  console.log(`Building the helpers in Go into ${controlPlaneFolder}`)
  await buildBinary({ name: 'helpers', module: helpersModule, args: ['build', '-trimpath', '-ldflags', '-s -w'], from: '.' })
  return helpersBinary
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    console.log(await buildHelpers())
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}

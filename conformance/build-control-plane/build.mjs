/**
 * Builds the real control plane from public Go modules, once per version, into a cache folder of the user.
 *
 *     npm run build:control-plane [-- --only=etcd,kube-apiserver]
 *
 * Needs Go (any version that can fetch the toolchain named below) and, the first time, the network. Cold, on two cores, everything takes about a quarter of an hour;
 * a second call finds the binaries and ends at once.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const toolchain = 'go1.27.3'
const kubernetesModule = fileURLToPath(new URL('kubernetes', import.meta.url))
const etcdModule = fileURLToPath(new URL('etcd', import.meta.url))

/** The version of Kubernetes that go.mod requires: `1.37.2`. */
export const kubernetesVersion = /k8s\.io\/kubernetes v([\d.]+)/.exec(readFileSync(join(kubernetesModule, 'go.mod'), 'utf8'))[1]

/** Where the binaries of this version are, built or not. */
export const controlPlaneFolder = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'steersman',
  `control-plane-${kubernetesVersion}`,
)

// Without these discovery and kubectl would call themselves v0.0.0.
const [major, minor] = kubernetesVersion.split('.')
const versionPackage = 'k8s.io/component-base/version'
const versionFlags = [`gitVersion=v${kubernetesVersion}`, `gitMajor=${major}`, `gitMinor=${minor}`].map(
  (value) => `-X ${versionPackage}.${value}`,
)
const linkFlags = [...versionFlags, '-s', '-w'].join(' ')

const kubernetesBinary = (name) => ({
  name,
  module: kubernetesModule,
  args: ['build', '-trimpath', '-ldflags', linkFlags],
  from: `k8s.io/kubernetes/cmd/${name}`,
})

/** In the order in which they share most of what they compile. */
const binaries = [
  { name: 'etcd', module: etcdModule, args: ['build', '-trimpath', '-ldflags', '-s -w'], from: 'go.etcd.io/etcd/server/v3' },
  kubernetesBinary('kube-apiserver'),
  kubernetesBinary('kubectl'),
  kubernetesBinary('kube-controller-manager'),
  kubernetesBinary('kube-scheduler'),
  {
    name: 'e2e.test',
    module: kubernetesModule,
    args: ['test', '-c', '-trimpath', '-ldflags', linkFlags],
    from: 'k8s.io/kubernetes/test/e2e',
  },
]

/** What is missing, by name. */
function missing(names) {
  return binaries.filter(({ name }) => names.includes(name) && !existsSync(join(controlPlaneFolder, name)))
}

/** @throws {Error} without Go. */
export function requireGo(what = 'the control plane') {
  const { error, status } = spawnSync('go', ['version'], { stdio: 'ignore' })
  if (error !== undefined || status !== 0) {
    throw new Error(`Cannot build ${what}: no "go" in PATH; install Go 1.24 or newer from https://go.dev/dl/`)
  }
}

/** With the toolchain that everything is built with. */
export function goEnvironment() {
  return { ...process.env, GOTOOLCHAIN: process.env.GOTOOLCHAIN || toolchain, CGO_ENABLED: '0' }
}

/** Builds under another name and renames, so that a build that was interrupted leaves nothing that looks whole. */
export async function buildBinary({ name, module, args, from }) {
  const partial = join(controlPlaneFolder, `.${name}.${process.pid}`)
  const before = Date.now()
  const seconds = () => Math.round((Date.now() - before) / 1000)
  const ticker = setInterval(() => console.log(`  ${name}: still building after ${seconds()} s`), 60_000)
  try {
    await new Promise((resolve, reject) => {
      const child = spawn('go', [...args, '-o', partial, from], {
        cwd: module,
        env: goEnvironment(),
        stdio: ['ignore', 'inherit', 'inherit'],
      })
      child.once('error', reject)
      child.once('exit', (code, signal) =>
        code === 0 ? resolve() : reject(new Error(`Cannot build ${name}: go ended with ${signal ?? code}`)),
      )
    })
    renameSync(partial, join(controlPlaneFolder, name))
  } finally {
    clearInterval(ticker)
    rmSync(partial, { force: true })
  }
  const megabytes = Math.round(statSync(join(controlPlaneFolder, name)).size / 1e6)
  console.log(`  ${name}: built in ${seconds()} s, ${megabytes} MB`)
}

/**
 * Builds what is missing of the named binaries.
 *
 * @param names @default all
 * @throws {Error} without Go, or when a build fails.
 */
export async function buildControlPlane(names = binaries.map(({ name }) => name)) {
  const unknown = names.find((name) => !binaries.some((binary) => binary.name === name))
  if (unknown !== undefined) throw new Error(`Cannot build "${unknown}": expected ${binaries.map(({ name }) => name).join(', ')}`)
  const wanted = missing(names)
  if (wanted.length === 0) {
    console.log(`Kubernetes ${kubernetesVersion} is in ${controlPlaneFolder}`)
    return
  }
  requireGo()
  mkdirSync(controlPlaneFolder, { recursive: true })
  console.log(`Building Kubernetes ${kubernetesVersion} into ${controlPlaneFolder}: ${wanted.map(({ name }) => name).join(', ')}`)
  for (const binary of wanted) await buildBinary(binary)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const only = process.argv.find((argument) => argument.startsWith('--only='))
  try {
    await buildControlPlane(only?.slice('--only='.length).split(','))
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}

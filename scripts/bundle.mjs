/**
 * Bundles the JavaScript of every published package, one file per door and executable and shared chunks: loading two hundred small modules
 * would take half of the start-up budget. Declarations come from `tsc -b`.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { descriptionsModule, documentDeclarations, readDescriptions } from './descriptions.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

export async function bundlePackages() {
  const descriptions = readDescriptions(root)
  documentDeclarations(root, descriptions)
  const plugins = [describe(descriptions)]
  for (const folder of readdirSync(join(root, 'packages'))) {
    const packageFolder = join(root, 'packages', folder)
    const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
    const input = { ...doorEntries(packageFolder, manifest), ...binEntries(manifest) }
    // Descriptors of built-in kinds are small and many: whoever uses them takes them in.
    const external = [
      /^node:/,
      ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).map((name) => new RegExp(`^${name}(?!/api/types)(/|$)`)),
    ]
    const bundle = await rolldown({
      cwd: packageFolder,
      input,
      external,
      plugins,
      platform: 'node',
      treeshake: { moduleSideEffects: false },
    })
    rmSync(join(packageFolder, 'dist/chunks'), { recursive: true, force: true })
    await bundle.write({
      dir: join(packageFolder, 'dist'),
      format: 'esm',
      sourcemap: true,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      codeSplitting: { groups: [{ name: 'builtin-tables', test: /schema\/builtin\/\w+\.v\w+\.generated/ }] },
    })
    await bundle.close()
  }
}

/** Puts the sentences about built-in kinds where the source has none. */
function describe(descriptions) {
  const placeholder = join(root, 'packages/apiserver/src/schema/descriptions.ts')
  return { name: 'descriptions', load: (id) => (id === placeholder ? descriptionsModule(descriptions) : undefined) }
}

function doorEntries(packageFolder, manifest) {
  const entries = {}
  for (const target of Object.values(manifest.exports ?? {})) {
    const source = target['steersman-source']
    const paths = source.includes('*') ? filesBelow(packageFolder, source) : [source]
    for (const path of paths) entries[nameOf(path)] = path
  }
  return entries
}

function binEntries(manifest) {
  return Object.fromEntries(
    Object.values(manifest.bin ?? {}).map((path) => [
      nameOf(path.replace('dist', 'src')),
      path.replace('dist', 'src').replace(/\.js$/, '.ts'),
    ]),
  )
}

function nameOf(path) {
  return path.replace(/^\.\/src\//, '').replace(/\.[jt]s$/, '')
}

function filesBelow(packageFolder, pattern) {
  const folder = pattern.slice(0, pattern.indexOf('*'))
  return readdirSync(join(packageFolder, folder), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}${name.replaceAll('\\', '/')}`)
}

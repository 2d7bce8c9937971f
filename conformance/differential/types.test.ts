import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

interface Golden {
  readonly answers: readonly { readonly status: number; readonly body: unknown }[]
}

interface StoredObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata?: { readonly resourceVersion?: string }
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const golden = fileURLToPath(new URL('golden/', import.meta.url))
const types = join(root, 'packages/steersman/src/api/types')
/** In this workspace, so that `steersman` is found as any program finds it. */
const folder = join(root, 'conformance/dist/types-test')
const objectsPerKind = 10

/** The kinds that have a descriptor, by apiVersion and kind, with the module that declares them. */
function declaredKinds(): ReadonlyMap<string, string> {
  const kinds = new Map<string, string>()
  for (const file of readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))) {
    const text = readFileSync(join(types, file), 'utf8')
    const declared = text.matchAll(/export interface (\w+) \{\n {2}readonly kind: '\w+'\n {2}readonly apiVersion: '([^']+)'/g)
    for (const [, kind = '', apiVersion = ''] of declared) {
      if (text.includes(`export const ${kind}: ResourceType`)) kinds.set(`${apiVersion}/${kind}`, file.replace(/\.ts$/, ''))
    }
  }
  return kinds
}

/** Objects that the real server answered with, by apiVersion and kind, as JSON. */
function recordedObjects(): ReadonlyMap<string, ReadonlySet<string>> {
  const objects = new Map<string, Set<string>>()
  for (const area of readdirSync(golden).filter((name) => name === 'every-resource' || /^(?:built-in-)?kinds/.test(name))) {
    for (const file of readdirSync(join(golden, area))) {
      const { answers } = load(readFileSync(join(golden, area, file), 'utf8')) as Golden
      for (const { status, body } of answers) {
        // What a dry run answers was never stored.
        if (status > 201 || !isObject(body) || body.metadata?.resourceVersion === undefined) continue
        const key = `${body.apiVersion}/${body.kind}`
        // Ports that differ from run to run are renamed.
        const json = JSON.stringify(body).replaceAll(/"<node-port-\d+>"/g, '30000')
        objects.set(key, (objects.get(key) ?? new Set()).add(json))
      }
    }
  }
  return objects
}

function isObject(value: unknown): value is StoredObject {
  return typeof value === 'object' && value !== null && 'apiVersion' in value && 'kind' in value
}

describe('steersman/api/types', () => {
  beforeAll(() => mkdirSync(folder, { recursive: true }))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('fit what the real server answers, for every kind', { timeout: 60_000 }, () => {
    const objects = recordedObjects()
    const lines: string[] = []
    const missing: string[] = []
    for (const [key, module] of declaredKinds()) {
      const found = [...(objects.get(key) ?? [])].slice(0, objectsPerKind)
      if (found.length === 0) missing.push(key)
      const name = `K${lines.length}`
      lines.push(`import type { ${key.slice(key.lastIndexOf('/') + 1)} as ${name} } from 'steersman/api/types/${module}'`)
      for (const json of found) lines.push(`export const o${lines.length}: ${name} = ${json}`)
    }
    // Nobody can create one.
    expect(missing).toEqual(['v1/ComponentStatus'])
    writeFileSync(join(folder, 'objects.ts'), `${lines.join('\n')}\n`)
    const options = { extends: '../../../tsconfig.base.json', compilerOptions: { composite: false, noEmit: true }, include: ['objects.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8', cwd: root })
    expect(stdout.split('\n').slice(0, 20).join('\n')).toBe('')
  })
})

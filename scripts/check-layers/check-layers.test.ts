import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
// @ts-expect-error: a plain script without types.
import { check, mask } from './check.mjs'
import table from './layers.json' with { type: 'json' }

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'check-layers-'))
  plant('packages/steersman/package.json', JSON.stringify({ name: 'steersman', dependencies: { pino: '1' } }))
  plant('packages/apiserver/package.json', JSON.stringify({ name: '@steersman/apiserver', dependencies: { steersman: '1' } }))
  plant('packages/steersman/src/api/index.ts', "export { meta } from './meta.js'\n")
  plant('packages/steersman/src/api/meta.ts', 'export const meta = 1\n')
})

afterEach(() => rmSync(root, { recursive: true }))

function plant(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const refusals = (): string[] => check(root, table) as string[]

const steersman = 'packages/steersman/src'
const apiserver = 'packages/apiserver/src'

describe('check-layers', () => {
  test('accepts a tree that keeps to the table', () => {
    plant(
      `${steersman}/cache/store.ts`,
      "import { meta } from '../api/index.js'\nimport { sleep } from '../environment/index.js'\nexport const x = [meta, sleep]\n",
    )
    plant(`${steersman}/environment/index.ts`, "export { sleep } from './system.js'\n")
    plant(`${steersman}/environment/system.ts`, "import { setTimeout } from 'node:timers'\nexport const sleep = setTimeout\n")
    plant(`${apiserver}/controllers/gc.ts`, "import { meta } from 'steersman'\nexport const x = meta\n")
    expect(refusals()).toEqual([])
  })

  test('refuses to pass when there is nothing to check', () => {
    rmSync(join(root, 'packages'), { recursive: true })
    expect(refusals()).toEqual([expect.stringContaining('found no source file')])
  })

  const planted: readonly [what: string, path: string, text: string, expected: RegExp][] = [
    [
      'an import of a room above',
      `${steersman}/api/bad.ts`,
      "import { x } from '../client/index.js'\nexport const y = x\n",
      /bad\.ts:1: room "api" may not import room "client"/,
    ],
    [
      'a type import of a room above',
      `${steersman}/api/bad.ts`,
      "import type { X } from '../client/index.js'\nexport type Y = X\n",
      /may not import room "client"/,
    ],
    [
      'an import past a door',
      `${steersman}/cache/bad.ts`,
      "import { meta } from '../api/meta.js'\nexport const y = meta\n",
      /goes past the door of room "api"/,
    ],
    [
      'a built-in controller that imports a room of the server',
      `${apiserver}/controllers/bad.ts`,
      "import { x } from '../registry/index.js'\nexport const y = x\n",
      /may not import room "registry"/,
    ],
    [
      'endpoints that know the database',
      `${apiserver}/endpoints/bad.ts`,
      "import { x } from '../storage/index.js'\nexport const y = x\n",
      /may not import room "storage"/,
    ],
    [
      'a door that the room may not enter',
      `${apiserver}/registry/bad.ts`,
      "import { x } from 'steersman/client'\nexport const y = x\n",
      /may not enter door "steersman\/client"/,
    ],
    [
      'a relative import of another package',
      `${apiserver}/registry/bad.ts`,
      "import { x } from '../../../steersman/src/api/meta.js'\nexport const y = x\n",
      /leaves the package/,
    ],
    [
      'an undeclared dependency',
      `${steersman}/client/bad.ts`,
      "import { x } from 'left-pad'\nexport const y = x\n",
      /left-pad is not a dependency/,
    ],
    ['zod outside its door', `${steersman}/api/bad.ts`, "import { z } from 'zod'\nexport const y = z\n", /zod may be imported only in/],
    ['a room that the table does not know', `${steersman}/attic/bad.ts`, 'export const y = 1\n', /room "attic" is not in the import table/],
    ['a barrel', `${steersman}/api/all.ts`, "export { meta } from './meta.js'\n", /only re-exports/],
    ['export *', `${steersman}/api/all.ts`, "export * from './meta.js'\nexport const y = 1\n", /export \* makes a barrel/],
    ['a side effect at import', `${steersman}/api/bad.ts`, 'export const y = new Map()\ny.set(1, 2)\n', /bad\.ts:2: side effect at import/],
    ['state at the top level', `${steersman}/api/bad.ts`, 'export let y = 1\n', /top-level let/],
    ['Date.now', `${steersman}/cache/bad.ts`, 'export const y = () => Date.now()\n', /Date\.now is used outside/],
    ['new Date() without argument', `${steersman}/cache/bad.ts`, 'export const y = () => new Date()\n', /new Date\(\) without argument/],
    ['performance.now', `${steersman}/cache/bad.ts`, 'export const y = () => performance.now()\n', /performance\.now/],
    ['a timer', `${steersman}/cache/bad.ts`, 'export const y = () => setTimeout(() => {}, 1)\n', /setTimeout/],
    ['a timer inside a template', `${steersman}/cache/bad.ts`, 'export const y = () => `${' + 'setTimeout(() => {}, 1)}`\n', /setTimeout/],
    ['AbortSignal.timeout', `${steersman}/cache/bad.ts`, 'export const y = () => AbortSignal.timeout(1)\n', /AbortSignal\.timeout/],
    ['Math.random', `${steersman}/cache/bad.ts`, 'export const y = () => Math.random()\n', /Math\.random/],
    [
      'crypto.randomUUID',
      `${steersman}/cache/bad.ts`,
      "import { randomUUID } from 'node:crypto'\nexport const y = () => randomUUID()\n",
      /crypto\.random/,
    ],
    ['process.env', `${steersman}/cache/bad.ts`, 'export const y = () => process.env.HOME\n', /process is used/],
    ['console', `${steersman}/cache/bad.ts`, "export const y = () => console.log('x')\n", /console/],
    ['fetch', `${steersman}/cache/bad.ts`, "export const y = () => fetch('x')\n", /fetch/],
    ['WeakRef', `${steersman}/cache/bad.ts`, 'export const y = () => new WeakRef({})\n', /WeakRef/],
    ['a socket', `${steersman}/cache/bad.ts`, "import net from 'node:net'\nexport const y = net\n", /node:net is used/],
    ['a lazily loaded socket', `${steersman}/cache/bad.ts`, "export const y = () => import('node:http')\n", /node:http is used/],
  ]
  test.each(planted)('refuses %s', (_what, path, text, expected) => {
    plant(path, text)
    expect(refusals().join('\n')).toMatch(expected)
  })

  test('refuses an import cycle', () => {
    plant(`${steersman}/api/a.ts`, "import { b } from './b.js'\nexport const a = () => b\n")
    plant(`${steersman}/api/b.ts`, "import { a } from './a.js'\nexport const b = () => a\n")
    expect(refusals()).toEqual([
      expect.stringContaining('import cycle: packages/steersman/src/api/a.ts -> packages/steersman/src/api/b.ts'),
    ])
  })

  test('is not misled by comments, strings and regular expressions', () => {
    plant(
      `${steersman}/cache/good.ts`,
      "/* Date.now() */\n// setTimeout\nexport const y = ['Math.random', /console\\./, `fetch(${'process.env'})`]\n",
    )
    expect(refusals()).toEqual([])
  })

  test('mask keeps line numbers', () => {
    const { bare } = mask('a\n/* b\nc */\n`d\n${e}`\n') as { bare: string }
    expect(bare.split('\n')).toHaveLength(6)
    expect(bare).toContain('e')
    expect(bare).not.toContain('d')
  })
})

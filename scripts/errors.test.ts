import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name === 'dist' ? [] : sources(path)
    return entry.name.endsWith('.ts') && !/\.(?:test|testing|conformance|suite)\.ts$/.test(entry.name) ? [path] : []
  })
}

/** Exported error classes that carry a code, and the code where the class has only one. */
function errorClasses(): { name: string; code: string | undefined }[] {
  return sources('packages').flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return [...text.matchAll(/^export class (\w+) extends Error \{([\s\S]*?)^\}/gm)]
      .filter((match) => /\breadonly code\b/.test(match[2] ?? ''))
      .map((match) => ({ name: match[1] ?? '', code: /\breadonly code = '([^']+)'/.exec(match[2] ?? '')?.[1] }))
  })
}

const documented = new Map(
  [...readFileSync(join(root, 'docs/errors.md'), 'utf8').matchAll(/^\| `(\w+)` *\| *([^|]*)\|/gm)].map((match) => [
    match[1] ?? '',
    match[2] ?? '',
  ]),
)

test('docs/errors.md lists every exported error class with a code, and no other', () => {
  expect([...documented.keys()].sort()).toEqual([...new Set(errorClasses().map(({ name }) => name))].sort())
})

test('docs/errors.md gives the code of each error class', () => {
  for (const { name, code } of errorClasses()) if (code !== undefined) expect(documented.get(name), name).toContain(`\`${code}\``)
})

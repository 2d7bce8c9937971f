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

/** Exported error classes that carry a code. */
function errorClasses(): string[] {
  return sources('packages').flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return [...text.matchAll(/^export class (\w+) extends Error \{([\s\S]*?)^\}/gm)].filter((match) => /\breadonly code\b/.test(match[2] ?? '')).map((match) => match[1] as string)
  })
}

test('docs/errors.md lists every exported error class with a code, and no other', () => {
  const listed = [...readFileSync(join(root, 'docs/errors.md'), 'utf8').matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1])
  expect(listed.sort()).toEqual(errorClasses().sort())
})

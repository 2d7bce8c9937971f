import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'steersman-generated-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort()
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync('go', ['run', '.', ...args], { cwd: join(root, 'hack', program), encoding: 'utf8' })
  expect(status, stderr).toBe(0)
}

describe('npm run generate', () => {
  it('changes nothing', { timeout: 300_000 }, () => {
    run('apigen', ['generate', '--root', folder])
    run('gostructs', ['--root', folder])
    const files = filesBelow(folder)
    expect(files.length).toBeGreaterThan(60)
    const changed = files.filter((file) => readFileSync(join(folder, file), 'utf8') !== readFileSync(join(root, file), 'utf8'))
    expect(changed).toEqual([])
    const types = filesBelow(join(root, 'packages/steersman/src/api/types')).map((file) => `packages/steersman/src/api/types/${file}`)
    expect(types.filter((file) => !files.includes(file))).toEqual([])
  })
})

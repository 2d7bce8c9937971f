/**
 * Compares the public surface of every door with the committed report in docs/surface; `--write` renews the reports.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { surfaceOf } from './surface.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const reports = join(root, 'docs/surface')
const write = process.argv.includes('--write')
mkdirSync(reports, { recursive: true })

const expected = new Map()
for (const folder of readdirSync(join(root, 'packages'))) {
  const manifestPath = join(root, 'packages', folder, 'package.json')
  if (!existsSync(manifestPath)) continue
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))
  for (const [door, target] of Object.entries(manifest.exports ?? {})) {
    if (door.includes('*') || manifest.private) continue
    const name = `${manifest.name.replace('@', '').replace('/', '-')}${door === '.' ? '' : `-${door.slice(2).replaceAll('/', '-')}`}.txt`
    expected.set(name, surfaceOf(join(root, 'packages', folder, target.types)))
  }
}

let changed = 0
for (const [name, text] of expected) {
  const path = join(reports, name)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (before === text) continue
  changed += 1
  if (write) writeFileSync(path, text)
  else report(name, before, text)
}
for (const name of readdirSync(reports)) {
  if (expected.has(name)) continue
  changed += 1
  if (write) rmSync(join(reports, name))
  else console.error(`docs/surface/${name}: the door is gone`)
}
if (changed > 0 && !write) {
  console.error(`surface: ${changed} report(s) differ; if the change is meant, run "npm run surface" and commit docs/surface`)
  process.exitCode = 1
} else {
  console.log(write ? `surface: ${changed} report(s) renewed` : `surface: ${expected.size} doors are as reported`)
}

function report(name, before, text) {
  const old = new Set(before.split('\n'))
  const now = new Set(text.split('\n'))
  console.error(`docs/surface/${name}:`)
  for (const line of old) if (!now.has(line)) console.error(`  - ${line}`)
  for (const line of now) if (!old.has(line)) console.error(`  + ${line}`)
}

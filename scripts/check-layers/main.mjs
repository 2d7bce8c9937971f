import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { check } from './check.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const table = JSON.parse(readFileSync(new URL('./layers.json', import.meta.url), 'utf8'))
const refusals = check(root, table)
for (const refusal of refusals) console.error(refusal)
if (refusals.length > 0) {
  console.error(`check-layers: ${refusals.length} refused; the table is scripts/check-layers/layers.json`)
  process.exitCode = 1
} else {
  console.log('check-layers: every import and use keeps to the table')
}

import { readFileSync, writeFileSync } from 'node:fs'
import { conformanceFolder } from '../src/control-plane-binaries.js'
import type { Counts } from './results.js'

/** How many specs each suite has on the real binaries, and which versions these were: `recorded.json`. */
export interface Recorded {
  readonly controllerRuntime: string
  readonly kubernetes: string
  readonly suites: Readonly<Record<string, Counts>>
}

const file = new URL('go-suites/recorded.json', conformanceFolder)

/** What was recorded, unless it was with other versions. */
export function readRecorded(versions: Omit<Recorded, 'suites'>): Recorded {
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as Recorded
  const isCurrent = recorded.controllerRuntime === versions.controllerRuntime && recorded.kubernetes === versions.kubernetes
  return isCurrent ? recorded : { ...versions, suites: {} }
}

/** One line for each suite. */
export function writeRecorded({ suites, ...versions }: Recorded): void {
  const lines = Object.entries(suites).map(([name, counts]) => `    ${JSON.stringify(name)}: ${lineOf(counts)}`)
  const heads = Object.entries(versions).map(([name, version]) => `  ${JSON.stringify(name)}: ${JSON.stringify(version)},\n`)
  writeFileSync(file, `{\n${heads.join('')}  "suites": {\n${lines.join(',\n')}\n  }\n}\n`)
}

function lineOf({ specs, passed, failed, skipped }: Counts): string {
  return `{ "specs": ${specs}, "passed": ${passed}, "failed": ${failed}, "skipped": ${skipped} }`
}

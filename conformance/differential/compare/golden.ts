import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from 'js-yaml'
import { conformanceFolder } from '../../src/control-plane-binaries.js'
import type { Json, Scenario } from '../language/index.js'
import type { CanonicalAnswer } from './canonical.js'
import { yamlText } from './yaml-text.js'

/** What the real server answered. */
export interface Golden {
  /** The version of the server, `v1.37.2`. */
  readonly server: string
  /** A hash of the scenario's steps: answers to other steps are worth nothing. */
  readonly steps: string
  readonly answers: readonly CanonicalAnswer[]
}

const folder = fileURLToPath(new URL('differential/golden', conformanceFolder))

/** `errors/get-of-a-missing-object`. */
export function scenarioId({ area, name }: Scenario): string {
  return `${slug(area)}/${slug(name)}`
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

export function stepsHash({ steps, controllers }: Scenario): string {
  return createHash('sha256').update(JSON.stringify({ steps, controllers })).digest('hex').slice(0, 12)
}

/** `undefined`: it was never recorded. */
export function readGolden(scenario: Scenario): Golden | undefined {
  const file = fileOf(scenario)
  if (!existsSync(file)) return undefined
  const { server, steps, answers } = load(readFileSync(file, 'utf8')) as {
    server: string
    steps: string
    answers: { request: string; status: number; headers?: Record<string, string>; body?: Json }[]
  }
  return {
    server,
    steps,
    answers: answers.map(({ request, status, headers = {}, body = '' }) => ({ request, status, headers, body })),
  }
}

export function writeGolden(scenario: Scenario, server: string, answers: readonly CanonicalAnswer[]): void {
  const file = fileOf(scenario)
  mkdirSync(dirname(file), { recursive: true })
  const compact = answers.map(({ request, status, headers, body }) => ({
    request,
    status,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(body === '' ? {} : { body }),
  }))
  writeFileSync(file, yamlText({ server, steps: stepsHash(scenario), answers: compact }))
}

/** Removes files of scenarios that are no more. Returns what it removed. */
export function removeOrphans(scenarios: readonly Scenario[]): readonly string[] {
  const wanted = new Set(scenarios.map(fileOf))
  const files = existsSync(folder)
    ? (readdirSync(folder, { recursive: true, encoding: 'utf8' }) as string[]).filter((name) => name.endsWith('.yaml'))
    : []
  const orphans = files.map((name) => join(folder, name)).filter((file) => !wanted.has(file))
  for (const file of orphans) rmSync(file)
  return orphans.map((file) => relative(folder, file))
}

function fileOf(scenario: Scenario): string {
  return join(folder, `${scenarioId(scenario)}.yaml`)
}

import type { Json, JsonObject } from '../language/index.js'
import type { CanonicalAnswer } from './canonical.js'

/** What the answers of the real server tell of. */
export interface Coverage {
  /** Kinds of which an object was stored: `apps/v1 Deployment`. */
  readonly kinds: ReadonlySet<string>
  /** Rules that refused one: kind, field without its indexes and keys, and reason. */
  readonly rules: ReadonlySet<string>
}

/** What some answers cover. */
export function coverageOf(answers: readonly CanonicalAnswer[]): Coverage {
  const kinds = new Set<string>()
  const rules = new Set<string>()
  for (const { status, body } of answers) {
    if (!isObject(body)) continue
    const metadata = isObject(body.metadata) ? body.metadata : {}
    if (status < 300 && metadata.uid !== undefined) kinds.add(`${String(body.apiVersion)} ${String(body.kind)}`)
    for (const rule of rulesOf(body)) rules.add(rule)
  }
  return { kinds, rules }
}

/** What several coverages cover together. */
export function joined(coverages: readonly Coverage[]): Coverage {
  return {
    kinds: new Set(coverages.flatMap(({ kinds }) => [...kinds])),
    rules: new Set(coverages.flatMap(({ rules }) => [...rules])),
  }
}

function rulesOf(body: JsonObject): string[] {
  const details = isObject(body.details) ? body.details : {}
  if (body.reason !== 'Invalid' || !Array.isArray(details.causes)) return []
  return details.causes.filter(isObject).map(({ field, reason }) => {
    const place = String(field).replaceAll(/\[[^\]]*\]/g, '[]')
    return `${String(details.kind)} ${place} ${String(reason)}`
  })
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

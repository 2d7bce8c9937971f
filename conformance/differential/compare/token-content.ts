import type { Json, JsonObject } from '../language/index.js'

const tokenPattern = /^(eyJ[\w-]+)\.(eyJ[\w-]+)\.([\w-]+)$/

/** What a JSON Web Token says, in comparable form; `undefined` for other text. Its times are told relative to when it was issued. */
export function tokenContent(text: string): JsonObject | undefined {
  const [, head, payload, signature] = tokenPattern.exec(text) ?? []
  if (head === undefined || payload === undefined || signature === undefined) return undefined
  const claims = decoded(payload)
  const { iat, exp, nbf, 'kubernetes.io': bound, ...others } = claims
  const relative = (time: Json | undefined): JsonObject | undefined =>
    typeof time === 'number' && typeof iat === 'number' ? { afterIssue: time - iat } : undefined
  return {
    head: decoded(head),
    claims: withoutAbsent({
      ...others,
      exp: relative(exp),
      nbf: relative(nbf),
      'kubernetes.io': isObject(bound) ? withoutAbsent({ ...bound, warnafter: relative(bound.warnafter) }) : bound,
    }),
    signatureBytes: Buffer.from(signature, 'base64url').length,
  }
}

function decoded(part: string): JsonObject {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as JsonObject
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function withoutAbsent(value: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as JsonObject
}

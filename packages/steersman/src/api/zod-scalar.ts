import type { StructuralSchema, ValueValidation } from './structural-schema.js'
import type { ZodDefinition } from './zod-like.js'
import { checksOf, refuseZod } from './zod-like.js'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** Formats of zod that the API server has too. The others are sent as the pattern that zod uses. */
const formats: Readonly<Record<string, string | undefined>> = {
  email: 'email',
  url: 'uri',
  uuid: 'uuid',
  guid: 'uuid',
  ipv4: 'ipv4',
  ipv6: 'ipv6',
  cidrv4: 'cidr',
  cidrv6: 'cidr',
  mac: 'mac',
  hostname: 'hostname',
  datetime: 'date-time',
  date: 'date',
  base64: 'byte',
}

/** @internal */
export function stringSchema(definition: ZodDefinition, path: string): StructuralSchema {
  if (definition.coerce === true) refuseZod(path, 'the API server does not coerce values', 'use z.string()')
  const schema: Mutable<StructuralSchema> = { type: 'string' }
  const patterns: string[] = []
  for (const check of checksOf(definition)) {
    if (check.check === 'min_length') schema.minLength = Math.max(schema.minLength ?? 0, check.minimum as number)
    if (check.check === 'max_length') schema.maxLength = Math.min(schema.maxLength ?? Number.POSITIVE_INFINITY, check.maximum as number)
    if (check.check === 'length_equals') {
      schema.minLength = check.length as number
      schema.maxLength = check.length as number
    }
    if (check.check === 'string_format') addFormat(schema, patterns, check, path)
  }
  const [first, ...more] = patterns
  if (first !== undefined) schema.pattern = first
  if (more.length > 0) schema.allOf = more.map((pattern): ValueValidation => ({ pattern }))
  return schema
}

function addFormat(schema: Mutable<StructuralSchema>, patterns: string[], check: ZodDefinition, path: string): void {
  const name = String(check.format)
  const format = check.local === true ? undefined : formats[name]
  if (check.hostname !== undefined || check.protocol !== undefined) {
    refuseZod(path, 'the format of the API server does not look at hostname or protocol', 'use .regex() or a cel() rule')
  }
  if (format !== undefined && schema.format === undefined) {
    schema.format = format
    // The API server's format is wider than these; a pattern that RE2 cannot have is left to the format.
    const isNarrower = name === 'email' || check.version !== undefined
    if (isNarrower && check.pattern instanceof RegExp && !looksAround(check.pattern)) patterns.push(re2Pattern(check.pattern, path))
  } else if (check.pattern instanceof RegExp) patterns.push(re2Pattern(check.pattern, path))
  else refuseZod(path, `the format ${name} has neither a counterpart in the API server nor a pattern`, 'use .regex() or a cel() rule')
}

const flagLetters: Readonly<Record<string, string | undefined>> = { i: 'i', m: 'm', s: 's', u: '', g: '' }

const looksAround = (pattern: RegExp) => /\(\?<?[=!]/.test(pattern.source)

/** The pattern as RE2 has it. RE2 runs in linear time and has no look-around and no back references. */
function re2Pattern(pattern: RegExp, path: string): string {
  if (/\(\?<?[=!]/.test(pattern.source))
    refuseZod(path, `the pattern ${pattern} looks around, which RE2 cannot`, 'rewrite it without (?=…) and the like')
  if (/(?<!\\)(?:\\\\)*\\(?:[1-9]|k<)/.test(pattern.source)) {
    refuseZod(path, `the pattern ${pattern} refers back, which RE2 cannot`, 'rewrite it without \\1 and the like')
  }
  let flags = ''
  for (const flag of pattern.flags) {
    const letter = flagLetters[flag]
    if (letter === undefined) refuseZod(path, `the pattern ${pattern} has the flag ${flag}, which RE2 has not`, 'remove the flag')
    flags += letter
  }
  const source = pattern.source.replaceAll(/\\u(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{4}))/g, (_, braced, plain) => `\\x{${braced ?? plain}}`)
  return flags === '' ? source : `(?${flags})${source}`
}

const numberFormats: Readonly<Record<string, StructuralSchema | undefined>> = {
  safeint: { type: 'integer', format: 'int64' },
  int32: { type: 'integer', format: 'int32' },
  uint32: { type: 'integer', format: 'int64', minimum: 0, maximum: 4_294_967_295 },
  float32: { type: 'number', format: 'float' },
  float64: { type: 'number', format: 'double' },
}

/** @internal */
export function numberSchema(definition: ZodDefinition, path: string): StructuralSchema {
  if (definition.coerce === true) refuseZod(path, 'the API server does not coerce values', 'use z.number()')
  let schema: Mutable<StructuralSchema> = { type: 'number' }
  for (const check of checksOf(definition)) {
    if (check.check === 'number_format') schema = { ...schema, ...numberFormats[String(check.format)] }
    if (check.check === 'greater_than') raiseMinimum(schema, check.value as number, check.inclusive !== true)
    if (check.check === 'less_than') lowerMaximum(schema, check.value as number, check.inclusive !== true)
    if (check.check === 'multiple_of') {
      if (schema.multipleOf !== undefined) refuseZod(path, 'it has two divisors', 'use their least common multiple')
      schema.multipleOf = check.value as number
    }
  }
  return schema
}

function raiseMinimum(schema: Mutable<StructuralSchema>, value: number, isExclusive: boolean): void {
  if (schema.minimum !== undefined && (schema.minimum > value || (schema.minimum === value && !isExclusive))) return
  schema.minimum = value
  if (isExclusive) schema.exclusiveMinimum = true
  else delete schema.exclusiveMinimum
}

function lowerMaximum(schema: Mutable<StructuralSchema>, value: number, isExclusive: boolean): void {
  if (schema.maximum !== undefined && (schema.maximum < value || (schema.maximum === value && !isExclusive))) return
  schema.maximum = value
  if (isExclusive) schema.exclusiveMaximum = true
  else delete schema.exclusiveMaximum
}

/**
 * Structural schemas from zod 4 schemas, without zod: a zod schema describes itself in `_zod.def`, and this file reads
 * that description. What an API server could not enforce is refused with the path and a remedy, never dropped.
 */
import type { StructuralSchema } from './structural-schema.js'
import type { ZodDefinition, ZodLike } from './zod-like.js'
import { checksOf, describeZod, isZodSchema, refuseZod } from './zod-like.js'
import { numberSchema, stringSchema } from './zod-scalar.js'

/**
 * The structural schema of a zod schema: what a client sends (`z.input`), before defaults.
 *
 * Constraints, defaults, descriptions and metadata keys `x-kubernetes-*` carry over. `z.unknown()` and loose objects keep
 * unknown fields; strict and plain objects are the same, since the server prunes.
 *
 * @param path how error messages name the schema: `spec`
 * @throws TypeError for what cannot be structural: dates, transforms, refinements, unions other than int-or-string,
 *   tuples, recursion, …
 */
export function structuralSchemaFromZod(schema: ZodLike, path: string): StructuralSchema {
  return convert(schema, path, []).schema
}

interface Converted {
  readonly schema: StructuralSchema
  /** Whether an object may lack the field. */
  readonly isOptional: boolean
}

/** What a converter gets: the definition, where it is, and the schemas it is inside of. */
interface Context {
  readonly definition: ZodDefinition
  readonly path: string
  readonly ancestors: readonly ZodLike[]
}

const required = (schema: StructuralSchema): Converted => ({ schema, isOptional: false })

const maxDepth = 200

function convert(schema: ZodLike, path: string, ancestors: readonly ZodLike[]): Converted {
  if (!isZodSchema(schema)) refuseZod(path, 'it is not a zod 4 schema', 'use zod 4 throughout, or a plain structural schema at the top')
  if (ancestors.includes(schema) || ancestors.length > maxDepth) {
    refuseZod(
      path,
      'it contains itself, and a structural schema has no references',
      'limit the depth, or use z.unknown() for the part that recurs',
    )
  }
  const definition = describeZod(schema)
  const convertType = converters[definition.type]
  if (convertType === undefined) refuse({ definition, path, ancestors })
  const converted = convertType({ definition, path, ancestors: [...ancestors, schema] })
  return { ...converted, schema: withMetadata(refuseChecks(converted.schema, definition, path), schema) }
}

const converters: Readonly<Record<string, ((context: Context) => Converted) | undefined>> = {
  string: ({ definition, path }) => required(stringSchema(definition, path)),
  number: ({ definition, path }) => required(numberSchema(definition, path)),
  template_literal: (context) => required(templateSchema(context)),
  boolean: ({ definition, path }) => {
    if (definition.coerce === true) refuseZod(path, 'the API server does not coerce values', 'use z.boolean()')
    return required({ type: 'boolean' })
  },
  any: () => required({ 'x-kubernetes-preserve-unknown-fields': true }),
  unknown: () => required({ 'x-kubernetes-preserve-unknown-fields': true }),
  enum: ({ definition, path }) => required(enumSchema(Object.values(enumEntries(definition.entries)), path)),
  literal: ({ definition, path }) => required(enumSchema(definition.values as readonly unknown[], path)),
  object: (context) => required(objectSchema(context)),
  record: (context) => required(recordSchema(context)),
  array: (context) => required(arraySchema(context)),
  union: (context) => unionSchema(context),
  optional: (context) => ({ ...inner(context), isOptional: true }),
  nonoptional: (context) => ({ ...inner(context), isOptional: false }),
  readonly: (context) => inner(context),
  nullable: (context) => {
    const converted = inner(context)
    return { ...converted, schema: nullable(converted.schema) }
  },
  default: (context) => withDefault(context),
  prefault: (context) => withDefault(context),
  lazy: ({ definition, path, ancestors }) => convert((definition.getter as () => ZodLike)(), path, ancestors),
}

function inner({ definition, path, ancestors }: Context): Converted {
  return convert(definition.innerType as ZodLike, path, ancestors)
}

function withDefault(context: Context): Converted {
  const value: unknown = context.definition.defaultValue
  if (!isPlainJson(value))
    refuseZod(context.path, 'its default is not plain JSON', 'use strings, numbers, booleans, lists and objects only')
  return { schema: { ...inner(context).schema, default: value }, isOptional: true }
}

function isPlainJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isPlainJson)
  if (typeof value !== 'object') return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlainJson)
}

/** zod keeps the pattern of a template beside its definition. */
function templateSchema({ definition, path, ancestors }: Context): StructuralSchema {
  const pattern = (ancestors.at(-1)?._zod as { readonly pattern?: RegExp } | undefined)?.pattern
  return stringSchema({ ...definition, check: 'string_format', format: 'template_literal', pattern }, path)
}

/** An API server refuses null for every enum, one with null in it too; inside a junctor the enum is not asked about null. */
function nullable(schema: StructuralSchema): StructuralSchema {
  const { enum: values, ...rest } = schema
  if (values === undefined) return { ...schema, nullable: true }
  return { ...rest, nullable: true, allOf: [...(rest.allOf ?? []), { enum: values }] }
}

/** TypeScript's numeric enums map numbers back to names; those are not values. */
function enumEntries(entries: unknown): Readonly<Record<string, unknown>> {
  const all = Object.entries(entries as Readonly<Record<string, unknown>>)
  const numbers = new Set(all.map(([, value]) => value).filter((value) => typeof value === 'number'))
  return Object.fromEntries(all.filter(([key, value]) => !(typeof value === 'string' && numbers.has(Number(key)))))
}

function enumSchema(values: readonly unknown[], path: string): StructuralSchema {
  if (values.length === 0) refuseZod(path, 'no value is allowed', 'give at least one')
  if (values.every((value) => typeof value === 'string')) return { type: 'string', enum: values }
  if (values.every((value) => Number.isSafeInteger(value))) return { type: 'integer', enum: values }
  if (values.every((value) => typeof value === 'number')) return { type: 'number', enum: values }
  if (values.every((value) => typeof value === 'boolean')) return { type: 'boolean', enum: values }
  return refuseZod(path, 'its values are not all strings, all numbers or all booleans', 'use one type; for null use .nullable()')
}

function objectSchema(context: Context): StructuralSchema {
  const { definition, path, ancestors } = context
  const properties: Record<string, StructuralSchema> = {}
  const requiredNames: string[] = []
  for (const [name, field] of Object.entries(definition.shape as Readonly<Record<string, ZodLike>>)) {
    const { schema, isOptional } = convert(field, `${path}.${name}`, ancestors)
    properties[name] = schema
    if (!isOptional) requiredNames.push(name)
  }
  return {
    type: 'object',
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(requiredNames.length > 0 ? { required: requiredNames } : {}),
    ...catchallSchema(context, Object.keys(properties).length > 0),
  }
}

function catchallSchema({ definition, path, ancestors }: Context, hasProperties: boolean): StructuralSchema {
  const catchall = definition.catchall as ZodLike | undefined
  if (catchall === undefined || catchall._zod.def.type === 'never') return {}
  if (catchall._zod.def.type === 'unknown' || catchall._zod.def.type === 'any') return { 'x-kubernetes-preserve-unknown-fields': true }
  if (hasProperties) refuseZod(path, 'it has both named fields and a catchall', 'put the free ones into a z.record() field of their own')
  return { additionalProperties: convert(catchall, `${path}.*`, ancestors).schema }
}

function recordSchema({ definition, path, ancestors }: Context): StructuralSchema {
  const key = describeZod(definition.keyType as ZodLike)
  if (key.type !== 'string' || key.check !== undefined || ((key.checks as readonly unknown[] | undefined) ?? []).length > 0) {
    refuseZod(path, 'the keys of a map can only be any string', 'use z.record(z.string(), …) and cel({ rule: "self.all(key, …)" })')
  }
  return { type: 'object', additionalProperties: convert(definition.valueType as ZodLike, `${path}.*`, ancestors).schema }
}

function arraySchema({ definition, path, ancestors }: Context): StructuralSchema {
  const schema: { -readonly [Key in keyof StructuralSchema]: StructuralSchema[Key] } = {
    type: 'array',
    items: convert(definition.element as ZodLike, `${path}[]`, ancestors).schema,
  }
  for (const check of checksOf(definition)) {
    if (check.check === 'min_length') schema.minItems = Math.max(schema.minItems ?? 0, check.minimum as number)
    if (check.check === 'max_length') schema.maxItems = Math.min(schema.maxItems ?? Number.POSITIVE_INFINITY, check.maximum as number)
    if (check.check === 'length_equals') {
      schema.minItems = check.length as number
      schema.maxItems = check.length as number
    }
  }
  return schema
}

/** Of unions a structural schema has two: int-or-string, and values of an enum. A null option makes the rest nullable. */
function unionSchema({ definition, path, ancestors }: Context): Converted {
  const options = definition.options as readonly ZodLike[]
  const isNull = (option: ZodLike) => option._zod.def.type === 'null'
  const isUndefined = (option: ZodLike) => option._zod.def.type === 'undefined'
  const converted = options
    .filter((option) => !isNull(option) && !isUndefined(option))
    .map((option) => convert(option, path, ancestors).schema)
  const schema = joinOptions(converted, path)
  return { schema: options.some(isNull) ? nullable(schema) : schema, isOptional: options.some(isUndefined) }
}

function joinOptions(options: readonly StructuralSchema[], path: string): StructuralSchema {
  const [only] = options
  if (options.length === 1 && only !== undefined) return only
  const types = options.map((option) => option.type)
  if (options.length === 2 && types.includes('integer') && types.includes('string')) return intOrStringSchema(options, path)
  if (options.length > 0 && options.every((option) => option.enum !== undefined)) {
    return enumSchema([...new Set(options.flatMap((option) => option.enum ?? []))], path)
  }
  return refuseZod(
    path,
    'a union cannot be structural unless it is z.union([z.int(), z.string()])',
    'use optional fields and a cel() rule that exactly one is set',
  )
}

/** Constraints apply to values of their type only, so those of both options stand side by side. */
function intOrStringSchema(options: readonly StructuralSchema[], path: string): StructuralSchema {
  if (options.some((option) => option.enum !== undefined || option.nullable === true)) {
    refuseZod(path, 'an option of int-or-string has an enum or is nullable', 'make the union nullable, or use a cel() rule')
  }
  const [first, second] = options.map(({ type: _type, format: _format, ...constraints }) => constraints)
  return { 'x-kubernetes-int-or-string': true, ...first, ...second }
}

const lengthChecks = ['min_length', 'max_length', 'length_equals']
const checksByType: Readonly<Record<string, readonly string[] | undefined>> = {
  string: [...lengthChecks, 'string_format'],
  template_literal: [...lengthChecks, 'string_format'],
  number: ['number_format', 'greater_than', 'less_than', 'multiple_of'],
  array: lengthChecks,
}

function refuseChecks(schema: StructuralSchema, definition: ZodDefinition, path: string): StructuralSchema {
  for (const check of checksOf(definition)) {
    const name = String(check.check)
    if (checksByType[definition.type]?.includes(name)) continue
    if (name === 'custom')
      refuseZod(path, 'a refinement is a function, which the API server cannot run', 'write the rule in CEL: .meta(cel({ rule: … }))')
    if (name === 'overwrite')
      refuseZod(path, 'it changes the value, which the API server does not', 'remove .trim(), .toLowerCase() and the like')
    refuseZod(path, `the check ${name} has no counterpart in a structural schema`, 'write it in CEL: .meta(cel({ rule: … }))')
  }
  return schema
}

/** The metadata of a schema: its own method gives it, for zod mini the registry that all copies of zod share. */
function withMetadata(schema: StructuralSchema, source: ZodLike): StructuralSchema {
  const { meta } = source as { readonly meta?: () => unknown }
  const registry = (globalThis as { readonly __zod_globalRegistry?: { get(schema: unknown): unknown } }).__zod_globalRegistry
  const metadata = (typeof meta === 'function' ? meta.call(source) : registry?.get(source)) as Readonly<Record<string, unknown>> | undefined
  if (metadata === undefined) return schema
  const copied: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(metadata)) {
    if (key === 'title' || key === 'description' || key.startsWith('x-kubernetes-')) copied[key] = value
  }
  return { ...schema, ...copied }
}

const remedies: Readonly<Record<string, string | undefined>> = {
  date: 'use z.iso.datetime(): times are strings on the wire',
  bigint: 'use z.int()',
  transform: 'transform in the reconciler',
  pipe: 'use the schema of what is on the wire, and transform in the reconciler',
  catch: 'use .default(): the server refuses wrong values instead of replacing them',
  intersection: 'use .extend() to make one object',
  tuple: 'use an object with a field for each place',
  map: 'use z.record()',
  set: 'use listSet() of steersman/zod',
  null: 'use .nullable() on the schema of the value',
  undefined: 'use .optional() on the schema of the value',
}

function refuse({ definition, path }: Context): never {
  return refuseZod(
    path,
    `a zod schema of type ${definition.type} cannot be structural`,
    remedies[definition.type] ?? 'use types that JSON has',
  )
}

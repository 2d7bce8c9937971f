/** A zod 4 schema (classic or mini), by what identifies it. */
export interface ZodLike<Output = unknown, Input = unknown> {
  readonly _zod: { readonly def: { readonly type: string }; readonly output: Output; readonly input: Input }
}

/** How a zod schema describes itself. `type` decides which members there are. */
export interface ZodDefinition {
  readonly type: string
  readonly [member: string]: unknown
}

/** The description of a schema, whose members depend on its type. */
export function describeZod(schema: ZodLike): ZodDefinition {
  return schema._zod.def as ZodDefinition
}

/** Whether a value is a zod 4 schema. */
export function isZodSchema(value: unknown): value is ZodLike {
  const internals = (value as { readonly _zod?: { readonly def?: { readonly type?: unknown } } } | null | undefined)?._zod
  return typeof internals?.def?.type === 'string'
}

/** @internal Refuses a schema with the reason and what to write instead. */
export function refuseZod(path: string, problem: string, remedy: string): never {
  throw new TypeError(`Cannot use ${path} in a CustomResourceDefinition: ${problem}; ${remedy}`)
}

/** The checks of a schema; a format such as `z.email()` is its own first check. */
export function checksOf(definition: ZodDefinition): readonly ZodDefinition[] {
  const checks = (definition.checks as readonly ZodLike[] | undefined) ?? []
  const own = definition.check === undefined ? [] : [definition]
  return [...own, ...checks.map(describeZod)]
}

/**
 * Custom resources: one value that is the resource's descriptor, its types and the facts of its CustomResourceDefinition.
 */
import type { ObjectMeta, StoredObjectMeta } from './meta.js'
import { validateDns1035Label, validateDns1123Subdomain } from './names.js'
import type { DeepPartial, ResourceScope, ResourceType } from './resource-type.js'
import type { StructuralSchema, TypedSchema } from './structural-schema.js'
import type { ZodLike } from './zod-like.js'
import { isZodSchema } from './zod-like.js'
import { structuralSchemaFromZod } from './zod-schema.js'

/** The schema of a spec or status: a zod 4 object, or a plain structural schema (see `typedSchema` for its types). */
export type ResourceSchema = ZodLike | StructuralSchema

/** The type of the values of a schema as read: defaults filled in. Read-only at every depth. */
export type SchemaOutput<Schema> = Schema extends { readonly _zod: { readonly output: infer Output } }
  ? DeepReadonly<Output>
  : Schema extends TypedSchema<infer Output, unknown>
    ? unknown extends Output
      ? UntypedFields
      : DeepReadonly<Output>
    : UntypedFields

/** The type of the values of a schema as a create accepts them: what has a default is optional. Read-only at every depth. */
export type SchemaInput<Schema> = Schema extends { readonly _zod: { readonly input: infer Input } }
  ? DeepReadonly<Input>
  : Schema extends TypedSchema<unknown, infer Input>
    ? unknown extends Input
      ? UntypedFields
      : DeepReadonly<Input>
    : UntypedFields

/** What a plain structural schema without TypeScript types says of its values. */
export type UntypedFields = Readonly<Record<string, unknown>>

/** Read-only at every depth. */
// Branded strings and numbers are objects to the compiler: primitives come first.
export type DeepReadonly<T> = T extends string | number | bigint | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
      : T

/** An object of a defined resource, as read. */
export type DefinedResource<Group extends string, Version extends string, Kind extends string, Spec, Status> = {
  readonly apiVersion: `${Group}/${Version}`
  readonly kind: Kind
  readonly metadata: StoredObjectMeta
} & (unknown extends Spec ? unknown : { readonly spec: SchemaOutput<Spec> }) &
  (unknown extends Status ? unknown : { readonly status?: SchemaOutput<Status> })

/** An object of a defined resource, as a create accepts it. */
export type DefinedInput<Group extends string, Version extends string, Kind extends string, Spec, Status> = {
  readonly apiVersion?: `${Group}/${Version}`
  readonly kind?: Kind
  readonly metadata: ObjectMeta
} & (unknown extends Spec ? unknown : { readonly spec: SchemaInput<Spec> }) &
  (unknown extends Status ? unknown : { readonly status?: SchemaInput<Status> })

/** A partial object of a defined resource, for apply. */
export type DefinedApply<Group extends string, Version extends string, Kind extends string, Spec, Status> = {
  readonly apiVersion?: `${Group}/${Version}`
  readonly kind?: Kind
  readonly metadata: ObjectMeta
} & (unknown extends Spec ? unknown : { readonly spec?: DeepPartial<SchemaInput<Spec>> }) &
  (unknown extends Status ? unknown : { readonly status?: DeepPartial<SchemaInput<Status>> })

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  /** A simple JSON path, from the object: `.status.readyReplicas`. */
  readonly jsonPath: string
  readonly description?: string
  readonly format?: string
  /** Above 0: shown by `-o wide` only. @default 0 */
  readonly priority?: number
}

/** How `kubectl scale` and autoscalers see the resource. Paths begin with `.spec` or `.status`. */
export interface ScaleSubresource {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  /** Where the status has its label selector as text; autoscalers need it. */
  readonly labelSelectorPath?: string
}

/** What `defineResource` takes. */
export interface ResourceDefinitionInput<
  Group extends string = string,
  Version extends string = string,
  Kind extends string = string,
  Spec = unknown,
  Status = unknown,
> {
  /** A domain of yours: `example.com`. */
  readonly group: Group
  /** `v1`, `v1beta1`, … */
  readonly version: Version
  readonly kind: Kind
  /** @default the kind in lower case, in the plural as English makes it */
  readonly plural?: string
  /** @default the kind in lower case */
  readonly singular?: string
  /** @default kind + `List` */
  readonly listKind?: string
  readonly shortNames?: readonly string[]
  /** `all` makes `kubectl get all` show the resource. */
  readonly categories?: readonly string[]
  readonly scope: ResourceScope
  readonly spec?: Spec & ResourceSchema
  /** Gives the resource the status subresource. */
  readonly status?: Status & ResourceSchema
  /** For people, shown by `kubectl explain`. */
  readonly description?: string
  /** @default one column, the age */
  readonly printerColumns?: readonly PrinterColumn[]
  readonly subresources?: {
    /** @default true when there is a status schema */
    readonly status?: boolean
    readonly scale?: ScaleSubresource
  }
  /** Fields that field selectors may name, as JSON paths: `.spec.image`. */
  readonly selectableFields?: readonly string[]
  /** Whether the server offers this version. @default true */
  readonly served?: boolean
  /** Whether objects are stored in this version; exactly one version of a kind is. @default true for a kind's only version */
  readonly storage?: boolean
  /** Shown as a warning by whoever uses this version; `true` for the standard words. */
  readonly deprecated?: boolean | string
}

/** The facts of one version of a custom resource. */
export interface ResourceDefinition {
  readonly description: string | undefined
  readonly printerColumns: readonly PrinterColumn[]
  readonly hasStatusSubresource: boolean
  readonly scale: ScaleSubresource | undefined
  readonly selectableFields: readonly string[]
  readonly served: boolean
  /** Absent: not said. */
  readonly storage: boolean | undefined
  readonly deprecated: boolean | string
  /**
   * The structural schema of the whole object, converted on the first call.
   *
   * @throws TypeError naming the field that cannot be structural.
   */
  schema(): StructuralSchema
}

/** A descriptor that `defineResource` made. */
export interface DefinedResourceType<
  Resource extends { readonly metadata: ObjectMeta } = { readonly metadata: StoredObjectMeta },
  Input = unknown,
  Apply = unknown,
> extends ResourceType<Resource, Input, Apply> {
  readonly definition: ResourceDefinition
}

/**
 * Defines a custom resource: its descriptor for every call, its TypeScript types (`ResourceOf<typeof Widget>`) and what
 * `customResourceDefinition(Widget)` needs.
 *
 * zod is not imported; schemas are recognised by their shape and converted when the CustomResourceDefinition is built.
 *
 * @throws TypeError for names that the API server would refuse, or a schema of an unknown library.
 *
 * @example
 * ```ts
 * export const Widget = defineResource({
 *   group: 'example.com', version: 'v1', kind: 'Widget', scope: 'Namespaced',
 *   spec: z.object({ image: z.string().min(1), replicas: z.int32().min(0).default(1) }),
 * })
 * export type Widget = ResourceOf<typeof Widget>
 * ```
 */
export function defineResource<
  const Group extends string,
  const Version extends string,
  const Kind extends string,
  Spec = unknown,
  Status = unknown,
>(
  input: ResourceDefinitionInput<Group, Version, Kind, Spec, Status>,
): DefinedResourceType<
  DefinedResource<Group, Version, Kind, Spec, Status>,
  DefinedInput<Group, Version, Kind, Spec, Status>,
  DefinedApply<Group, Version, Kind, Spec, Status>
> {
  const { group, version, kind, scope } = input
  const singular = input.singular ?? kind.toLowerCase()
  const plural = input.plural ?? pluralOf(kind.toLowerCase())
  const listKind = input.listKind ?? `${kind}List`
  refuseBadNames(input, { plural, singular, listKind })
  refuseForeignSchema(input.spec, 'spec', kind)
  refuseForeignSchema(input.status, 'status', kind)
  return {
    group,
    version,
    kind,
    plural,
    singular,
    listKind,
    shortNames: input.shortNames ?? [],
    categories: input.categories ?? [],
    scope,
    definition: definitionOf(input),
  }
}

function definitionOf(input: ResourceDefinitionInput): ResourceDefinition {
  let schema: StructuralSchema | undefined
  return {
    description: input.description,
    printerColumns: input.printerColumns ?? [],
    hasStatusSubresource: input.subresources?.status ?? input.status !== undefined,
    scale: input.subresources?.scale,
    selectableFields: input.selectableFields ?? [],
    served: input.served ?? true,
    storage: input.storage,
    deprecated: input.deprecated ?? false,
    schema: () => {
      schema ??= objectSchema(input)
      return schema
    },
  }
}

function objectSchema({ description, spec, status }: ResourceDefinitionInput): StructuralSchema {
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    ...(spec === undefined ? {} : { required: ['spec'] }),
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      ...(spec === undefined ? {} : { spec: toStructural(spec, 'spec') }),
      ...(status === undefined ? {} : { status: toStructural(status, 'status') }),
    },
  }
}

function toStructural(schema: ResourceSchema, path: string): StructuralSchema {
  const structural = isZodSchema(schema) ? structuralSchemaFromZod(schema, path) : schema
  if (structural.type !== 'object' && structural['x-kubernetes-preserve-unknown-fields'] !== true) {
    throw new TypeError(
      `Cannot use ${path} in a CustomResourceDefinition: its type is ${structural.type ?? 'not given'}; it must be an object`,
    )
  }
  return structural
}

function refuseForeignSchema(schema: unknown, path: string, kind: string): void {
  if (schema === undefined || isZodSchema(schema)) return
  const isForeign = typeof schema !== 'object' || schema === null || '_def' in schema || '~standard' in schema || Array.isArray(schema)
  if (!isForeign) return
  const library = (schema as { readonly '~standard'?: { readonly vendor?: string } } | null)?.['~standard']?.vendor
  const what = library === undefined ? 'it is neither' : `it comes from ${library === 'zod' ? 'zod 3' : library}`
  throw new TypeError(`Cannot define ${kind}: ${path} must be a zod 4 schema or a plain structural schema, and ${what}`)
}

interface Names {
  readonly plural: string
  readonly singular: string
  readonly listKind: string
}

function refuseBadNames({ group, version, kind, shortNames, categories }: ResourceDefinitionInput, names: Names): void {
  const check = (what: string, value: string, problems: readonly string[]) => {
    if (problems.length > 0) throw new TypeError(`Cannot define ${kind}: ${what} ${JSON.stringify(value)} ${problems.join('; ')}`)
  }
  check('group', group, validateDns1123Subdomain(group))
  if (!group.includes('.'))
    throw new TypeError(`Cannot define ${kind}: group ${JSON.stringify(group)} should be a domain with at least one dot`)
  check('version', version, validateDns1035Label(version))
  check('kind', kind, validateDns1035Label(kind.toLowerCase()))
  check('plural', names.plural, validateDns1035Label(names.plural))
  check('singular', names.singular, validateDns1035Label(names.singular))
  check('listKind', names.listKind, validateDns1035Label(names.listKind.toLowerCase()))
  if (kind === names.listKind) throw new TypeError(`Cannot define ${kind}: kind and listKind may not be the same`)
  for (const name of shortNames ?? []) check('short name', name, validateDns1035Label(name))
  for (const name of categories ?? []) check('category', name, validateDns1035Label(name))
}

/** The English plural, by the rules that hold for nearly all nouns. */
function pluralOf(noun: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(noun)) return `${noun}es`
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  return `${noun}s`
}

import type { AnyResourceType } from 'steersman/api'
import { BuiltinSchemas } from './builtin.js'
import { metaDefinitions, metaPackage } from './meta-definitions.js'
import { isJsonObject, type StructuralSchema } from './structural-schema.js'

const prefix = '#/components/schemas/'
const objectMeta = `${metaPackage}.ObjectMeta`
const listMeta = `${metaPackage}.ListMeta`

/** Names of the definitions that operations refer to. */
export const deleteOptionsDefinition: string = `${metaPackage}.DeleteOptions`
export const statusDefinition: string = `${metaPackage}.Status`
export const patchDefinition: string = `${metaPackage}.Patch`

/** A group, version and kind as OpenAPI extensions carry it. */
export interface OpenApiKind {
  readonly group: string
  readonly kind: string
  readonly version: string
}

/** A reference to a definition. */
export function reference(definitionName: string): { readonly $ref: string } {
  return { $ref: prefix + definitionName }
}

/** The definition name of a custom resource's kind: `com.example.v1.Widget`. */
export function customDefinitionName(type: Pick<AnyResourceType, 'group' | 'version' | 'kind'>): string {
  return [...type.group.split('.').reverse(), type.version, type.kind].join('.')
}

const metaSchemas = /* @__PURE__ */ new BuiltinSchemas(metaDefinitions)

/** The schemas of one OpenAPI document: what is added, and everything that it refers to. */
export class OpenApiComponents {
  readonly #builtins: BuiltinSchemas
  readonly #schemas = new Map<string, unknown>()

  constructor(builtins: BuiltinSchemas) {
    this.#builtins = builtins
  }

  /** All schemas, sorted by name. */
  toJSON(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#schemas].sort(([left], [right]) => (left < right ? -1 : 1)))
  }

  /** Adds a built-in definition; one that is not known stands for any object. */
  addBuiltin(name: string, kind?: OpenApiKind): void {
    const known = this.#schemas.get(name)
    if (known === undefined) {
      const schema = this.#builtins.schemaOf(name) ?? metaSchemas.schemaOf(name) ?? { type: 'object' }
      // Set before descending: definitions may be recursive.
      const published: Record<string, unknown> = {}
      this.#schemas.set(name, published)
      Object.assign(published, this.#publish(schema))
    }
    if (kind !== undefined) this.#markKind(name, kind)
  }

  /** Adds the kind of a custom resource. */
  addCustom(name: string, schema: StructuralSchema, kind: OpenApiKind): void {
    this.addBuiltin(objectMeta)
    const published = withMeta(this.#publish(schema), 'An object of the API.')
    this.#schemas.set(name, { ...published, 'x-kubernetes-group-version-kind': [kind] })
  }

  /** Adds the list of a kind. */
  addList(name: string, itemName: string, kind: OpenApiKind): void {
    this.addBuiltin(listMeta)
    this.#schemas.set(name, {
      description: `A list of ${kind.kind.replace(/List$/, '')} objects.`,
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion: { type: 'string' },
        items: { type: 'array', items: reference(itemName) },
        kind: { type: 'string' },
        metadata: reference(listMeta),
      },
      'x-kubernetes-group-version-kind': [kind],
    })
  }

  #markKind(name: string, kind: OpenApiKind): void {
    const schema = this.#schemas.get(name) as Record<string, unknown>
    const kinds = (schema['x-kubernetes-group-version-kind'] ?? []) as readonly OpenApiKind[]
    if (kinds.some((one) => one.group === kind.group && one.version === kind.version && one.kind === kind.kind)) return
    schema['x-kubernetes-group-version-kind'] = [...kinds, kind]
  }

  /** A schema as OpenAPI v3 states it: references lead into the document, and one with siblings is wrapped. */
  #publish(schema: StructuralSchema): Record<string, unknown> {
    // An empty schema means anything; kubectl cannot explain it without a word.
    if (Object.keys(schema).length === 0) return { description: 'Any JSON value.' }
    const published: Record<string, unknown> = {}
    for (const [keyword, value] of Object.entries(schema)) published[keyword] = this.#publishKeyword(keyword, value)
    if (schema['x-kubernetes-embedded-resource'] === true) {
      this.addBuiltin(objectMeta)
      Object.assign(published, withMeta(published, 'An embedded object of the API.'))
    }
    if (schema.$ref === undefined) return published
    this.addBuiltin(schema.$ref)
    const { $ref: _, ...siblings } = published
    return Object.keys(siblings).length === 0 ? reference(schema.$ref) : { ...siblings, allOf: [reference(schema.$ref)] }
  }

  #publishKeyword(keyword: string, value: unknown): unknown {
    switch (keyword) {
      case 'items':
      case 'not':
      case 'additionalProperties':
        return isJsonObject(value) ? this.#publish(value) : value
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
        return Array.isArray(value) ? value.map((one) => this.#publish(one as StructuralSchema)) : value
      case 'properties':
        return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, this.#publish(one as StructuralSchema)]))
      default:
        return value
    }
  }
}

// Every resource has these, whatever its schema says of them.
function withMeta(schema: Readonly<Record<string, unknown>>, description: string): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, unknown>>
  return {
    description,
    ...schema,
    type: 'object',
    properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, ...properties, metadata: reference(objectMeta) },
  }
}

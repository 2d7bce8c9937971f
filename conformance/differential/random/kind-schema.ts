import type { Json, JsonObject } from '../language/index.js'

/** What a field may hold, as far as a generator needs to know. */
export interface FieldSchema {
  readonly type: 'object' | 'map' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'quantity' | 'int-or-string' | 'any'
  /** `int32`, `date-time`, `byte`, …; empty if there is none. */
  readonly format: string
  readonly enum: readonly string[]
  readonly required: readonly string[]
  /** Fields of an object by name, in the order of the document. */
  readonly fields: ReadonlyMap<string, FieldSchema>
  /** What an array or a map holds. */
  readonly element?: FieldSchema
}

/** OpenAPI as a server writes it, of which only a part is read. */
interface OpenApiSchema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, OpenApiSchema>>
  readonly items?: OpenApiSchema
  readonly additionalProperties?: OpenApiSchema | boolean
  readonly oneOf?: readonly OpenApiSchema[]
  readonly allOf?: readonly OpenApiSchema[]
  readonly $ref?: string
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly group: string; readonly version: string; readonly kind: string }[]
}

const primitive = ['string', 'integer', 'number', 'boolean'] as const

/** The schemas of one OpenAPI v3 document. Schemas that contain themselves stay as they are: fields are looked up when they are asked for. */
export class SchemaDocument {
  readonly #schemas: Readonly<Record<string, OpenApiSchema>>
  readonly #known = new Map<string, FieldSchema>()

  constructor(document: Json) {
    const { components } = document as unknown as { readonly components?: { readonly schemas?: Readonly<Record<string, OpenApiSchema>> } }
    this.#schemas = components?.schemas ?? {}
  }

  /** The schema of a kind; `undefined`: the document has none. */
  ofKind(group: string, version: string, kind: string): FieldSchema | undefined {
    const found = Object.entries(this.#schemas).find(([, schema]) =>
      schema['x-kubernetes-group-version-kind']?.some((gvk) => gvk.group === group && gvk.version === version && gvk.kind === kind),
    )
    return found && this.#named(found[0])
  }

  #named(name: string): FieldSchema {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const schema = this.#schemas[name] ?? {}
    const field = name.endsWith('.Quantity') ? simple('quantity') : this.#field(schema)
    this.#known.set(name, field)
    return field
  }

  #field(schema: OpenApiSchema): FieldSchema {
    const reference = schema.$ref ?? schema.allOf?.[0]?.$ref
    if (reference !== undefined) return this.#named(reference.slice(reference.lastIndexOf('/') + 1))
    const { type, format = '' } = schema
    if (format === 'int-or-string') return simple('int-or-string')
    if (type === 'array') return { ...simple('array'), element: this.#lazily(schema.items ?? {}) }
    if (schema.properties !== undefined)
      return { ...simple('object'), required: schema.required ?? [], fields: this.#fields(schema.properties) }
    if (typeof schema.additionalProperties === 'object') return { ...simple('map'), element: this.#lazily(schema.additionalProperties) }
    const known = primitive.find((name) => name === type)
    return known === undefined ? simple('any') : { ...simple(known), format, enum: schema.enum ?? [] }
  }

  #fields(properties: Readonly<Record<string, OpenApiSchema>>): ReadonlyMap<string, FieldSchema> {
    return new Map(Object.entries(properties).map(([name, schema]) => [name, this.#lazily(schema)]))
  }

  #lazily(schema: OpenApiSchema): FieldSchema {
    const resolve = () => this.#field(schema)
    let resolved: FieldSchema | undefined
    const field = () => {
      resolved ??= resolve()
      return resolved
    }
    return {
      get type() {
        return field().type
      },
      get format() {
        return field().format
      },
      get enum() {
        return field().enum
      },
      get required() {
        return field().required
      },
      get fields() {
        return field().fields
      },
      get element() {
        return field().element ?? simple('any')
      },
    }
  }
}

function simple(type: FieldSchema['type']): FieldSchema {
  return { type, format: '', enum: [], required: [], fields: new Map() }
}

/** Whether it is an object, not an array. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

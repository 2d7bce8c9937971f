import type { OpenApiFacts } from '../builtin/openapi-facts.js'
import type { BuiltinSchemas } from '../builtin.js'

/** What documents are made of besides resources. */
export interface OpenApiSource {
  readonly schemas: BuiltinSchemas
  readonly facts: OpenApiFacts
  /** By the last three parts of a definition's name and field; the definition itself under the empty name. */
  readonly descriptions: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The minor version that documents say they are of: `1.37`. */
  readonly version: string
}

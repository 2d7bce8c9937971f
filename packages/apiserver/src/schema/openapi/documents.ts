import { openApiFacts } from '../builtin/openapi.generated.js'
import type { BuiltinSchemas } from '../builtin.js'
import { descriptions } from '../descriptions.js'
import { type ServedGroupVersion, swaggerDocument } from './document-v2.js'
import { groupVersionDocument, rootDocument } from './document-v3.js'
import { encodeGnosticDocument } from './gnostic.js'
import type { OpenApiSource } from './source.js'

/** Makes the OpenAPI documents of what is served. Each call makes one anew. */
export class OpenApiDocuments {
  readonly #source: OpenApiSource

  constructor(schemas: BuiltinSchemas, version: string) {
    this.#source = { schemas, facts: openApiFacts, descriptions, version }
  }

  /** The OpenAPI v3 document of a group version. */
  groupVersion({ group, version, resources }: ServedGroupVersion): unknown {
    return groupVersionDocument(this.#source, group, version, resources)
  }

  /** The OpenAPI v3 document of a path that is no group version's: `api`, `apis`, `apis/apps`, `version`, `openid/v1/jwks`. */
  root(name: string): unknown {
    return rootDocument(this.#source, name)
  }

  /** The OpenAPI v2 document of all that is served, and how it is encoded as gnostic's protobuf message. */
  swagger(served: readonly ServedGroupVersion[]): { readonly value: unknown; encode(): Uint8Array } {
    const value = swaggerDocument(this.#source, served)
    return { value, encode: () => encodeGnosticDocument(value) }
  }
}

import { loadBuiltinSchemas } from './builtin.js'
import type { OpenApiDocuments } from './openapi/documents.js'

/**
 * Loads what makes OpenAPI documents: the tables of all built-in kinds and the code, which nothing else needs.
 *
 * @param version the release that documents say they are of: `1.37`.
 */
export async function loadOpenApi(version: string): Promise<OpenApiDocuments> {
  const [{ OpenApiDocuments }, schemas] = await Promise.all([import('./openapi/documents.js'), loadBuiltinSchemas()])
  return new OpenApiDocuments(schemas, version)
}

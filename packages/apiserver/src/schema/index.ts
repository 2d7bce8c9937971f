/**
 * Room `schema`: structural schemas at work.
 *
 * It reads, prunes, defaults and validates objects against schemas: those of CustomResourceDefinitions and, expanded from generated tables
 * (`builtin/`), those of built-in kinds. For the latter it also writes out what Go writes for empty fields, merges strategic merge patches, and
 * reads and writes protobuf. It validates CustomResourceDefinitions themselves, and writes OpenAPI documents of versions 2 and 3 (`openapi/`).
 *
 * Promises: texts of errors are the real server's, held against recorded answers. Schemas are compiled to closures, each part when the
 * first value reaches it; what makes protobuf and OpenAPI is loaded when somebody asks for it. Nothing given is changed, frozen input is welcome,
 * and what did not change comes back as the same reference. Where the real server reports errors in random order, ours come sorted by field
 * name. No clock, no I/O, no randomness.
 *
 * Deliberately not here: validation and defaults of built-in kinds beyond types (strategies in `registry`), the rules of CEL (a hook), and
 * ownership of fields.
 */

export type { BuiltinResource, BuiltinSubresource } from './builtin/resource.js'
export { groupVersions as builtinGroupVersions, resources as builtinResources } from './builtin/resources.generated.js'
export type { BuiltinTableName, DecodeBuiltinOptions } from './builtin.js'
export { BuiltinSchemas, cannotBeHandled, loadBuiltinSchemas } from './builtin.js'
export type { CompiledSchema, CompileOptions, PruneOptions, RulesEvaluator } from './compile.js'
export { compileSchema } from './compile.js'
export type { CustomResource } from './crd-resources.js'
export { crdDefaults, customResourcesOf } from './crd-resources.js'
export type { CrdConversion, CrdNames, CrdSubresources, CrdVersion, CustomResourceDefinitionObject, PrinterColumn } from './crd-types.js'
export { validateWebhookService, validateWebhookUrl } from './crd-webhook.js'
export { DecodeError } from './decode-state.js'
export type { MetadataValidator } from './embedded-resources.js'
export { goText } from './go-text.js'
export type { TimeResult } from './go-time.js'
export { readTime } from './go-time.js'
export { isIP, isIPv4 } from './ip.js'
export { loadOpenApi } from './load-openapi.js'
export type { OpenApiDocuments } from './openapi/documents.js'
export type { StrategicMergeResult } from './strategic-merge.js'
export { StrategicMergeError } from './strategic-merge-error.js'
export type { StructuralSchema, ValidationRule } from './structural-schema.js'
export type { ValidateCrdOptions } from './validate-crd.js'
export { validateCustomResourceDefinition } from './validate-crd.js'

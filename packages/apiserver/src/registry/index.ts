/**
 * Room `registry`: what the API server serves, and the rules of each kind.
 *
 * `ResourceRegistry` implements the contract `Registry`: one store for each group, version and resource. The operations (create, update, delete,
 * list, watch) are generic and live in files of their own; what makes a kind different is its `Strategy`. Refusals are StatusErrors in the words
 * of the real server. Objects that come out are deeply frozen and shared. Admission is called around each write, on a snapshot; the write itself
 * is a compare-and-swap of the storage.
 *
 * Every resource that the real server serves is served, from the generated facts; `runtime-config.ts` says which of them are on. A version beside the
 * one that is stored is a view of it (`other-version.ts`). What a kind adds to them (defaults, validation, printers,
 * subresources) is written by hand: `registry/<group>/<kind>.ts` with `defineKind(Descriptor, { validateName, default, validate, … })` (shared pieces:
 * `shared/`), listed in `registry/<group>/kinds.ts` with its printer (`printers/`) and subresources. Scenarios of `conformance/differential` hold it
 * against a real server. A default sets what the real one sets; what Go writes for an empty field (`null`, `{}`, `""`) is completed from the tables.
 *
 * Ownership of fields (`metadata.managedFields`) will hook into `admitCreate` and `admitUpdate`, before admission; nothing keeps it yet.
 * Resources that only answer (access and token reviews) are `reviews/`; who answers them is handed in with `serveReviews`.
 *
 * Deliberately not here: HTTP, authorization, admission plugins, controllers.
 */
export { bootstrap } from './bootstrap.js'
export { Pkcs10Error, parsePemRequest } from './certificates/pkcs10.js'
export { foregroundFinalizer, orphanFinalizer } from './metadata.js'
export type { ResourceRegistryOptions } from './registry.js'
export { ResourceRegistry } from './registry.js'
export type { RuntimeConfig } from './runtime-config.js'

/**
 * Room `registry`: what the API server serves, and the rules of each kind.
 *
 * `ResourceRegistry` implements the contract `Registry`: one store for each group, version and resource. The operations (create, update, delete,
 * list, watch) are generic and live in files of their own; what makes a kind different is its `Strategy`. Refusals are StatusErrors in the words
 * of the real server. Objects that come out are deeply frozen and shared. Admission is called around each write, on a snapshot; the write itself
 * is a compare-and-swap of the storage.
 *
 * Every resource that the real server serves is served, from the generated facts (`builtin.ts`); `runtime-config.ts` says which of them are on, and a
 * version beside the one that is stored is a view of it (`other-version.ts`). What facts cannot tell of a kind is written by hand: its defaults and
 * validation in `<group>/<kind>.ts` with `defineKind` (shared pieces: `shared/`), its columns in `printers/`, both listed with its subresources in
 * `<group>/kinds.ts`. A default sets what the real server sets; what Go writes for an empty field (`null`, `{}`, `""`) is completed from the tables.
 * Scenarios of `conformance/differential` hold all that against a real server.
 *
 * `serving/` puts resources into service, those of definitions (`apiextensions/`) as well, and runs what only some kinds do around their writes.
 * Resources that only answer (access and token reviews) are `reviews/`; who answers them is handed in with `serveReviews`.
 *
 * Deliberately not here: HTTP, authorization, admission plugins, controllers. Nobody keeps ownership of fields (`metadata.managedFields`) yet; it
 * belongs into `admitCreate` and `admitUpdate`, before admission.
 */
export { bootstrap } from './bootstrap.js'
export { Pkcs10Error, parsePemRequest } from './certificates/pkcs10.js'
export { foregroundFinalizer, metadataFields, orphanFinalizer } from './metadata.js'
export type { ResourceRegistryOptions } from './registry.js'
export { ResourceRegistry } from './registry.js'
export type { RuntimeConfig } from './runtime-config.js'

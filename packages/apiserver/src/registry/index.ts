/**
 * Room `registry`: what the API server serves, and the rules of each kind.
 *
 * `ResourceRegistry` implements the contract `Registry`: one store for each group, version and resource. The operations (create, update, delete,
 * list, watch) are generic and live in files of their own; what makes a kind different is its `Strategy`. Refusals are StatusErrors in the words
 * of the real server. Objects that come out are deeply frozen and shared. Admission is called around each write, on a snapshot; the write itself
 * is a compare-and-swap of the storage.
 *
 * To add a built-in kind: write `registry/<group>/<kind>.ts` with `defineKind(Descriptor, { validateName, default, validate, … })` (shared pieces:
 * `shared/`), list it in `builtin.ts` with its subresources, give it a printer (`printers/`), add requests to `golden/make-requests.mjs` and record
 * a real server's answers with `golden/record.mjs`; `golden.test.ts` holds the registry against them. Its schema comes from the generated tables.
 *
 * Ownership of fields (`metadata.managedFields`) will hook into `admitCreate` and `admitUpdate`, before admission; nothing keeps it yet.
 * Deliberately not here: HTTP, authorization, admission plugins, controllers.
 */
export { bootstrap, systemNamespaces } from './bootstrap.js'
export { foregroundFinalizer, orphanFinalizer } from './metadata.js'
export type { ResourceRegistryOptions } from './registry.js'
export { ResourceRegistry } from './registry.js'

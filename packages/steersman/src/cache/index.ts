/**
 * Room `cache`: objects of the watched kinds in memory, kept current, read without a request.
 *
 * A reflector lists and watches one kind (as a stream where the server can), resumes, and lists again when history is lost. A shared informer
 * puts what it brings into one store and tells any number of handlers. A cache holds one informer per kind, which may come and go
 * while it runs, and answers reads. A consistent client reads cached kinds from the cache, everything else live, and sees its own writes.
 *
 * Promises: nothing but the signal ends an informer, neither errors, a silent watch, an object that cannot be decoded nor a handler that
 * throws; each shows in the health. No pattern of errors makes a hot loop. After every interruption handlers are told the difference.
 * Handlers run synchronously and in order; nothing is queued. What is read is deeply frozen, shared, and in key order.
 *
 * Deliberately not here: writing (the consistent client passes writes on), queues and reconciling, periodic resync, and a second informer of
 * the same kind with another selector.
 */
export type {
  AwaitedWrite,
  Cache,
  CachedKind,
  HandlerRegistration,
  Informer,
  InformerHandler,
  InformerHealth,
  InformerOptions,
} from './cache.js'
export type { ConsistentClient, ConsistentClientOptions } from './consistent-client.js'
export { createConsistentClient } from './consistent-client.js'
export type { CacheErrorCode } from './errors.js'
export { CacheError } from './errors.js'
export type { CachedKindOptions, InformerCacheOptions } from './informer-cache.js'
export { createCache, InformerCache } from './informer-cache.js'
export type { ReflectorOptions } from './reflector.js'
export { compareResourceVersions } from './resource-version.js'
export type { Transform } from './transform.js'
export { stripManagedFields } from './transform.js'

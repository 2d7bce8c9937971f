/**
 * Room `cache`: list scanner, reflector, store, indexer, informer, cache.
 */
export type { Cache, HandlerRegistration, Informer, InformerHandler, InformerHealth, InformerOptions } from './cache.js'

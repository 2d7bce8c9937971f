/**
 * Room `storage`: where the API server keeps its objects.
 *
 * The seam is {@link Storage}: compare-and-swap over sorted keys with one revision counter, watches from a revision, lists at a revision.
 * An engine promises that writes become visible in revision order and that what it hands out is deeply frozen. Here is `MemoryStorage`;
 * every engine runs `storage.conformance.ts`.
 *
 * Knows no HTTP and no rule of any kind of object; the only field it touches is `metadata.resourceVersion`.
 */
export type { ContinueToken } from './continue-token.js'
export { decodeContinueToken, encodeContinueToken } from './continue-token.js'
export type { MemoryStorageOptions } from './memory.js'
export { MemoryStorage } from './memory.js'
export type {
  Storage,
  StorageEvent,
  StorageListOptions,
  StorageListResult,
  StorageWatch,
  StorageWatchBatch,
  StorageWatchOptions,
} from './storage.js'
export { StorageError } from './storage.js'

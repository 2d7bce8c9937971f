/** What a {@link CacheError} is about. Stable. */
export type CacheErrorCode =
  | 'CACHE_NOT_STARTED'
  | 'CACHE_NO_INFORMER'
  | 'CACHE_OPTIONS_CONFLICT'
  | 'CACHE_UNSUPPORTED_READ'
  | 'CACHE_INFORMER_STOPPED'

/**
 * The cache cannot do what was asked of it. Not an answer of the server: those are a `StatusError`.
 *
 * - `CACHE_NOT_STARTED`: a read before `start`, which would wait for ever.
 * - `CACHE_NO_INFORMER`: the kind is not cached.
 * - `CACHE_OPTIONS_CONFLICT`: the kind is cached with another namespace, selector or shape.
 * - `CACHE_UNSUPPORTED_READ`: the answer does not follow from what is cached (another namespace, a field without an index).
 * - `CACHE_INFORMER_STOPPED`: the informer was stopped or removed during a wait.
 */
export class CacheError extends Error {
  readonly code: CacheErrorCode

  constructor(code: CacheErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CacheError'
    this.code = code
  }
}

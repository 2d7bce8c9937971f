import { statusOf } from './status.js'

const knownReasons: ReadonlySet<string> = new Set([
  'Unauthorized',
  'Forbidden',
  'NotFound',
  'AlreadyExists',
  'Conflict',
  'Gone',
  'Invalid',
  'ServerTimeout',
  'StoreReadError',
  'Timeout',
  'TooManyRequests',
  'BadRequest',
  'MethodNotAllowed',
  'NotAcceptable',
  'RequestEntityTooLarge',
  'UnsupportedMediaType',
  'InternalError',
  'Expired',
  'ServiceUnavailable',
])

/** The reason decides; the code only when the reason is absent or foreign (an aggregated server's, a proxy's). */
function says(error: unknown, reason: string, code?: number): boolean {
  const status = statusOf(error)
  if (status === undefined) return false
  if (status.reason === reason) return true
  return code !== undefined && status.code === code && !knownReasons.has(status.reason ?? '')
}

/** The object, or the resource itself, does not exist. */
export const isNotFound = (error: unknown): boolean => says(error, 'NotFound', 404)
/** An object of that name exists already. */
export const isAlreadyExists = (error: unknown): boolean => says(error, 'AlreadyExists')
/** The object has been modified since it was read, a precondition failed, or another field manager owns a field. */
export const isConflict = (error: unknown): boolean => says(error, 'Conflict', 409)
/** The object breaks its schema or a validation rule. */
export const isInvalid = (error: unknown): boolean => says(error, 'Invalid', 422)
/** The user may not do this, or an admission plugin refused. */
export const isForbidden = (error: unknown): boolean => says(error, 'Forbidden', 403)
/** The credentials are missing, wrong or expired. */
export const isUnauthorized = (error: unknown): boolean => says(error, 'Unauthorized', 401)
/** The resource version or continue token is too old (reason `Expired`, formerly `Gone`): list again. */
export const isExpired = (error: unknown): boolean => says(error, 'Expired', 410) || says(error, 'Gone', 410)
/** The server gave up waiting; the operation may still complete. */
export const isTimeout = (error: unknown): boolean => says(error, 'Timeout', 504)
/** The server could not complete the operation now: try again. */
export const isServerTimeout = (error: unknown): boolean => says(error, 'ServerTimeout')
/** The request is malformed. */
export const isBadRequest = (error: unknown): boolean => says(error, 'BadRequest', 400)
/** The resource does not support the verb. */
export const isMethodNotAllowed = (error: unknown): boolean => says(error, 'MethodNotAllowed', 405)
/** The server cannot answer in any media type that the client accepts. */
export const isNotAcceptable = (error: unknown): boolean => says(error, 'NotAcceptable', 406)
/** The server does not read the body's media type. */
export const isUnsupportedMediaType = (error: unknown): boolean => says(error, 'UnsupportedMediaType', 415)
/** The server failed. */
export const isInternalError = (error: unknown): boolean => says(error, 'InternalError', 500)
/** The server, or the server behind it, cannot be reached now. */
export const isServiceUnavailable = (error: unknown): boolean => says(error, 'ServiceUnavailable', 503)
/** The client must slow down, or a disruption budget holds an eviction back. */
export const isTooManyRequests = (error: unknown): boolean => says(error, 'TooManyRequests') || statusOf(error)?.code === 429
/** The body exceeds the server's limit. */
export const isRequestEntityTooLarge = (error: unknown): boolean => says(error, 'RequestEntityTooLarge') || statusOf(error)?.code === 413
/** The namespace is being deleted and takes no new objects. */
export const isNamespaceTerminating = (error: unknown): boolean => hasStatusCause(error, 'NamespaceTerminating')
/** The resource version asked for lies in the server's future: it may be one that lags behind. */
export const isTooLargeResourceVersion = (error: unknown): boolean => hasStatusCause(error, 'ResourceVersionTooLarge')

/** Whether the Status names a cause, such as `FieldManagerConflict`. */
export function hasStatusCause(error: unknown, reason: string): boolean {
  return statusOf(error)?.details?.causes?.some((cause) => cause.reason === reason) ?? false
}

/**
 * For `catch`: turns "not found" into `undefined` and rethrows everything else.
 *
 * @example `const widget = await client.get(Widget, key).catch(ignoreNotFound)`
 */
export function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error
  return undefined
}

/** For `catch`: turns "already exists" into `undefined` and rethrows everything else. */
export function ignoreAlreadyExists(error: unknown): undefined {
  if (!isAlreadyExists(error)) throw error
  return undefined
}

/** For `catch`: turns "conflict" into `undefined` and rethrows everything else. */
export function ignoreConflict(error: unknown): undefined {
  if (!isConflict(error)) throw error
  return undefined
}

/** How many seconds the server asks the client to wait before it tries again; `undefined` when it does not ask. */
export function retryAfterSeconds(error: unknown): number | undefined {
  const status = statusOf(error)
  if (status?.details === undefined) return undefined
  const seconds = status.details.retryAfterSeconds ?? 0
  if (seconds > 0) return seconds
  return status.reason === 'ServerTimeout' ? 0 : undefined
}

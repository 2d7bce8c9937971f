/** The body of every refusal and of some successes (`meta/v1` Status). */
export interface Status {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: { readonly continue?: string; readonly resourceVersion?: string }
  readonly status: 'Success' | 'Failure'
  readonly message?: string
  /** Machine-readable: `NotFound`, `Conflict`, … */
  readonly reason?: string
  readonly details?: StatusDetails
  readonly code?: number
}

export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  /** The plural of the resource for most reasons; the kind for `Invalid`. */
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

export interface StatusCause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

/** The API said no. Carries the server's Status unchanged. Ask with `isNotFound(error)` and its siblings, which work across copies of the package. */
export class StatusError extends Error {
  readonly status: Status

  constructor(status: Status, options?: ErrorOptions) {
    super(status.message ?? status.reason ?? 'unknown error', options)
    this.name = 'StatusError'
    this.status = status
  }
}

const maxCauseDepth = 16

/**
 * The Status inside a value: of a StatusError of any copy of this package, of an error that wraps one as its `cause`,
 * or the value itself when it is a Status (the object of a watch's `ERROR` event).
 */
export function statusOf(error: unknown): Status | undefined {
  let current = error
  for (let depth = 0; depth < maxCauseDepth; depth++) {
    if (typeof current !== 'object' || current === null) return undefined
    if (isStatus(current)) return current
    const status = (current as { readonly status?: unknown }).status
    if (isStatus(status)) return status
    current = (current as { readonly cause?: unknown }).cause
  }
  return undefined
}

/** Whether a value is a Status by its shape. */
export function isStatus(value: unknown): value is Status {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as { readonly kind?: unknown }).kind === 'Status' &&
    typeof (value as { readonly status?: unknown }).status === 'string'
  )
}

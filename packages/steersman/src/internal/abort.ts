import { onAbort } from '../environment/index.js'

/** Throws `signal.reason`, unchanged, when there is a signal and it has aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason
}

/** Whether `error` is this signal's abort and not a failure of its own: a loop that was told to stop ends quietly. */
export function isAbortOf(error: unknown, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && error === signal.reason
}

/**
 * Settles as `promise` does, or rejects with `signal.reason` as soon as the signal aborts.
 *
 * What `promise` stands for goes on after an abort; its result, even a rejection, is then dropped. Hand the signal to the work itself where
 * that is possible.
 *
 * @throws `signal.reason`, unchanged.
 */
export function abortable<Value>(promise: PromiseLike<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return Promise.resolve(promise)
  return new Promise((resolve, reject) => {
    const release = signal.aborted ? undefined : onAbort(signal, () => reject(signal.reason))
    if (release === undefined) reject(signal.reason)
    // Both outcomes are always taken, so that a rejection after the abort is not reported as unhandled.
    promise.then(
      (value) => {
        release?.()
        resolve(value)
      },
      (error) => {
        release?.()
        reject(error)
      },
    )
  })
}

/** Resolves when the signal aborts, at once when it already has. Never rejects. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    onAbort(signal, resolve)
  })
}

/**
 * Aborts `child` with the parent's reason when a parent aborts, at once when one already has. Cheaper than `AbortSignal.any` and it can be
 * undone: a long-lived parent keeps nothing of a child that has finished.
 *
 * @returns a function that undoes the link; call it when the child's work has ended.
 */
export function linkAbort(child: AbortController, ...parents: readonly (AbortSignal | undefined)[]): () => void {
  const releases: (() => void)[] = []
  const unlink = () => {
    for (const release of releases.splice(0)) release()
  }
  for (const parent of parents) {
    if (parent === undefined) continue
    if (parent.aborted) {
      unlink()
      child.abort(parent.reason)
      return unlink
    }
    releases.push(
      onAbort(parent, () => {
        unlink()
        child.abort(parent.reason)
      }),
    )
  }
  return unlink
}

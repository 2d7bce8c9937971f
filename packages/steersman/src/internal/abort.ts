/**
 * One listener per signal, whoever waits: Node prints a warning at the eleventh listener, and a shared signal easily has a hundred waiters.
 */
const hubs = new WeakMap<AbortSignal, Hub>()

interface Hub {
  readonly callbacks: Set<() => void>
  readonly listener: () => void
}

/**
 * Calls `callback` once when the signal aborts, in the order of registration. A signal that has already aborted never calls: check first.
 *
 * Use it instead of `addEventListener('abort', …)`: any number of callbacks share one listener, which leaves with the last of them.
 *
 * @returns a function that takes the callback back; calling it again does nothing.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let hub = hubs.get(signal)
  if (hub === undefined) {
    hub = createHub(signal)
    hubs.set(signal, hub)
  }
  const { callbacks, listener } = hub
  // A closure of its own, so that registering one function twice calls it twice.
  const entry = () => callback()
  callbacks.add(entry)
  return () => {
    if (!callbacks.delete(entry) || callbacks.size > 0 || signal.aborted) return
    signal.removeEventListener('abort', listener)
    hubs.delete(signal)
  }
}

function createHub(signal: AbortSignal): Hub {
  const callbacks = new Set<() => void>()
  const listener = () => {
    hubs.delete(signal)
    callAll(callbacks)
  }
  signal.addEventListener('abort', listener, { once: true })
  return { callbacks, listener }
}

/** Every callback runs, even when one before it throws; then the first error goes to whoever dispatched the event. */
function callAll(callbacks: Set<() => void>): void {
  const errors: unknown[] = []
  for (const callback of callbacks) {
    callbacks.delete(callback)
    try {
      callback()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

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

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

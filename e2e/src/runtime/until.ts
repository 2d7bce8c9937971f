import { setTimeout as delay } from 'node:timers/promises'

/**
 * Waits until `probe` gives something other than `undefined` and `false`, and resolves to it. A probe that throws is asked again.
 *
 * @throws {Error} after the deadline, with what was waited for and the last error or value.
 */
export async function until<Value>(
  what: string,
  probe: () => Value | undefined | false | Promise<Value | undefined | false>,
  timeoutMs = 20_000,
): Promise<Value> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    let last: unknown
    try {
      const value = await probe()
      if (value !== undefined && value !== false) return value
      last = value
    } catch (error) {
      last = error
    }
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain for: ${what}; last: ${String(last)}`, { cause: last })
    await delay(5)
  }
}

/** Settles as `promise` does. @throws {Error} when it has not within the time. */
export async function within<Value>(what: string, promise: Promise<Value>, timeoutMs = 20_000): Promise<Value> {
  const timer = new AbortController()
  const late = delay(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`Waited ${timeoutMs} ms in vain for: ${what}`)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    timer.abort()
    await late.catch(() => undefined)
  }
}

/** A promise and its two ends. */
export function deferred<Value = void>(): {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value) => void
  readonly reject: (error: unknown) => void
} {
  let ends: { resolve: (value: Value) => void; reject: (error: unknown) => void } | undefined
  const promise = new Promise<Value>((resolve, reject) => {
    ends = { resolve, reject }
  })
  return { promise, ...ends! }
}

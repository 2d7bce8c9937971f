import { onAbort, throwIfAborted } from '../internal/index.js'

/** Promises that wait for one thing to happen: all settle together, each leaves on its own abort. */
export class WaitList {
  readonly #waiting = new Set<{ readonly resolve: () => void; readonly reject: (error: unknown) => void }>()

  get size(): number {
    return this.#waiting.size
  }

  /** @throws `signal.reason`, unchanged, or what {@link rejectAll} says. */
  async wait(signal?: AbortSignal): Promise<void> {
    throwIfAborted(signal)
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        release?.()
        this.#waiting.delete(entry)
      }
      const entry = {
        resolve: () => {
          leave()
          resolve()
        },
        reject: (error: unknown) => {
          leave()
          reject(error)
        },
      }
      const release = signal === undefined ? undefined : onAbort(signal, () => entry.reject(signal.reason))
      this.#waiting.add(entry)
    })
  }

  resolveAll(): void {
    for (const entry of [...this.#waiting]) entry.resolve()
  }

  rejectAll(error: unknown): void {
    for (const entry of [...this.#waiting]) entry.reject(error)
  }
}

/** Something the manager runs. */
export interface Runnable {
  /** For logs and errors. */
  readonly name?: string
  /** Runs until the signal aborts; settles after all its work has stopped. A rejection stops the manager. */
  start(signal: AbortSignal): Promise<void>
}

/** In which order things start; they stop in the reverse order. */
export type RunnableGroupName = 'servers' | 'caches' | 'others' | 'controllers'

/** Runs a set of runnables as one: added before or after its start, stopped together. */
export class RunnableGroup {
  readonly name: RunnableGroupName
  readonly #onFailure: (error: unknown, runnable: Runnable) => void
  readonly #stop = new AbortController()
  readonly #members: Runnable[] = []
  readonly #running = new Set<Promise<void>>()
  #isStarted = false

  constructor(name: RunnableGroupName, onFailure: (error: unknown, runnable: Runnable) => void) {
    this.name = name
    this.#onFailure = onFailure
  }

  add(runnable: Runnable): void {
    if (this.#stop.signal.aborted) throw new TypeError(`Cannot add ${runnable.name ?? 'a runnable'}: the manager has stopped`)
    this.#members.push(runnable)
    if (this.#isStarted) this.#run(runnable)
  }

  start(): void {
    this.#isStarted = true
    for (const member of this.#members) this.#run(member)
  }

  /** Stops all members; resolves after each has settled. */
  async stop(reason: unknown): Promise<void> {
    this.#stop.abort(reason)
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** Members that have not settled yet. */
  get running(): number {
    return this.#running.size
  }

  #run(runnable: Runnable): void {
    const { signal } = this.#stop
    const run = started(runnable, signal)
      .catch((error: unknown) => {
        if (!(signal.aborted && error === signal.reason)) this.#onFailure(error, runnable)
      })
      .finally(() => this.#running.delete(run))
    this.#running.add(run)
  }
}

/** A start that throws instead of rejecting is a failure of that part, too, and not of whoever starts the group. */
async function started(runnable: Runnable, signal: AbortSignal): Promise<void> {
  await runnable.start(signal)
}

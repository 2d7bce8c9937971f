import type { StorageEvent } from './storage.js'

/** Bounds of {@link History}. */
export interface HistoryBounds {
  readonly maxEvents: number
  /** Events older than this may be forgotten. */
  readonly maxAgeMs: number
}

/**
 * The newest events, one for each revision without a gap, bounded by number and by age.
 *
 * Age is checked when an event is added: an idle storage keeps what it has.
 */
export class History {
  readonly #bounds: HistoryBounds
  #events: (StorageEvent | undefined)[] = []
  #times: number[] = []
  #head = 0
  #newest: number

  /** @param revision the revision before the first event. */
  constructor(revision: number, bounds: HistoryBounds) {
    this.#newest = revision
    this.#bounds = bounds
  }

  get #length(): number {
    return this.#events.length - this.#head
  }

  /** The newest revision whose successor is no longer, or not yet, known: a watch may start here or later. */
  get compactedRevision(): number {
    return this.#newest - this.#length
  }

  add(event: StorageEvent, nowMs: number): void {
    this.#events.push(event)
    this.#times.push(nowMs)
    this.#newest = event.revision
    while (this.#length > this.#bounds.maxEvents) this.#drop()
    while (this.#length > 1 && this.#times[this.#head]! < nowMs - this.#bounds.maxAgeMs) this.#drop()
    this.#trim()
  }

  /** Forgets the events up to and including `revision`. */
  compact(revision: number): void {
    while (this.#length > 0 && this.compactedRevision < revision) this.#drop()
    this.#trim()
  }

  /** Events after `revision` in order. `revision` must not be before {@link compactedRevision}. */
  *after(revision: number): Generator<StorageEvent, void, undefined> {
    for (let index = this.#head + revision - this.compactedRevision; index < this.#events.length; index++) yield this.#events[index]!
  }

  /** Events after `revision`, newest first. */
  *backTo(revision: number): Generator<StorageEvent, void, undefined> {
    const last = this.#head + revision - this.compactedRevision
    for (let index = this.#events.length - 1; index >= last; index--) yield this.#events[index]!
  }

  #drop(): void {
    this.#events[this.#head++] = undefined
  }

  /** Gives the dropped half back, so that dropping costs constant time on average. */
  #trim(): void {
    if (this.#head < 64 || this.#head * 2 < this.#events.length) return
    this.#events = this.#events.slice(this.#head)
    this.#times = this.#times.slice(this.#head)
    this.#head = 0
  }
}

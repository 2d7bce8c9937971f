import { setImmediate } from 'node:timers'
import { RealTimeWatch } from './real-time-watch.js'
import type { SeededRandom } from './seeded-random.js'
import { Completion, type Owner, TimerHeap } from './timer-heap.js'
import { VirtualWorldError } from './virtual-world-error.js'

/** What somebody waits for and no timer brings: named when nothing can happen any more. */
export interface Expectation {
  readonly owner: Owner
  readonly label: string
}

interface Held {
  readonly owner: Owner
  /** Set once the real work has settled. */
  release?: () => void
}

/** When {@link Scheduler.run} ends and what it may cost. */
export interface RunGoal {
  /** Asked before every event, when no microtask is left. */
  readonly isReached: () => boolean
  /** The clock does not pass this. */
  readonly untilMs: number
  /** Reaching `untilMs`, or having nothing left to do, is the goal and not a failure. */
  readonly advance: boolean
  readonly maxEvents: number
  readonly pending: () => readonly string[]
}

interface Run {
  readonly goal: RunGoal
  readonly lastEvent: number
  readonly end: (error?: unknown) => void
}

/** So many events are handled per turn of the event loop; microtasks are drained after each all the same. */
const EVENTS_PER_TURN = 32

/**
 * The virtual clock and the order of events.
 *
 * One event at a time: it fires, all microtasks run, then the next is chosen among what is ready. The clock moves only when nothing is
 * ready, to the instant of the earliest timer. While real work is held nothing happens at all, and held work is released in the order in
 * which it began, so that how long it took in real time changes nothing.
 */
export class Scheduler {
  /** Virtual milliseconds since the world began. */
  elapsedMs = 0
  events = 0
  readonly expectations = new Set<Expectation>()

  readonly #heap = new TimerHeap()
  readonly #choice: SeededRandom | undefined
  readonly #watch: RealTimeWatch
  #ready: (Completion | undefined)[] = []
  /** First in first out only: the ready entries before this were taken. */
  #taken = 0
  #held: Held[] = []
  #sequence = 0
  #armed = 0
  #run: Run | undefined

  /**
   * @param choice picks among ready completions; without it the first one goes first.
   * @param holdTimeoutMs how long, in real time, held work may take.
   */
  constructor(choice: SeededRandom | undefined, holdTimeoutMs: number) {
    this.#choice = choice
    this.#watch = new RealTimeWatch(holdTimeoutMs, () => this.#reportHold(holdTimeoutMs))
  }

  /** Makes `fire` an event `delayMs` from now; with a delay of 0 it is ready at once. */
  schedule(owner: Owner | undefined, delayMs: number, fire: () => void): Completion {
    const completion = new Completion(this.elapsedMs + delayMs, this.#sequence++, owner, fire)
    if (delayMs > 0) this.#heap.push(completion)
    else this.#ready.push(completion)
    return completion
  }

  cancel(completion: Completion): void {
    completion.cancelled = true
    this.#heap.remove(completion)
  }

  /** Blocks all events until `promise` has settled and all work held before it was released; then `settle` runs. */
  hold<T>(owner: Owner, promise: Promise<T>, onValue: (value: T) => void, onError: (error: unknown) => void): void {
    const held: Held = { owner }
    this.#held.push(held)
    const released = (release: () => void) => {
      held.release = release
      if (this.#held[0] !== held || this.#run === undefined) return
      this.#watch.stop()
      this.#arm()
    }
    promise.then(
      (value) => released(() => onValue(value)),
      (error: unknown) => released(() => onError(error)),
    )
  }

  /** Forgets everything that would happen to `owner`. */
  drop(owner: Owner): void {
    this.#heap.retain((completion) => completion.owner !== owner)
    this.#ready = this.#ready.slice(this.#taken).filter((completion) => completion?.owner !== owner)
    this.#taken = 0
    const first = this.#held[0]
    this.#held = this.#held.filter((held) => held.owner !== owner)
    for (const expectation of this.expectations) if (expectation.owner === owner) this.expectations.delete(expectation)
    if (first !== undefined && this.#held[0] !== first) {
      this.#watch.stop()
      if (this.#run !== undefined) this.#arm()
    }
  }

  /** Handles events until the goal is reached. One run at a time. */
  run(goal: RunGoal): Promise<void> {
    if (this.#run !== undefined)
      return Promise.reject(new VirtualWorldError('ALREADY_RUNNING', 'Cannot run the virtual world: it is running already'))
    return new Promise((resolve, reject) => {
      const end = (error?: unknown) => {
        this.#run = undefined
        if (error === undefined) resolve()
        else reject(error)
      }
      this.#run = { goal, lastEvent: this.events + goal.maxEvents, end }
      this.#arm()
    })
  }

  /** Sees to it that `#turn` is called, each time after all microtasks. */
  #arm(): void {
    if (this.#armed > 0) return
    this.#armed = EVENTS_PER_TURN
    for (let index = 0; index < EVENTS_PER_TURN; index++) setImmediate(this.#turn)
  }

  readonly #turn = (): void => {
    this.#armed--
    if (this.#run === undefined) return
    try {
      if (!this.#step(this.#run)) return
    } catch (error) {
      // A callback that throws ends a production process; here it ends the run, and the world can be inspected.
      this.#run?.end(error)
      return
    }
    if (this.#armed === 0) this.#arm()
  }

  /** Handles one event. Returns whether to go on at once. */
  #step({ goal, lastEvent, end }: Run): boolean {
    if (goal.isReached()) {
      end()
      return false
    }
    const held = this.#held[0]
    if (held !== undefined) {
      if (held.release === undefined) {
        this.#watch.start()
        return false
      }
      this.#held.shift()
      held.release()
      return true
    }
    const completion = this.#next(goal)
    if (completion === undefined) {
      if (goal.advance) end()
      else end(this.#stuck(goal))
      return false
    }
    if (this.events >= lastEvent) {
      this.#ready.push(completion)
      end(new VirtualWorldError('EVENT_LIMIT', `Goal was not reached within ${goal.maxEvents} events: ${this.#where(goal)}`))
      return false
    }
    this.events++
    completion.fire()
    return true
  }

  /** Takes the next completion, moving the clock if need be. */
  #next(goal: RunGoal): Completion | undefined {
    for (;;) {
      const completion = this.#take()
      if (completion === undefined) {
        if (!this.#jump(goal)) return undefined
      } else if (!completion.cancelled) {
        return completion
      }
    }
  }

  #take(): Completion | undefined {
    const ready = this.#ready
    if (this.#choice !== undefined) {
      if (ready.length <= 1) return ready.pop()
      const index = this.#choice.below(ready.length)
      const chosen = ready[index]
      const last = ready.pop()
      if (index < ready.length) ready[index] = last
      return chosen
    }
    if (this.#taken === ready.length) return undefined
    const first = ready[this.#taken]
    ready[this.#taken++] = undefined
    if (this.#taken === ready.length || this.#taken > 4096) {
      ready.splice(0, this.#taken)
      this.#taken = 0
    }
    return first
  }

  /** Moves the clock to the earliest timer and makes ready all that are due then. */
  #jump(goal: RunGoal): boolean {
    const first = this.#heap.first
    if (first === undefined || first.dueMs > goal.untilMs) return false
    this.elapsedMs = first.dueMs
    for (let due = this.#heap.first; due !== undefined && due.dueMs === first.dueMs; due = this.#heap.first) {
      this.#heap.remove(due)
      this.#ready.push(due)
    }
    return true
  }

  #stuck(goal: RunGoal): VirtualWorldError {
    return this.#heap.first === undefined
      ? new VirtualWorldError('DEADLOCK', `Nothing can happen any more and no timer is pending: ${this.#where(goal)}`)
      : new VirtualWorldError('TIME_LIMIT', `Goal was not reached by +${goal.untilMs} ms of virtual time: ${this.#where(goal)}`)
  }

  #reportHold(timeoutMs: number): void {
    const [held] = this.#held
    const who = held === undefined ? 'a process' : `process "${held.owner.name}"`
    this.#run?.end(
      new VirtualWorldError(
        'HOLD_TIMEOUT',
        `Real work held by ${who} did not settle within ${timeoutMs} ms of real time; work held must not wait for a virtual event or for work held after it`,
      ),
    )
  }

  #where(goal: RunGoal): string {
    const pending = goal.pending()
    const shown = pending.slice(0, 20)
    if (pending.length > shown.length) shown.push(`and ${pending.length - shown.length} more`)
    return `at +${this.elapsedMs} ms, after ${this.events} events, ${shown.length === 0 ? 'nothing is awaited' : `awaited: ${shown.join('; ')}`}`
  }
}

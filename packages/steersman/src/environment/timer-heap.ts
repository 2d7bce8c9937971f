/** Whose completions these are; they are dropped when it dies. */
export interface Owner {
  readonly name: string
  readonly alive: boolean
}

/** Something that will happen: in the heap until `dueMs`, then ready, then fired once. */
export class Completion {
  /** Virtual milliseconds since the world began. */
  readonly dueMs: number
  /** Breaks ties in the heap: the order of creation. */
  readonly sequence: number
  readonly owner: Owner | undefined
  readonly fire: () => void
  /** Place in the heap, or -1. */
  place = -1
  cancelled = false

  constructor(dueMs: number, sequence: number, owner: Owner | undefined, fire: () => void) {
    this.dueMs = dueMs
    this.sequence = sequence
    this.owner = owner
    this.fire = fire
  }
}

/** Completions by due time, then by order of creation: a binary heap from which any member can be removed. */
export class TimerHeap {
  #items: Completion[] = []

  get first(): Completion | undefined {
    return this.#items[0]
  }

  push(completion: Completion): void {
    this.#items.push(completion)
    this.#up(completion, this.#items.length - 1)
  }

  /** Does nothing when the completion is not here. */
  remove(completion: Completion): void {
    const { place } = completion
    if (place < 0) return
    completion.place = -1
    const last = this.#items.pop()!
    if (last === completion) return
    if (place > 0 && isBefore(last, this.#items[(place - 1) >> 1]!)) this.#up(last, place)
    else this.#down(last, place)
  }

  /** Removes what `keep` refuses. */
  retain(keep: (completion: Completion) => boolean): void {
    const items = this.#items
    this.#items = []
    for (const completion of items) {
      if (keep(completion)) this.push(completion)
      else completion.place = -1
    }
  }

  #up(completion: Completion, from: number): void {
    const items = this.#items
    let place = from
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = items[above]!
      if (!isBefore(completion, parent)) break
      items[place] = parent
      parent.place = place
      place = above
    }
    items[place] = completion
    completion.place = place
  }

  #down(completion: Completion, from: number): void {
    const items = this.#items
    const { length } = items
    let place = from
    for (;;) {
      let below = 2 * place + 1
      if (below >= length) break
      if (below + 1 < length && isBefore(items[below + 1]!, items[below]!)) below++
      const child = items[below]!
      if (!isBefore(child, completion)) break
      items[place] = child
      child.place = place
      place = below
    }
    items[place] = completion
    completion.place = place
  }
}

function isBefore(one: Completion, other: Completion): boolean {
  return one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.sequence < other.sequence)
}

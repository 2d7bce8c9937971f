import { Heap, type HeapHandle } from '../internal/index.js'

/** What can stand in {@link Levels}: a node that carries its own links, in at most one list at a time. */
export interface LevelNode {
  priority: number
  previous: this | undefined
  next: this | undefined
}

interface Level<Node> {
  readonly priority: number
  first: Node | undefined
  last: Node | undefined
  count: number
  handle: HeapHandle<Level<Node>> | undefined
}

/**
 * First in, first out within a priority; higher priorities first. Adding, taking and removing are O(1), and O(log p) when a level, one of p,
 * comes into use or falls empty.
 *
 * A node's priority must not change while it is inside.
 */
export class Levels<Node extends LevelNode> {
  readonly #levels = new Map<number, Level<Node>>()
  readonly #inUse = new Heap<Level<Node>>((left, right) => right.priority - left.priority)
  #size = 0

  get size(): number {
    return this.#size
  }

  push(node: Node): void {
    let level = this.#levels.get(node.priority)
    if (level === undefined) {
      level = { priority: node.priority, first: undefined, last: undefined, count: 0, handle: undefined }
      this.#levels.set(node.priority, level)
    }
    if (level.last === undefined) {
      level.first = node
      level.handle = this.#inUse.push(level)
    } else {
      level.last.next = node
      node.previous = level.last
    }
    level.last = node
    level.count++
    this.#size++
  }

  /** Takes the first node out. */
  shift(): Node | undefined {
    const node = this.#inUse.peek()?.first
    if (node !== undefined) this.remove(node)
    return node
  }

  /** Takes a node out that is inside. */
  remove(node: Node): void {
    const level = this.#levels.get(node.priority)!
    if (node.previous === undefined) level.first = node.next
    else node.previous.next = node.next
    if (node.next === undefined) level.last = node.previous
    else node.next.previous = node.previous
    node.previous = undefined
    node.next = undefined
    level.count--
    this.#size--
    if (level.count > 0) return
    this.#inUse.remove(level.handle!)
    this.#levels.delete(level.priority)
  }

  /** How many nodes stand in each level, highest priority first. */
  counts(): { readonly priority: number; readonly depth: number }[] {
    const levels = [...this.#levels.values()].map(({ priority, count }) => ({ priority, depth: count }))
    return levels.sort((left, right) => right.priority - left.priority)
  }
}

/** A value's place in a {@link Heap}, to remove or move it later. */
export interface HeapHandle<Value> {
  readonly value: Value
}

interface Node<Value> extends HeapHandle<Value> {
  /** Position in the array, or -1 once the value has left the heap. */
  index: number
  /** Breaks ties in the order of insertion, so that the order of equal values never depends on the heap's shape. */
  readonly sequence: number
}

/**
 * A binary heap: the smallest value first, equal values in the order of their insertion. Every change costs O(log n), looking is free.
 *
 * @example
 * const deadlines = new Heap<number>((left, right) => left - right)
 * const late = deadlines.push(30)
 * deadlines.push(20)
 * deadlines.remove(late)
 * deadlines.pop() // 20
 */
export class Heap<Value> {
  readonly #compare: (left: Value, right: Value) => number
  readonly #nodes: Node<Value>[] = []
  #sequence = 0

  /** @param compare negative when `left` comes first, positive when `right` does, 0 when they are equal. */
  constructor(compare: (left: Value, right: Value) => number) {
    this.#compare = compare
  }

  get size(): number {
    return this.#nodes.length
  }

  push(value: Value): HeapHandle<Value> {
    const node: Node<Value> = { value, index: this.#nodes.length, sequence: this.#sequence++ }
    this.#nodes.push(node)
    this.#up(node)
    return node
  }

  /** The first value, left in place; `undefined` when the heap is empty. */
  peek(): Value | undefined {
    return this.#nodes[0]?.value
  }

  /** Takes the first value out; `undefined` when the heap is empty. */
  pop(): Value | undefined {
    const first = this.#nodes[0]
    if (first === undefined) return undefined
    this.#take(first)
    return first.value
  }

  /** Takes a value out, wherever it is. Returns whether it was still there. */
  remove(handle: HeapHandle<Value>): boolean {
    const node = handle as Node<Value>
    if (this.#nodes[node.index] !== node) return false
    this.#take(node)
    return true
  }

  /** Puts a value where it belongs after its order changed. Returns whether it was still there. */
  update(handle: HeapHandle<Value>): boolean {
    const node = handle as Node<Value>
    if (this.#nodes[node.index] !== node) return false
    this.#up(node)
    this.#down(node)
    return true
  }

  clear(): void {
    for (const node of this.#nodes) node.index = -1
    this.#nodes.length = 0
  }

  /** All values, in no particular order. */
  *[Symbol.iterator](): IterableIterator<Value> {
    for (const node of this.#nodes) yield node.value
  }

  #take(node: Node<Value>): void {
    const last = this.#nodes.pop()!
    if (last !== node) {
      this.#place(last, node.index)
      this.#up(last)
      this.#down(last)
    }
    node.index = -1
  }

  #up(node: Node<Value>): void {
    while (node.index > 0) {
      const parentIndex = (node.index - 1) >> 1
      const parent = this.#nodes[parentIndex]!
      if (this.#order(parent, node) <= 0) return
      this.#place(parent, node.index)
      this.#place(node, parentIndex)
    }
  }

  #down(node: Node<Value>): void {
    for (;;) {
      const leftIndex = 2 * node.index + 1
      const left = this.#nodes[leftIndex]
      if (left === undefined) return
      const right = this.#nodes[leftIndex + 1]
      const child = right !== undefined && this.#order(right, left) < 0 ? right : left
      if (this.#order(node, child) <= 0) return
      const childIndex = child.index
      this.#place(child, node.index)
      this.#place(node, childIndex)
    }
  }

  #place(node: Node<Value>, index: number): void {
    this.#nodes[index] = node
    node.index = index
  }

  #order(left: Node<Value>, right: Node<Value>): number {
    return this.#compare(left.value, right.value) || left.sequence - right.sequence
  }
}

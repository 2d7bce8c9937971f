/** Records the paths of dropped fields while the pruner walks. */
export class UnknownFieldTracker {
  readonly unknownFields: string[] = []
  readonly #path: string[] = []

  /** Whether the walk is at the root of the object. */
  get isAtRoot(): boolean {
    return this.#path.length === 0
  }

  enterField(name: string): void {
    this.#path.push(this.#path.length === 0 ? name : `.${name}`)
  }

  enterItem(index: number): void {
    this.#path.push(`[${index}]`)
  }

  leave(): void {
    this.#path.pop()
  }

  record(name: string): void {
    this.enterField(name)
    this.unknownFields.push(this.#path.join(''))
    this.leave()
  }
}

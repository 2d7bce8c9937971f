import type { FieldError } from 'steersman/api'

/**
 * Errors in order, each text once, and how many checks were passed: among alternatives of which none fits, the real server reports the
 * one with the most passed checks.
 */
export class ValidationResult {
  readonly #errors = new Map<string, FieldError>()
  matchCount = 0

  get isValid(): boolean {
    return this.#errors.size === 0
  }

  get errors(): readonly FieldError[] {
    return [...this.#errors.values()]
  }

  /** `text` is the message inside the real server's validator, by which it recognises repetitions. */
  add(text: string, error: FieldError): void {
    if (!this.#errors.has(text)) this.#errors.set(text, error)
  }

  merge(other: ValidationResult): void {
    for (const [text, error] of other.#errors) this.add(text, error)
    this.matchCount += other.matchCount
  }

  /** Forgets the errors, keeps the count. */
  dropErrors(): void {
    this.#errors.clear()
  }
}

import type { FieldError } from 'steersman/api'

/**
 * What is wrong with an object of this group. The real server checks it twice: by hand, and as it is declared with the types. What the second finds
 * comes after all that the first found.
 */
export class Findings {
  readonly #checked: FieldError[] = []
  readonly #declared: FieldError[] = []

  check(...errors: readonly FieldError[]): void {
    this.#checked.push(...errors)
  }

  declare(...errors: readonly FieldError[]): void {
    this.#declared.push(...errors)
  }

  /** What schemas declare, without the rest. */
  get declared(): readonly FieldError[] {
    return this.#declared
  }

  get all(): readonly FieldError[] {
    return [...this.#checked, ...this.#declared]
  }
}

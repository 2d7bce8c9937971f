import type { Json } from '../language/index.js'

/** A reference leads to nothing: a former answer was not what the scenario expects. */
export class UnknownReferenceError extends Error {}

/** The place in a value: `items.0.metadata.name`; `undefined` where there is nothing. A backslash keeps a dot: `metadata.annotations.example\.com/a`. */
export function valueAt(value: Json | undefined, place: string): Json | undefined {
  let current: unknown = value
  for (const key of place.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'))) {
    if (current === null || typeof current !== 'object') return undefined
    current = (current as Record<string, unknown>)[key]
  }
  return current as Json | undefined
}

/** What the references of a run stand for. */
export class References {
  readonly #names: Readonly<Record<string, string>>
  readonly #answers = new Map<string, Json>()
  readonly #tags = new Map<string, string>()

  constructor(names: Readonly<Record<string, string>>) {
    this.#names = names
  }

  /** `etag` is what references call `{{r2.etag}}`. */
  remember(id: string, answer: Json, etag?: string): void {
    this.#answers.set(id, answer)
    if (etag !== undefined) this.#tags.set(id, etag)
  }

  /** Text with every reference filled in. */
  fill(text: string): string {
    return text.replace(/\{\{([^}]+)\}\}/g, (_, reference: string) => this.#value(reference))
  }

  #value(reference: string): string {
    const name = this.#names[reference]
    if (name !== undefined) return name
    const [, id = '', place = '', plus] = /^(\w+)\.(.+?)(?:\+(\d+))?$/.exec(reference) ?? []
    const value = place === 'etag' ? this.#tags.get(id) : valueAt(this.#answers.get(id), place)
    if (value === undefined || value === null) throw new UnknownReferenceError(`{{${reference}}} stands for nothing`)
    return plus === undefined ? String(value) : String(Number(value) + Number(plus))
  }
}

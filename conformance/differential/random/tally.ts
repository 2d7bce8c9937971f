import type { CanonicalAnswer } from '../compare/index.js'
import type { Scenario } from '../language/index.js'

/** Counts what a random comparison asked, and how often the real server refused. */
export class Tally {
  readonly #collections = new Set<string>()
  readonly #refusals = new Set<string>()
  #answers = 0
  #refused = 0

  count({ steps }: Scenario, answers: readonly CanonicalAnswer[]): void {
    for (const step of steps) {
      const created = step.kind === 'request' && step.method === 'POST' ? step.path.split('?', 1)[0] : undefined
      if (created !== undefined) this.#collections.add(created)
    }
    this.#answers += answers.length
    for (const { status, body } of answers.filter((answer) => answer.status >= 400)) {
      this.#refused += 1
      for (const words of causesOf(body)) this.#refusals.add(`${status} ${words}`)
    }
  }

  text(): string {
    return `${this.#answers} operations on ${this.#collections.size} kinds, ${this.#refused} refused for ${this.#refusals.size} different reasons`
  }
}

/** What was wrong, in words without values. */
function causesOf(body: CanonicalAnswer['body']): readonly string[] {
  const { message, details } = body as {
    readonly message?: string
    readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string }[] }
  }
  const wordsOf = (text = '') => text.replace(/"(?:[^"\\]|\\.)*"/g, '…').replace(/\d+/g, '0')
  return details?.causes?.map((cause) => wordsOf(`${cause.field}: ${cause.message}`)) ?? [wordsOf(message)]
}

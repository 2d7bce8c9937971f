import type { CanonicalAnswer } from '../compare/index.js'
import type { Scenario } from '../language/index.js'

/** Counts what a random comparison asked, and how often the real server refused. */
export class Tally {
  readonly #collections = new Set<string>()
  readonly #refusals = new Set<string>()
  readonly #known = new Map<string, number>()
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

  /** An answer that differs for a reason that is named. */
  countKnown(reason: string): void {
    this.#known.set(reason, (this.#known.get(reason) ?? 0) + 1)
  }

  text(): string {
    const named = [...this.#known].sort(([, left], [, right]) => right - left).map(([reason, count]) => `\n  ${count} ${reason}`)
    const differing = [...this.#known.values()].reduce((sum, count) => sum + count, 0)
    const asked = `${this.#answers} operations on ${this.#collections.size} kinds`
    const refused = `${this.#refused} refused for ${this.#refusals.size} different reasons`
    return `${asked}, ${refused}, ${differing} answers that differ for named reasons:${named.join('')}\n`
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

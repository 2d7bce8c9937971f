import type { Json, JsonObject } from '../language/index.js'
import type { CanonicalAnswer } from './canonical.js'

/** One place where two answers differ. */
export interface Difference {
  /** Which answer, from 0. */
  readonly step: number
  readonly request: string
  /** The place: `status`, `headers.warning`, `body.metadata.labels.a`, `body.items[2]`. */
  readonly path: string
  /** `undefined`: nothing is there. */
  readonly expected: Json | undefined
  readonly got: Json | undefined
}

const renamedPattern = /<(?:uid|rv|generated|hash|cluster-ip|node-port)-[\d.]+>/g
const mostDifferences = 50

/**
 * Where the answers differ from those expected. Renamed values agree when they stand for the same thing throughout: each name on one side belongs to one on the other,
 * and revisions come in the same order. So one value too many does not make everything after it differ.
 */
export function differences(expected: readonly CanonicalAnswer[], got: readonly CanonicalAnswer[]): readonly Difference[] {
  const comparison = new Comparison()
  for (let step = 0; step < Math.max(expected.length, got.length); step += 1) {
    const [left, right] = [expected[step], got[step]]
    const request = left?.request ?? right?.request ?? ''
    comparison.compareAnswers({ step, request }, left, right)
  }
  return comparison.differences
}

type Where = Pick<Difference, 'step' | 'request'>

class Comparison {
  readonly differences: Difference[] = []
  readonly #pairs = new NamePairs()

  compareAnswers(where: Where, expected: CanonicalAnswer | undefined, got: CanonicalAnswer | undefined): void {
    if (expected === undefined || got === undefined) {
      this.#report(where, 'status', expected?.status, got?.status)
      return
    }
    this.#compare(where, 'request', expected.request, got.request)
    if (expected.status !== got.status) {
      // Bodies of a success and a refusal have nothing in common: their differences would only hide this one.
      this.#report(where, 'status', statusText(expected), statusText(got))
      return
    }
    this.#compare(where, 'headers', expected.headers, got.headers)
    this.#compare(where, 'body', expected.body, got.body)
  }

  #compare(where: Where, path: string, expected: Json | undefined, got: Json | undefined): void {
    if (typeof expected === 'string' && typeof got === 'string') {
      if (!this.#pairs.agree(expected, got)) this.#report(where, path, expected, got)
    } else if (Array.isArray(expected) && Array.isArray(got)) {
      for (let index = 0; index < Math.max(expected.length, got.length); index += 1) {
        this.#compare(where, `${path}[${index}]`, expected[index] as Json | undefined, got[index] as Json | undefined)
      }
    } else if (isObject(expected) && isObject(got)) {
      for (const key of new Set([...Object.keys(expected), ...Object.keys(got)]))
        this.#compare(where, `${path}.${key}`, expected[key], got[key])
    } else if (expected !== got) {
      this.#report(where, path, expected, got)
    }
  }

  #report(where: Where, path: string, expected: Json | undefined, got: Json | undefined): void {
    if (this.differences.length < mostDifferences) this.differences.push({ ...where, path, expected, got })
  }
}

/** The status with what a refusal says. */
function statusText({ status, body }: CanonicalAnswer): Json {
  return isObject(body) && typeof body.message === 'string' ? `${status} ${body.message}` : status
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Which renamed value of one side is which of the other. */
class NamePairs {
  readonly #gotByExpected = new Map<string, string>()
  readonly #expectedByGot = new Map<string, string>()

  /** Whether two texts are the same but for names that belong together. Names that meet for the first time belong together from then on. */
  agree(expected: string, got: string): boolean {
    const [left, right] = [expected.match(renamedPattern) ?? [], got.match(renamedPattern) ?? []]
    if (left.length !== right.length || expected.replace(renamedPattern, '<>') !== got.replace(renamedPattern, '<>')) return false
    return left.every((name, index) => this.#belong(name, right[index] as string))
  }

  #belong(expected: string, got: string): boolean {
    const [known, knownOther] = [this.#gotByExpected.get(expected), this.#expectedByGot.get(got)]
    if (known !== undefined || knownOther !== undefined) return known === got && knownOther === expected
    if (kindOf(expected) !== kindOf(got) || !this.#isInOrder(expected, got)) return false
    this.#gotByExpected.set(expected, got)
    this.#expectedByGot.set(got, expected)
    return true
  }

  #isInOrder(expected: string, got: string): boolean {
    if (kindOf(expected) !== 'rv') return true
    return [...this.#gotByExpected].every(
      ([otherExpected, otherGot]) =>
        kindOf(otherExpected) !== 'rv' ||
        Math.sign(orderOf(expected) - orderOf(otherExpected)) === Math.sign(orderOf(got) - orderOf(otherGot)),
    )
  }
}

function kindOf(name: string): string {
  return name.slice(1, name.lastIndexOf('-'))
}

function orderOf(name: string): number {
  return Number(name.slice(name.lastIndexOf('-') + 1, -1))
}

import type { Json, JsonObject, Scenario, Step } from '../language/index.js'

/** Most attempts at making one scenario shorter. */
const mostAttempts = 300

/**
 * The shortest form of a scenario that `fails` still says is interesting: without steps that do not matter, and with bodies without members that do not matter.
 */
export async function shrink(scenario: Scenario, fails: (candidate: Scenario) => Promise<boolean>): Promise<Scenario> {
  const shrinking = new Shrinking(scenario, fails)
  await shrinking.dropSteps()
  await shrinking.simplifyBodies()
  await shrinking.dropSteps()
  return shrinking.best
}

class Shrinking {
  best: Scenario
  readonly #fails: (candidate: Scenario) => Promise<boolean>
  #attempts = 0

  constructor(scenario: Scenario, fails: (candidate: Scenario) => Promise<boolean>) {
    this.best = scenario
    this.#fails = fails
  }

  /** Halves first, single steps last. */
  async dropSteps(): Promise<void> {
    for (let size = Math.ceil(this.best.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let start = 0; start < this.best.steps.length; ) {
        const steps = [...this.best.steps.slice(0, start), ...this.best.steps.slice(start + size)]
        if (!(await this.#accepts(steps))) start += size
      }
    }
  }

  async simplifyBodies(): Promise<void> {
    for (let index = 0; index < this.best.steps.length; index += 1) await this.#simplifyBody(index)
  }

  async #simplifyBody(index: number): Promise<void> {
    let found = true
    while (found) {
      found = false
      const step = this.best.steps[index]
      if (step?.kind !== 'request' || step.body === undefined || !('json' in step.body)) return
      for (const json of smaller(step.body.json)) {
        const steps = this.best.steps.map((other, position): Step => (position === index ? { ...step, body: { json } } : other))
        found = await this.#accepts(steps)
        if (found) break
      }
    }
  }

  async #accepts(steps: readonly Step[]): Promise<boolean> {
    if (steps.length === 0 || this.#attempts >= mostAttempts) return false
    this.#attempts += 1
    const candidate = { ...this.best, steps }
    if (!(await this.#fails(candidate))) return false
    this.best = candidate
    return true
  }
}

/** The value with one member or element less, the outermost first. */
function* smaller(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    for (const index of value.keys()) yield value.filter((_, position) => position !== index)
    for (const [index, element] of value.entries()) {
      for (const less of smaller(element as Json)) yield value.map((other: Json, position) => (position === index ? less : other))
    }
  } else if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value as JsonObject)
    for (const [key] of members) yield Object.fromEntries(members.filter(([name]) => name !== key))
    for (const [key, member] of members) for (const less of smaller(member)) yield { ...(value as JsonObject), [key]: less }
  }
}

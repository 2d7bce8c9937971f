import { canonical, type Difference, differences, differenceText } from '../compare/index.js'
import { customResourceDefinitions, definition, type Scenario, ScenarioBuilder, versionOf } from '../language/index.js'
import { runScenario } from '../run/index.js'
import { scenarios } from '../scenarios/index.js'
import { type Server, startOurs, startReal } from '../servers.js'
import { cleanUp } from './clean-up.js'
import { isOfOwners, knownReason, withoutOrderOfCauses } from './known-differences.js'
import { randomKindScenario } from './random-kind-scenario.js'
import { randomWidgetSchema, randomWidgets } from './random-objects.js'
import { randomScenario } from './random-scenario.js'
import { scenarioText } from './scenario-text.js'
import { seedObjects } from './seed-objects.js'
import { type RandomKind, servedKinds } from './served-kinds.js'
import { shrink } from './shrink.js'
import { Tally } from './tally.js'

/** How a random comparison goes. */
export interface FuzzOptions {
  readonly seed: number
  /** Requests in all. */
  readonly operations: number
  /** Requests of one scenario. */
  readonly length: number
  /** Stop after so many different disagreements. */
  readonly most: number
  /** What `group/version/plural` of kinds begins with: only these. Empty: every kind, in turn with scenarios of several hand-written ones. */
  readonly kinds: readonly string[]
}

/** Every how many scenarios one is about hand-written kinds. */
const handWrittenEvery = 8
/** Most disagreements that are looked at in one scenario: the first most likely causes the others. */
const mostOfOneScenario = 3

/** Compares both servers, live. Prints the shortest form of each disagreement; resolves to how many different ones there were. */
export async function fuzz(options: FuzzOptions, print: (text: string) => void): Promise<number> {
  const [real, ours] = [await startReal({ controllers: false }), await startOurs({ controllers: false })]
  const fuzzing = new Fuzzing(real, ours, print)
  try {
    const kinds = chosenKinds(await servedKinds(real, seedObjects(scenarios)), options.kinds)
    for (const server of [real, ours]) await runScenario(server, preparation())
    let done = 0
    for (let index = 0; done < options.operations && fuzzing.found < options.most; index += 1) {
      await fuzzing.examine(scenarioAt(index, kinds, options))
      done += options.length
    }
    print(`${fuzzing.tally.text()}seeds from ${options.seed}: ${fuzzing.found} different disagreements`)
  } finally {
    await Promise.all([real.stop(), ours.stop()])
  }
  return fuzzing.found
}

/** Kinds whose `group/version/plural` begins with one of the words. */
function chosenKinds(kinds: readonly RandomKind[], words: readonly string[]): readonly RandomKind[] {
  const nameOf = ({ resource: { group, version, plural } }: RandomKind) => [...(group === '' ? [] : [group]), version, plural].join('/')
  const chosen = words.length === 0 ? kinds : kinds.filter((kind) => words.some((word) => nameOf(kind).startsWith(word)))
  if (chosen.length === 0) throw new Error(`No kind begins with ${words.join(' or ')}: expected one of ${kinds.map(nameOf).join(', ')}`)
  return chosen
}

/** Every kind has its turn. */
function scenarioAt(index: number, kinds: readonly RandomKind[], { seed, length, kinds: words }: FuzzOptions): Scenario {
  if (words.length === 0 && index % handWrittenEvery === 0) return randomScenario(seed + index, length)
  return randomKindScenario(seed + index, length, kinds[(seed + index) % kinds.length] as RandomKind)
}

class Fuzzing {
  readonly tally = new Tally()
  readonly #real: Server
  readonly #ours: Server
  readonly #print: (text: string) => void
  readonly #seen = new Set<string>()
  #found = 0

  constructor(real: Server, ours: Server, print: (text: string) => void) {
    this.#real = real
    this.#ours = ours
    this.#print = print
  }

  /** How many different disagreements there were. */
  get found(): number {
    return this.#found
  }

  async examine(scenario: Scenario): Promise<void> {
    const found = await this.#disagreements(scenario, true)
    const firsts = found.filter(({ step }, index) => found.findIndex((other) => other.step === step) === index)
    const kinds = firsts.map(kindOf).filter((kind, index) => index === 0 || !kind.includes('<rv-'))
    for (const kind of kinds.slice(0, mostOfOneScenario)) await this.#explain(scenario, kind)
  }

  async #explain(scenario: Scenario, kind: string): Promise<void> {
    if (this.#seen.has(kind)) return
    const occurs = async (candidate: Scenario) => (await this.#disagreements(candidate)).some((other) => kindOf(other) === kind)
    // What the real server writes beside the scenario may come between two revisions: that does not happen again.
    if (!(await occurs(scenario))) return
    const shortest = await shrink(scenario, occurs)
    const found = await this.#disagreements(shortest)
    const [first] = found
    if (first === undefined) return
    // It may be but what follows from another one.
    const isKnownAlready = this.#seen.has(kindOf(first))
    this.#seen.add(kind).add(kindOf(first))
    if (isKnownAlready) return
    this.#found += 1
    this.#print([scenarioText(shortest), ...found.slice(0, 4).map(differenceText), ''].join('\n'))
  }

  async #disagreements(scenario: Scenario, isCounted = false): Promise<readonly Difference[]> {
    const [expected, got] = [await answers(this.#real, scenario), await answers(this.#ours, scenario)]
    if (isCounted) this.tally.count(scenario, expected)
    const found = differences(expected, got)
    // One known difference explains an answer.
    const explained = new Map(
      found.flatMap((difference): [number, string][] => {
        const reason = knownReason(scenario, difference)
        return reason === undefined ? [] : [[difference.step, reason]]
      }),
    )
    if (isCounted) for (const reason of explained.values()) this.tally.countKnown(reason)
    const apart = firstApart(found, explained)
    return found.filter((difference) => difference.step <= apart && !explained.has(difference.step) && !isOfOwners(difference))
  }
}

/** The first answer whose status differs for a known reason, as one server wrote and the other did not: what comes after says nothing. */
function firstApart(found: readonly Difference[], explained: ReadonlyMap<number, string>): number {
  const isApart = ({ step, path, request }: Difference) => path === 'status' && explained.has(step) && !request.startsWith('GET')
  return Math.min(...found.filter(isApart).map(({ step }) => step), Number.POSITIVE_INFINITY)
}

async function answers(server: Server, scenario: Scenario) {
  const transcript = await runScenario(server, scenario)
  await cleanUp(server, transcript)
  return canonical(scenario, transcript).map(withoutOrderOfCauses)
}

/** Disagreements of one kind have one cause, most likely: method, place and words, without what is in quotes or in brackets. */
function kindOf({ request, path, expected, got }: Difference): string {
  const words = (value: unknown) =>
    JSON.stringify(value)
      ?.replace(/\\"(?:[^"\\]|\\\\.)*\\"/g, '…')
      .replace(/\d+/g, '0')
      .slice(0, 120)
  return [request.split(' ', 1)[0], path.replace(/\[\d+\]/g, '[]'), words(expected), words(got)].join(' | ')
}

/** Defines the custom resource that hand-written scenarios use. */
function preparation(): Scenario {
  const s = new ScenarioBuilder()
  const version = versionOf(randomWidgetSchema, { subresources: { status: {} } })
  s.create(customResourceDefinitions, definition(randomWidgets, [version]), { isQuiet: true })
  s.untilServed(randomWidgets)
  return { area: 'errors', name: 'preparation', controllers: false, steps: s.steps }
}

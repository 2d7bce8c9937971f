import { canonical, type Difference, differences, differenceText } from '../compare/index.js'
import { customResourceDefinitions, definition, type Scenario, ScenarioBuilder, versionOf } from '../language/index.js'
import { runScenario } from '../run/index.js'
import { type Server, startOurs, startReal } from '../servers.js'
import { isKnown, withoutOrderOfCauses } from './known-differences.js'
import { randomWidgetSchema, randomWidgets } from './random-objects.js'
import { randomScenario } from './random-scenario.js'
import { scenarioText } from './scenario-text.js'
import { shrink } from './shrink.js'

/** How a random comparison goes. */
export interface FuzzOptions {
  readonly seed: number
  /** Requests in all. */
  readonly operations: number
  /** Requests of one scenario. */
  readonly length: number
  /** Stop after so many different disagreements. */
  readonly most: number
}

/** Compares both servers, live. Prints the shortest form of each disagreement; resolves to how many different ones there were. */
export async function fuzz({ seed, operations, length, most }: FuzzOptions, print: (text: string) => void): Promise<number> {
  const [real, ours] = [await startReal({ controllers: false }), await startOurs({ controllers: false })]
  const seen = new Set<string>()
  try {
    for (const server of [real, ours]) await runScenario(server, preparation())
    let done = 0
    for (let index = 0; done < operations && seen.size < most; index += 1) {
      const scenario = randomScenario(seed + index, length)
      done += length
      await examine(real, ours, scenario, seen, print)
    }
    print(`${done} operations of seeds ${seed} to ${seed + Math.ceil(done / length) - 1}: ${seen.size} different disagreements`)
  } finally {
    await Promise.all([real.stop(), ours.stop()])
  }
  return seen.size
}

async function examine(real: Server, ours: Server, scenario: Scenario, seen: Set<string>, print: (text: string) => void): Promise<void> {
  const [first] = await disagreements(real, ours, scenario)
  if (first === undefined) return
  const kind = kindOf(first)
  if (seen.has(kind)) return
  const occurs = async (candidate: Scenario) => (await disagreements(real, ours, candidate)).some((other) => kindOf(other) === kind)
  // What the real server writes beside the scenario may come between two revisions: that does not happen again.
  if (!(await occurs(scenario))) return
  const shortest = await shrink(scenario, occurs)
  const found = await disagreements(real, ours, shortest)
  if (found.length === 0) return
  seen.add(kind)
  print([scenarioText(shortest), ...found.slice(0, 4).map(differenceText), ''].join('\n'))
}

async function disagreements(real: Server, ours: Server, scenario: Scenario): Promise<readonly Difference[]> {
  const answers = async (server: Server) => canonical(scenario, await runScenario(server, scenario)).map(withoutOrderOfCauses)
  const found = differences(await answers(real), await answers(ours))
  // One known difference explains an answer.
  const explained = new Set(found.filter((difference) => isKnown(scenario, difference)).map(({ step }) => step))
  return found.filter(({ step }) => !explained.has(step))
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

/** Defines the custom resource that all scenarios use. */
function preparation(): Scenario {
  const s = new ScenarioBuilder()
  const version = versionOf(randomWidgetSchema, { subresources: { status: {} } })
  s.create(customResourceDefinitions, definition(randomWidgets, [version]), { isQuiet: true })
  s.untilServed(randomWidgets)
  return { area: 'errors', name: 'preparation', controllers: false, steps: s.steps }
}

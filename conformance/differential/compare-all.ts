import { accepted } from './accepted.js'
import { compareScenario, type Outcome } from './compare/index.js'
import type { Scenario } from './language/index.js'
import { ServerPool, startOurs } from './servers.js'

const workers = 4

/**
 * Compares our server with what the real one answered, in the order of the scenarios. Each worker has servers of its own: the revision of a list tells what others
 * wrote meanwhile.
 *
 * @throws {GoldenError} when a scenario was not recorded as it is now.
 */
export async function compareAll(scenarios: readonly Scenario[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    const pool = new ServerPool(startOurs)
    try {
      while (next < scenarios.length) {
        const index = next
        next += 1
        const scenario = scenarios[index] as Scenario
        outcomes[index] = await compareScenario(await pool.for(scenario), scenario, accepted)
      }
    } finally {
      await pool.stop()
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
  return outcomes
}

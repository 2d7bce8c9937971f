import { describe, expect, test } from 'vitest'
import { doubleCreate, lostUpdate, missedDelete, type Race } from './planted-races.js'

const SEEDS = 200

/** Runs seeds until one shows a violation. */
async function search(race: Race): Promise<{ readonly seed: number; readonly violations: readonly string[] } | undefined> {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const outcome = await race(seed, 'planted')
    if (outcome.violations.length > 0) return outcome
  }
  return undefined
}

describe.each([
  { name: 'a lost update', race: lostUpdate, sentence: /was written to the inventory and is lost$/ },
  { name: 'a double create from a stale cache', race: doubleCreate, sentence: /owns 2 ConfigMaps; expected 1$/ },
  { name: 'a missed delete', race: missedDelete, sentence: /is left after its Widget was deleted$/ },
])('$name', ({ race, sentence }) => {
  test(`is found within ${SEEDS} seeds, and found again with the same seed`, async () => {
    const found = await search(race)
    expect(found?.violations[0]).toMatch(sentence)
    expect(await race(found!.seed, 'planted')).toEqual(found)
  })

  test(`is not there in the correct twin in ${SEEDS} seeds`, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) expect((await race(seed, 'correct')).violations, `seed ${seed}`).toEqual([])
  })
})

import { expect, test } from 'vitest'
import { spawnManyHistories } from './spawned-histories.js'

test.each(['silent', 'refused'] as const)(
  'nothing is lost when the server is away for 30 s in the middle of everything (%s)',
  async (outage) => {
    const outcomes = await spawnManyHistories({ first: 1, count: 50 }, { outage })
    const broken = outcomes.filter(({ converged, violations }) => !converged || violations.length > 0)
    expect(broken.map(({ seed, violations }) => ({ seed, violations }))).toEqual([])
    expect(new Set(outcomes.map(({ finalState }) => finalState)).size).toBe(1)
    for (const { seed, requestsInOutage } of outcomes) {
      const asked = Object.entries(requestsInOutage).filter(([what]) => !what.startsWith('user '))
      // No hot loop: with a pause of 5 ms that doubles each time, a reconcile has its thirteenth try after 30 s. Each event is another request.
      for (const [what, count] of asked) expect(count, `seed ${seed}: ${what}`).toBeLessThanOrEqual(what.endsWith('/events') ? 100 : 26)
      expect(
        asked.reduce((sum, [, count]) => sum + count, 0),
        `seed ${seed}`,
      ).toBeLessThan(500)
    }
  },
)

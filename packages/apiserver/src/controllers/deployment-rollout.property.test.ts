import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limitsOf, type ReplicaCount, type RolloutLimits, scaleNew, scaleOld, scaleProportionally } from './deployment-rollout.js'

/** Pods of one ReplicaSet: how many it shall have, and how many of those it has are available. */
interface Model {
  name: string
  desired: number
  available: number
  createdAtMs: number
}

const fenceposts = fc.record({
  replicas: fc.nat(30),
  maxSurge: fc.oneof(
    fc.nat(10),
    fc.nat(100).map((percent) => `${percent}%`),
  ),
  maxUnavailable: fc.oneof(
    fc.nat(10),
    fc.nat(100).map((percent) => `${percent}%`),
  ),
})

function limitsFrom({
  replicas,
  ...rollingUpdate
}: {
  replicas: number
  maxSurge: number | string
  maxUnavailable: number | string
}): RolloutLimits {
  return limitsOf({ spec: { replicas, strategy: { type: 'RollingUpdate', rollingUpdate }, selector: {}, template: {} } } as never)
}

const sum = (models: readonly Model[], field: 'desired' | 'available'): number => models.reduce((total, model) => total + model[field], 0)

/** One step of the Deployment controller. Returns whether it changed anything. */
function step(limits: RolloutLimits, next: Model, old: readonly Model[]): boolean {
  const size = scaleNew(limits, next, old)
  if (size !== next.desired) {
    next.desired = size
    next.available = Math.min(next.available, size)
    return true
  }
  const shrinking = scaleOld(
    limits,
    next,
    old.filter(({ desired }) => desired > 0),
  )
  for (const model of old) {
    const reduced = shrinking.get(model.name)
    if (reduced === undefined) continue
    expect(reduced).toBeLessThan(model.desired)
    // Pods that are not available go first.
    model.desired = reduced
    model.available = Math.min(model.available, reduced)
  }
  return shrinking.size > 0
}

describe('rolling update', () => {
  test('limits are rounded as documented', () => {
    // From the comments and tests of Kubernetes' own ResolveFenceposts.
    expect(limitsFrom({ replicas: 2, maxSurge: '0%', maxUnavailable: '1%' })).toEqual({ replicas: 2, maxSurge: 0, maxUnavailable: 1 })
    expect(limitsFrom({ replicas: 2, maxSurge: '1%', maxUnavailable: '25%' })).toEqual({ replicas: 2, maxSurge: 1, maxUnavailable: 0 })
    expect(limitsFrom({ replicas: 10, maxSurge: '25%', maxUnavailable: '25%' })).toEqual({ replicas: 10, maxSurge: 3, maxUnavailable: 2 })
    expect(limitsFrom({ replicas: 1, maxSurge: 1, maxUnavailable: 0 })).toEqual({ replicas: 1, maxSurge: 1, maxUnavailable: 0 })
    expect(limitsFrom({ replicas: 2, maxSurge: 1, maxUnavailable: 5 })).toEqual({ replicas: 2, maxSurge: 1, maxUnavailable: 2 })
  })

  test('never exceeds the surge, never drops below what must be available, and always ends', () => {
    fc.assert(
      fc.property(
        fenceposts,
        fc.array(fc.nat(10), { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.nat(3)),
        (given, sizes, chances) => {
          const limits = limitsFrom(given)
          const old = sizes.map((size, index): Model => ({ name: `old-${index}`, desired: size, available: size, createdAtMs: index }))
          const next: Model = { name: 'new', desired: 0, available: 0, createdAtMs: 100 }
          const most = Math.max(limits.replicas + limits.maxSurge, sum(old, 'desired'))
          const all = (): readonly Model[] => [...old, next]
          let mustHave = Math.min(limits.replicas - limits.maxUnavailable, sum(old, 'available'))
          for (let round = 0; round < 1000; round += 1) {
            const changed = step(limits, next, old)
            expect(sum(all(), 'desired')).toBeLessThanOrEqual(most)
            expect(sum(all(), 'available')).toBeGreaterThanOrEqual(mustHave)
            // Some new pods become available, by chance.
            const chance = chances.next().value ?? 1
            next.available = Math.min(next.desired, next.available + (changed ? chance : 1 + chance))
            mustHave = Math.max(mustHave, Math.min(limits.replicas - limits.maxUnavailable, sum(all(), 'available')))
            if (!changed && next.available === next.desired && next.desired === limits.replicas && sum(old, 'desired') === 0) return
          }
          expect.fail(`no end: ${JSON.stringify({ limits, next, old })}`)
        },
      ),
    )
  })

  test('makes room of pods that never became available', () => {
    fc.assert(
      fc.property(fenceposts, fc.nat(10), fc.nat(10), (given, healthy, broken) => {
        const limits = limitsFrom(given)
        const old: Model[] = [
          { name: 'good', desired: healthy, available: healthy, createdAtMs: 0 },
          { name: 'broken', desired: broken, available: 0, createdAtMs: 1 },
        ]
        const next: Model = { name: 'new', desired: 0, available: 0, createdAtMs: 2 }
        for (let round = 0; round < 1000; round += 1) {
          const changed = step(limits, next, old)
          next.available = next.desired
          if (!changed && sum(old, 'desired') === 0 && next.desired === limits.replicas) return
        }
        expect.fail(`no end: ${JSON.stringify({ limits, next, old })}`)
      }),
    )
  })
})

describe('scaling in the middle of a rollout', () => {
  const counts = fc.array(fc.record({ desired: fc.integer({ min: 1, max: 40 }), maxReplicas: fc.integer({ min: 1, max: 60 }) }), {
    minLength: 1,
    maxLength: 5,
  })

  test('adds up to what the Deployment may have, whatever the proportions', () => {
    fc.assert(
      fc.property(fenceposts, counts, (given, sizes) => {
        const limits = limitsFrom(given)
        const present = sizes.map(
          (size, index): ReplicaCount => ({ ...size, name: `rs-${index}`, available: size.desired, createdAtMs: index }),
        )
        const scaling = scaleProportionally(limits, present, 10)
        const total = [...scaling.values()].reduce((all, size) => all + size, 0)
        for (const size of scaling.values()) expect(size).toBeGreaterThanOrEqual(0)
        const before = present.reduce((all, { desired }) => all + desired, 0)
        const allowed = limits.replicas === 0 ? 0 : limits.replicas + limits.maxSurge
        // Growing reaches the goal exactly. Shrinking may stop short of it, because no ReplicaSet goes below nothing; it never goes beyond.
        if (allowed >= before) expect(total).toBe(allowed)
        else expect(total).toBeGreaterThanOrEqual(allowed)
        expect([...scaling.keys()].sort()).toEqual(present.map(({ name }) => name).sort())
      }),
    )
  })
})

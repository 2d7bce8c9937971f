import type { Container, Pod } from 'steersman/api/types/core/v1'
import { describe, expect, test } from 'vitest'
import type { ContainerBehaviour } from './behaviour.js'
import { type ContainerLife, containerStatus, isReady, type LifeFacts, live, newLife, nextChangeMs, resumeLife } from './container-life.js'

const container: Container = { name: 'main', image: 'app:1' }

function pod(restartPolicy: string, annotations: Readonly<Record<string, string>> = {}): Pod {
  return {
    metadata: { name: 'p', namespace: 'default', uid: 'u', annotations },
    spec: { containers: [container], restartPolicy },
  } as unknown as Pod
}

/** Follows a container until a time, stopping wherever it says that something will change. */
function course(behaviour: ContainerBehaviour, restartPolicy: string, untilMs: number): readonly string[] {
  const seen: string[] = []
  let life: ContainerLife = newLife(container, 100)
  let nowMs = 0
  for (;;) {
    const facts: LifeFacts = { pod: pod(restartPolicy), behaviours: () => behaviour, nowMs }
    life = live(life, facts)
    const { state } = containerStatus(life, facts)
    const name =
      state?.waiting?.reason ??
      (state?.running === undefined ? `exit ${state?.terminated?.exitCode}` : isReady(life, facts) ? 'ready' : 'running')
    seen.push(`${nowMs} ${name} ${life.restarts}`)
    const next = nextChangeMs(life, facts)
    if (next === undefined || next > untilMs) return seen
    expect(next).toBeGreaterThan(nowMs)
    nowMs = next
  }
}

describe('ContainerLife', () => {
  test('starts, becomes ready and runs on', () => {
    expect(course({ readyAfterMs: 50 }, 'Always', 1e9)).toEqual(['0 ContainerCreating 0', '100 running 0', '150 ready 0'])
  })

  test('ends for good as its restart policy says', () => {
    expect(course({ exitAfterMs: 20, exitCode: 0 }, 'OnFailure', 1e9)).toEqual(['0 ContainerCreating 0', '100 ready 0', '120 exit 0 0'])
    expect(course({ exitCode: 1 }, 'Never', 1e9)).toEqual(['0 ContainerCreating 0', '100 exit 1 0'])
  })

  // https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy: 10 s, 20 s, 40 s, … capped at 300 s.
  test('restarts at once, then after 10 s, 20 s, 40 s, at most 300 s', () => {
    const seen = course({ exitAfterMs: 1000, exitCode: 1 }, 'Always', 1_300_000)
    const starts = seen.filter((entry) => entry.includes('ready')).map((entry) => Number(entry.split(' ')[0]))
    const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0) - 1000)
    expect(gaps.slice(0, 8)).toEqual([0, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000])
  })

  test('waits for an image that cannot be pulled', () => {
    expect(course({ pullError: 'ErrImagePull' }, 'Always', 1e9)).toEqual(['0 ContainerCreating 0', '100 ErrImagePull 0'])
  })

  test('obeys annotations, and ignores what is not a number', () => {
    const facts = (annotations: Readonly<Record<string, string>>, nowMs: number): LifeFacts => ({
      pod: pod('Never', annotations),
      behaviours: undefined,
      nowMs,
    })
    const given = { 'simulated.steersman.dev/exit-after-ms': '500', 'simulated.steersman.dev/exit-code': '7' }
    expect(live(newLife(container, 0), facts(given, 500)).phase).toEqual({ is: 'ended', startedMs: 0, atMs: 500, exitCode: 7 })
    expect(live(newLife(container, 0), facts({ 'simulated.steersman.dev/exit-code': '-1' }, 500)).phase.is).toBe('running')
  })

  test('goes on from the status that another process wrote', () => {
    const behaviour = { exitAfterMs: 5000, exitCode: 1 }
    const facts = (nowMs: number): LifeFacts => ({ pod: pod('Always'), behaviours: () => behaviour, nowMs })
    let life: ContainerLife = newLife(container, 1000)
    for (let nowMs = 1000; nowMs <= 120_000; nowMs += 1000) {
      life = live(life, facts(nowMs))
      const resumed = live(resumeLife(container, containerStatus(life, facts(nowMs)), 0), facts(nowMs))
      // A container in CrashLoopBackOff is picked up by starting it, as a kubelet that forgot its backoff does.
      if (life.phase.is !== 'ended') expect(containerStatus(resumed, facts(nowMs))).toEqual(containerStatus(life, facts(nowMs)))
    }
  })
})

import { formatTime } from 'steersman/api'
import type { ContainerStatus, Pod, PodCondition, PodStatus } from 'steersman/api/types/core/v1'
import { deepEqual } from 'steersman/internal'
import { type ContainerLife, containerStatus, isOver, isReady, type LifeFacts } from './container-life.js'

/** Where a pod runs, and since when. */
export interface PodPlace {
  readonly hostIP: string
  /** `undefined` before it has an address. */
  readonly podIP: string | undefined
  readonly startedMs: number
}

/** The status that a kubelet reports of a pod. What others wrote there, such as readiness gates, stays. */
export function podStatus(lives: readonly ContainerLife[], place: PodPlace, facts: LifeFacts): PodStatus {
  const { pod, nowMs } = facts
  const hasStarted = lives.some(({ phase, restarts }) => phase.is !== 'waiting' || restarts > 0)
  const isInitialized = hasStarted
  const phase = phaseOf(lives, pod)
  const podIP = hasStarted ? place.podIP : undefined
  return {
    ...pod.status,
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
    phase,
    conditions: podConditions({ lives, facts, phase, hasSandbox: hasStarted && !isFinal(phase), isInitialized }),
    hostIP: place.hostIP,
    hostIPs: [{ ip: place.hostIP }],
    ...(podIP === undefined ? {} : { podIP, podIPs: [{ ip: podIP }] }),
    startTime: pod.status?.startTime ?? formatTime(place.startedMs),
    ...initStatuses(pod, isInitialized, { nowMs, place }),
    containerStatuses: lives.map((life) => containerStatus(life, facts)),
  }
}

/** Whether a status says what another says already: servers write `null` for some times that are not given. */
export function isSameStatus(status: PodStatus, present: PodStatus | undefined): boolean {
  return deepEqual(withoutNulls(status), withoutNulls(present))
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, withoutNulls(member)]),
  )
}

function isFinal(phase: string): boolean {
  return phase === 'Succeeded' || phase === 'Failed'
}

function phaseOf(lives: readonly ContainerLife[], pod: Pod): 'Pending' | 'Running' | 'Succeeded' | 'Failed' {
  if (lives.length > 0 && lives.every((life) => isOver(life, pod))) {
    const hasFailed = lives.some(({ phase }) => phase.is === 'ended' && phase.exitCode !== 0)
    return hasFailed ? 'Failed' : 'Succeeded'
  }
  // A container that waits to be started for the first time keeps the pod pending.
  return lives.some(({ phase, restarts }) => phase.is === 'waiting' && restarts === 0) ? 'Pending' : 'Running'
}

interface ConditionFacts {
  readonly lives: readonly ContainerLife[]
  readonly facts: LifeFacts
  readonly phase: string
  readonly hasSandbox: boolean
  readonly isInitialized: boolean
}

function podConditions({ lives, facts, phase, hasSandbox, isInitialized }: ConditionFacts): readonly PodCondition[] {
  const { pod, nowMs } = facts
  const unready = lives.filter((life) => !isReady(life, facts)).map(({ container }) => container.name)
  const containersReady = readiness(phase, unready)
  const gates = (pod.spec?.readinessGates ?? []).map(({ conditionType }) => conditionType)
  const closed = gates.filter((type) => pod.status?.conditions?.find((condition) => condition.type === type)?.status !== 'True')
  const ready =
    containersReady.status === 'True' && closed.length > 0
      ? {
          status: 'False',
          reason: 'ReadinessGatesNotReady',
          message: closed.map((type) => `corresponding condition of pod readiness gate "${type}" does not exist.`).join(', '),
        }
      : containersReady
  const names = (pod.spec?.initContainers ?? []).map(({ name }) => name)
  const initialized: Verdict =
    isInitialized || names.length === 0
      ? { status: 'True', ...(phase === 'Succeeded' ? { reason: 'PodCompleted' } : {}) }
      : { status: 'False', reason: 'ContainersNotInitialized', message: `containers with incomplete status: [${names.join(' ')}]` }
  const own: readonly (readonly [string, Verdict])[] = [
    ['PodReadyToStartContainers', { status: hasSandbox ? 'True' : 'False' }],
    ['Initialized', initialized],
    ['Ready', ready],
    ['ContainersReady', containersReady],
    ['PodScheduled', { status: 'True' }],
  ]
  const present = pod.status?.conditions ?? []
  const { generation } = pod.metadata
  const reported = own.map(([type, verdict]): PodCondition => {
    const before = present.find((condition) => condition.type === type)
    const lastTransitionTime = (before?.status === verdict.status && before.lastTransitionTime) || formatTime(nowMs)
    return { type, ...(generation === undefined ? {} : { observedGeneration: generation }), ...verdict, lastTransitionTime }
  })
  return [...reported, ...present.filter((condition) => !own.some(([type]) => type === condition.type))]
}

interface Verdict {
  readonly status: string
  readonly reason?: string
  readonly message?: string
}

function readiness(phase: string, unready: readonly string[]): Verdict {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' }
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' }
  if (unready.length === 0) return { status: 'True' }
  return { status: 'False', reason: 'ContainersNotReady', message: `containers with unready status: [${unready.join(' ')}]` }
}

/** Init containers do their work in no time; side cars among them go on running. */
function initStatuses(
  pod: Pod,
  isInitialized: boolean,
  { nowMs, place }: { readonly nowMs: number; readonly place: PodPlace },
): { readonly initContainerStatuses?: readonly ContainerStatus[] } {
  const { initContainers = [] } = pod.spec ?? {}
  if (initContainers.length === 0) return {}
  return {
    initContainerStatuses: initContainers.map((container) => {
      const before = pod.status?.initContainerStatuses?.find(({ name }) => name === container.name)
      if (before?.ready === true) return before
      const image = container.image ?? ''
      const base = { name: container.name, lastState: {}, restartCount: 0, image, imageID: isInitialized ? image : '' }
      if (!isInitialized) return { ...base, state: { waiting: { reason: 'PodInitializing' } }, ready: false, started: false }
      const startedAt = formatTime(place.startedMs)
      if (container.restartPolicy === 'Always') return { ...base, state: { running: { startedAt } }, ready: true, started: true }
      const finishedAt = formatTime(nowMs)
      return { ...base, state: { terminated: { exitCode: 0, reason: 'Completed', startedAt, finishedAt } }, ready: true, started: false }
    }),
  }
}

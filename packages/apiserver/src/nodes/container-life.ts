import { formatTime, parseTime } from 'steersman/api'
import type { Container, ContainerStatus, Pod } from 'steersman/api/types/core/v1'
import { type Behaviours, type DecidedBehaviour, decideBehaviour } from './behaviour.js'

/** Where a container is in its life. Kept in memory; after a restart of this process it is read off the pod's status again. */
export type ContainerPhase =
  | { readonly is: 'waiting'; readonly reason: string; readonly untilMs: number | undefined }
  | { readonly is: 'running'; readonly sinceMs: number }
  | { readonly is: 'ended'; readonly startedMs: number; readonly atMs: number; readonly exitCode: number }

/** A container's life so far. */
export interface ContainerLife {
  readonly container: Container
  readonly phase: ContainerPhase
  readonly restarts: number
  /** How it ended the last time, before the present phase. */
  readonly last: Extract<ContainerPhase, { is: 'ended' }> | undefined
}

const firstBackoffMs = 10_000
const maxBackoffMs = 300_000

/** What a life's continuation depends on. */
export interface LifeFacts {
  readonly pod: Pod
  readonly behaviours: Behaviours | undefined
  readonly nowMs: number
}

/** The life of a container that has not run, starting at a time. */
export function newLife(container: Container, startMs: number): ContainerLife {
  return { container, phase: { is: 'waiting', reason: 'ContainerCreating', untilMs: startMs }, restarts: 0, last: undefined }
}

/** Picks a life up from the status that an earlier process wrote. Times there have whole seconds only. */
export function resumeLife(container: Container, status: ContainerStatus | undefined, startMs: number): ContainerLife {
  const { running, terminated } = status?.state ?? {}
  const restarts = status?.restartCount ?? 0
  const last = endedPhase(status?.lastState?.terminated)
  const sinceMs = parseTime(running?.startedAt)
  if (sinceMs !== undefined) return { container, restarts, last, phase: { is: 'running', sinceMs } }
  const ended = endedPhase(terminated)
  if (ended !== undefined) return { container, restarts, last, phase: ended }
  return { ...newLife(container, startMs), restarts, last }
}

function endedPhase(terminated: NonNullable<ContainerStatus['state']>['terminated']): Extract<ContainerPhase, { is: 'ended' }> | undefined {
  const atMs = parseTime(terminated?.finishedAt)
  if (terminated === undefined || atMs === undefined) return undefined
  const startedMs = parseTime(terminated.startedAt) ?? atMs
  return { is: 'ended', startedMs, atMs, exitCode: terminated.exitCode }
}

/** The life as it is now. Follows as many steps as time has passed. */
export function live(life: ContainerLife, facts: LifeFacts): ContainerLife {
  const behaviour = decideBehaviour(facts.pod, life.container, facts.behaviours)
  let now = life
  // Each step ends later than the one before, or a container that exits at once would restart without end: see `restart`.
  for (let next = step(now, behaviour, facts); next !== undefined; next = step(now, behaviour, facts)) now = next
  return now
}

/** When the life will go on by itself, `undefined`: not. */
export function nextChangeMs({ container, phase, restarts }: ContainerLife, facts: LifeFacts): number | undefined {
  const behaviour = decideBehaviour(facts.pod, container, facts.behaviours)
  if (phase.is === 'waiting') return phase.untilMs
  if (phase.is === 'ended') return restartsAt(phase, restarts, facts.pod)
  const readyMs = phase.sinceMs + behaviour.readyAfterMs
  const exitMs = phase.sinceMs + (behaviour.exitAfterMs ?? Number.POSITIVE_INFINITY)
  const next = readyMs > facts.nowMs ? Math.min(readyMs, exitMs) : exitMs
  return Number.isFinite(next) ? next : undefined
}

function step(life: ContainerLife, behaviour: DecidedBehaviour, { pod, nowMs }: LifeFacts): ContainerLife | undefined {
  const { phase } = life
  if (phase.is === 'waiting') {
    if (phase.untilMs === undefined || phase.untilMs > nowMs) return undefined
    if (behaviour.pullError !== undefined && life.last === undefined)
      return { ...life, phase: { is: 'waiting', reason: behaviour.pullError, untilMs: undefined } }
    return { ...life, phase: { is: 'running', sinceMs: phase.untilMs } }
  }
  if (phase.is === 'running') {
    const atMs = phase.sinceMs + (behaviour.exitAfterMs ?? Number.POSITIVE_INFINITY)
    if (atMs > nowMs) return undefined
    return { ...life, phase: { is: 'ended', startedMs: phase.sinceMs, atMs, exitCode: behaviour.exitCode } }
  }
  const restartMs = restartsAt(phase, life.restarts, pod)
  if (restartMs === undefined) return undefined
  return restart(life, phase, restartMs, nowMs)
}

/** The first restart is at once, later ones wait 10 s, 20 s, … 5 min, seen as CrashLoopBackOff. */
function restart(
  life: ContainerLife,
  ended: Extract<ContainerPhase, { is: 'ended' }>,
  restartMs: number,
  nowMs: number,
): ContainerLife | undefined {
  const restarted: ContainerLife = { ...life, restarts: life.restarts + 1, last: ended, phase: { is: 'running', sinceMs: restartMs } }
  return restartMs > nowMs ? undefined : restarted
}

function restartsAt({ atMs, exitCode }: Extract<ContainerPhase, { is: 'ended' }>, restarts: number, pod: Pod): number | undefined {
  const policy = pod.spec?.restartPolicy ?? 'Always'
  if (policy === 'Never' || (policy === 'OnFailure' && exitCode === 0)) return undefined
  return atMs + (restarts === 0 ? 0 : Math.min(maxBackoffMs, firstBackoffMs * 2 ** (restarts - 1)))
}

/** Whether it runs and serves. */
export function isReady({ container, phase }: ContainerLife, facts: LifeFacts): boolean {
  if (phase.is !== 'running') return false
  return phase.sinceMs + decideBehaviour(facts.pod, container, facts.behaviours).readyAfterMs <= facts.nowMs
}

/** Whether it has ended and will not run again. */
export function isOver({ phase, restarts }: ContainerLife, pod: Pod): boolean {
  return phase.is === 'ended' && restartsAt(phase, restarts, pod) === undefined
}

/** The status that a kubelet reports of it. */
export function containerStatus(life: ContainerLife, facts: LifeFacts): ContainerStatus {
  const { container, phase, restarts, last } = life
  const image = container.image ?? ''
  const isStarted = phase.is !== 'waiting' || restarts > 0
  return {
    name: container.name,
    state: stateOf(life, facts),
    lastState: last === undefined ? {} : { terminated: terminatedState(last, containerId(facts.pod, container, restarts - 1)) },
    ready: isReady(life, facts),
    restartCount: restarts,
    image,
    imageID: isStarted ? `${image}@sha256:${digest(image)}` : '',
    ...(isStarted ? { containerID: containerId(facts.pod, container, restarts) } : {}),
    started: phase.is === 'running',
  }
}

function stateOf({ container, phase, restarts }: ContainerLife, { pod }: LifeFacts): NonNullable<ContainerStatus['state']> {
  if (phase.is === 'running') return { running: { startedAt: formatTime(phase.sinceMs) } }
  if (phase.is === 'ended') {
    const restartMs = restartsAt(phase, restarts, pod)
    if (restartMs === undefined) return { terminated: terminatedState(phase, containerId(pod, container, restarts)) }
    const { name, namespace, uid } = pod.metadata
    const seconds = Math.round((restartMs - phase.atMs) / 1000)
    const message = `back-off ${durationText(seconds)} restarting failed container=${container.name} pod=${name}_${namespace}(${uid})`
    return { waiting: { reason: 'CrashLoopBackOff', message } }
  }
  if (phase.reason === 'ContainerCreating') return { waiting: { reason: phase.reason } }
  return { waiting: { reason: phase.reason, message: `failed to pull image "${container.image}"` } }
}

function terminatedState({ startedMs, atMs, exitCode }: Extract<ContainerPhase, { is: 'ended' }>, containerID: string) {
  return {
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    startedAt: formatTime(startedMs),
    finishedAt: formatTime(atMs),
    containerID,
  }
}

/** `10s`, `2m40s`, `5m0s`. */
function durationText(seconds: number): string {
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`
}

function containerId(pod: Pod, container: Container, restarts: number): string {
  return `simulated://${digest(`${pod.metadata.uid}/${container.name}/${Math.max(0, restarts)}`)}`
}

/** 64 hexadecimal digits that are the same for the same text (not cryptographic: nothing depends on it). */
function digest(text: string): string {
  let digits = ''
  for (let part = 0; part < 8; part += 1) {
    let hash = 0x811c9dc5 ^ Math.imul(part + 1, 0x9e3779b1)
    for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
    digits += ((hash ^ (hash >>> 13)) >>> 0).toString(16).padStart(8, '0')
  }
  return digits
}

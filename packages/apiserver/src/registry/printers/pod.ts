import type { UnstructuredObject } from 'steersman/api'
import { ageOf } from './human-duration.js'
import {
  ageColumn,
  at,
  column,
  listAt,
  nameColumn,
  numberAt,
  objectAge,
  type TablePrinter,
  type TableRowCondition,
  textAt,
  wideColumn,
} from './printer.js'

const succeeded: readonly TableRowCondition[] = [
  { type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' },
]
const failed: readonly TableRowCondition[] = [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }]

export const podPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Ready', 'string', 'Ready and all containers.'),
    column('Status', 'string', 'What the pod is doing, or what keeps it from doing it.'),
    column('Restarts', 'string', 'How often containers were restarted, and when last.'),
    ageColumn,
    wideColumn('IP', 'string', 'The address of the pod.'),
    wideColumn('Node', 'string', 'The node that the pod runs on.'),
    wideColumn('Nominated Node', 'string', 'The node that is being freed for the pod.'),
    wideColumn('Readiness Gates', 'string', 'Readiness gates that are open, of all.'),
  ],
  cells: (pod, nowMs) => {
    const summary = summarize(pod)
    const { restarts, lastRestart } = summary
    return [
      pod.metadata.name,
      `${summary.ready}/${summary.total}`,
      statusOf(pod, summary.reason),
      restarts !== 0 && lastRestart !== '' ? `${restarts} (${ageOf(lastRestart, nowMs)} ago)` : String(restarts),
      objectAge(pod, nowMs),
      textAt(pod, 'status', 'podIPs', 0, 'ip') || '<none>',
      textAt(pod, 'spec', 'nodeName') || '<none>',
      textAt(pod, 'status', 'nominatedNodeName') || '<none>',
      readinessGates(pod),
    ]
  },
  conditions: (pod) => {
    const phase = textAt(pod, 'status', 'phase')
    return phase === 'Succeeded' ? succeeded : phase === 'Failed' ? failed : undefined
  },
}

/** What the statuses of the containers add up to. */
interface PodSummary {
  ready: number
  total: number
  restarts: number
  /** RFC 3339; empty when nothing was restarted. */
  lastRestart: string
  reason: string
}

// An init container that is restarted always is a sidecar: it runs beside the containers, and counts as one of them.
function summarize(pod: UnstructuredObject): PodSummary {
  const sidecars = new Set(
    listAt(pod, 'spec', 'initContainers')
      .filter((container) => textAt(container, 'restartPolicy') === 'Always')
      .map((container) => textAt(container, 'name')),
  )
  const summary: PodSummary = {
    ready: 0,
    total: listAt(pod, 'spec', 'containers').length + sidecars.size,
    restarts: 0,
    lastRestart: '',
    reason: initialReason(pod),
  }
  const sidecarRestarts = { restarts: 0, lastRestart: '' }
  const initializing = addInitContainers(pod, sidecars, summary, sidecarRestarts)
  if (initializing && !isInitialized(pod)) return summary
  // Once initialized, restarts of finished init containers no longer count.
  Object.assign(summary, sidecarRestarts)
  addContainers(pod, summary)
  return summary
}

function initialReason(pod: UnstructuredObject): string {
  const gated = listAt(pod, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === 'PodScheduled' && textAt(condition, 'reason') === 'SchedulingGated',
  )
  return gated ? 'SchedulingGated' : textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase')
}

function addRestarts(counter: { restarts: number; lastRestart: string }, status: unknown): void {
  counter.restarts += numberAt(status, 'restartCount')
  const finished = textAt(status, 'lastState', 'terminated', 'finishedAt')
  if (finished > counter.lastRestart) counter.lastRestart = finished
}

/** Returns whether an init container is still to finish; the first such one gives the reason. */
function addInitContainers(
  pod: UnstructuredObject,
  sidecars: ReadonlySet<string>,
  summary: PodSummary,
  sidecarRestarts: { restarts: number; lastRestart: string },
): boolean {
  for (const [index, status] of listAt(pod, 'status', 'initContainerStatuses').entries()) {
    const isSidecar = sidecars.has(textAt(status, 'name'))
    addRestarts(summary, status)
    if (isSidecar) addRestarts(sidecarRestarts, status)
    const terminated = at(status, 'state', 'terminated')
    if (terminated !== undefined && numberAt(terminated, 'exitCode') === 0) continue
    if (isSidecar && at(status, 'started') === true) {
      if (at(status, 'ready') === true) summary.ready++
      continue
    }
    const waiting = textAt(status, 'state', 'waiting', 'reason')
    if (terminated !== undefined) summary.reason = `Init:${terminationReason(terminated)}`
    else if (waiting !== '' && waiting !== 'PodInitializing') summary.reason = `Init:${waiting}`
    else summary.reason = `Init:${index}/${listAt(pod, 'spec', 'initContainers').length}`
    return true
  }
  return false
}

function terminationReason(terminated: unknown): string {
  const reason = textAt(terminated, 'reason')
  if (reason !== '') return reason
  const signal = numberAt(terminated, 'signal')
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode')}` : `Signal:${signal}`
}

// From the last container to the first, so that the first one with something to say has the last word.
function addContainers(pod: UnstructuredObject, summary: PodSummary): void {
  let hasRunning = false
  let errorReason = ''
  for (const status of [...listAt(pod, 'status', 'containerStatuses')].reverse()) {
    addRestarts(summary, status)
    const waiting = textAt(status, 'state', 'waiting', 'reason')
    const terminated = at(status, 'state', 'terminated')
    if (waiting !== '') summary.reason = waiting
    else if (terminated !== undefined) {
      summary.reason = terminationReason(terminated)
      if (numberAt(terminated, 'exitCode') !== 0) errorReason = summary.reason
    } else if (at(status, 'ready') === true && at(status, 'state', 'running') !== undefined) {
      hasRunning = true
      summary.ready++
    }
  }
  if (summary.reason !== 'Completed') return
  if (hasRunning && hasCondition(pod, 'Ready')) summary.reason = 'Running'
  else if (errorReason !== '') summary.reason = errorReason
  else if (hasRunning) summary.reason = 'NotReady'
}

function statusOf(pod: UnstructuredObject, reason: string): string {
  if (pod.metadata.deletionTimestamp === undefined) return reason
  if (textAt(pod, 'status', 'reason') === 'NodeLost') return 'Unknown'
  const phase = textAt(pod, 'status', 'phase')
  return phase === 'Succeeded' || phase === 'Failed' ? reason : 'Terminating'
}

function hasCondition(pod: UnstructuredObject, type: string): boolean {
  return listAt(pod, 'status', 'conditions').some((one) => textAt(one, 'type') === type && textAt(one, 'status') === 'True')
}

function isInitialized(pod: UnstructuredObject): boolean {
  const condition = listAt(pod, 'status', 'conditions').find((one) => textAt(one, 'type') === 'Initialized')
  return textAt(condition, 'status') === 'True'
}

function readinessGates(pod: UnstructuredObject): string {
  const gates = listAt(pod, 'spec', 'readinessGates')
  if (gates.length === 0) return '<none>'
  const conditions = listAt(pod, 'status', 'conditions')
  const open = gates.filter((gate) => {
    const condition = conditions.find((one) => textAt(one, 'type') === textAt(gate, 'conditionType'))
    return textAt(condition, 'status') === 'True'
  })
  return `${open.length}/${gates.length}`
}

import type { UnstructuredObject } from 'steersman/api'
import { humanDuration } from './human-duration.js'
import { podCells, podColumns } from './pod-owner.js'
import { ageColumn, at, column, listAt, nameColumn, numberAt, objectAge, type TablePrinter, textAt } from './printer.js'

export const jobPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Status', 'string', 'What became of the job so far.'),
    column('Completions', 'string', 'Pods that succeeded, of those that should.'),
    column('Duration', 'string', 'How long the job took, or takes until now.'),
    ageColumn,
    ...podColumns('the job'),
  ],
  cells: (job, nowMs) => [
    job.metadata.name,
    statusOf(job),
    completionsOf(job),
    durationOf(job, nowMs),
    objectAge(job, nowMs),
    ...podCells(job),
  ],
}

function completionsOf(job: UnstructuredObject): string {
  const succeeded = numberAt(job, 'status', 'succeeded')
  const completions = at(job, 'spec', 'completions')
  if (typeof completions === 'number') return `${succeeded}/${completions}`
  const parallelism = numberAt(job, 'spec', 'parallelism')
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function durationOf(job: UnstructuredObject, nowMs: number): string {
  const started = Date.parse(textAt(job, 'status', 'startTime'))
  if (Number.isNaN(started)) return ''
  const completed = Date.parse(textAt(job, 'status', 'completionTime'))
  return humanDuration((Number.isNaN(completed) ? nowMs : completed) - started)
}

function statusOf(job: UnstructuredObject): string {
  const conditions = listAt(job, 'status', 'conditions').filter((condition) => textAt(condition, 'status') === 'True')
  const has = (type: string) => conditions.some((condition) => textAt(condition, 'type') === type)
  if (has('Complete')) return 'Complete'
  if (has('Failed')) return 'Failed'
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating'
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running'
}

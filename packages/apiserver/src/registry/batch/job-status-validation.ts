import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath } from 'steersman/api'
import type { Job, JobStatus } from 'steersman/api/types/batch/v1'
import { deepEqual } from 'steersman/internal'
import { validateCounters } from '../shared/status-counters.js'
import { withStructValue } from '../shared/struct-value.js'
import { countIndexes, overlapProblem } from './indexes.js'

const path = fieldPath('status')
const conditionsPath = path.child('conditions')

/** A job and what changes in it: a rule that was broken before does not stand in the way of other changes. */
interface Change {
  readonly job: Job
  readonly old: Job
  readonly status: JobStatus
  readonly before: JobStatus
  readonly isFinished: boolean
  /** Whether a condition is true, now and before. */
  is(type: string): boolean
  was(type: string): boolean
  changed(...fields: readonly (keyof JobStatus)[]): boolean
  changedConditions(...types: readonly string[]): boolean
  readonly finishes: boolean
}

/** What is wrong with the status of a job as a successor of what it was. */
export function validateJobStatus(job: Job, old: Job): FieldError[] {
  const change = changeOf(job, old)
  return [
    ...validateCounters(change.status, ['active', 'succeeded', 'failed', 'ready', 'terminating'], path),
    ...validateUncounted(change),
    ...validateCompletion(change),
    ...validateFinished(change),
    ...validateIndexes(change),
    ...validatePods(change),
    ...validateSuccess(change),
    ...validateSteps(change),
  ]
}

function changeOf(job: Job, old: Job): Change {
  const status = job.status ?? {}
  const before = old.status ?? {}
  const hasCondition = ({ conditions = [] }: JobStatus, type: string) =>
    conditions.some((condition) => condition.type === type && condition.status === 'True')
  const is = (type: string) => hasCondition(status, type)
  const was = (type: string) => hasCondition(before, type)
  const isFinished = is('Complete') || is('Failed')
  return {
    job,
    old,
    status,
    before,
    isFinished,
    is,
    was,
    changed: (...fields) => fields.some((field) => !deepEqual(status[field], before[field])),
    changedConditions: (...types) => types.some((type) => is(type) !== was(type)),
    finishes: isFinished !== (was('Complete') || was('Failed')),
  }
}

function validateUncounted({ status }: Change): FieldError[] {
  const at = path.child('uncountedTerminatedPods')
  const seen = new Set<string>()
  return (['succeeded', 'failed'] as const).flatMap((field) =>
    (status.uncountedTerminatedPods?.[field] ?? []).flatMap((uid, index) => {
      const item = at.child(field).index(index)
      if (uid === '') return [fieldError.invalid(item, uid, 'must not be empty')]
      if (seen.has(uid)) return [fieldError.duplicate(item, uid)]
      seen.add(uid)
      return []
    }),
  )
}

function refuseConditions(detail: string): FieldError {
  return fieldError.invalid(conditionsPath, undefined, detail)
}

function validateCompletion({ status, is, changed, changedConditions }: Change): FieldError[] {
  const { startTime, completionTime } = status
  const at = path.child('completionTime')
  const errors: FieldError[] = []
  if (changedConditions('Complete', 'Failed') && is('Complete') && is('Failed')) {
    errors.push(refuseConditions('cannot set Complete=True and Failed=true conditions'))
  }
  if (changedConditions('Complete', 'FailureTarget') && is('Complete') && is('FailureTarget')) {
    errors.push(refuseConditions('cannot set Complete=True and FailureTarget=true conditions'))
  }
  if (changedConditions('Complete') || changed('completionTime')) {
    if (completionTime !== undefined && !is('Complete')) {
      errors.push(fieldError.invalid(at, completionTime, 'cannot set completionTime when there is no Complete=True condition'))
    }
    if (completionTime === undefined && is('Complete')) errors.push(fieldError.required(at, 'completionTime is required for Complete jobs'))
  }
  const isTold = startTime !== undefined && completionTime !== undefined && changed('startTime', 'completionTime')
  if (isTold && Date.parse(completionTime) < Date.parse(startTime)) {
    errors.push(fieldError.invalid(at, completionTime, 'must be equal to or after `startTime`'))
  }
  if ((changedConditions('Failed') || changed('failedIndexes')) && is('Failed') && !is('FailureTarget')) {
    errors.push(refuseConditions('cannot set Failed=True condition without the FailureTarget=true condition'))
  }
  if (changedConditions('Complete', 'SuccessCriteriaMet') && is('Complete') && !is('SuccessCriteriaMet')) {
    errors.push(refuseConditions('cannot set Complete=True condition without the SuccessCriteriaMet=true condition'))
  }
  return errors
}

function validateFinished({ job, status, isFinished, finishes, changed }: Change): FieldError[] {
  if (!isFinished) return []
  const errors: FieldError[] = []
  if ((finishes || changed('active')) && (status.active ?? 0) > 0) {
    errors.push(fieldError.invalid(path.child('active'), status.active, 'active>0 is invalid for finished job'))
  }
  const neverRuns = job.spec?.suspend === true && job.spec.completions === 0
  if ((finishes || changed('startTime')) && !neverRuns && status.startTime === undefined) {
    errors.push(fieldError.required(path.child('startTime'), 'startTime is required for finished job'))
  }
  const { uncountedTerminatedPods: uncounted } = status
  const isUncounted = (uncounted?.succeeded ?? []).length + (uncounted?.failed ?? []).length > 0
  if ((finishes || changed('uncountedTerminatedPods')) && isUncounted) {
    // Members of this struct have no JSON names inside the server.
    const error = fieldError.invalid(path.child('uncountedTerminatedPods'), undefined, 'must be empty for finished job')
    errors.push(withStructValue(error, { Succeeded: uncounted?.succeeded ?? null, Failed: uncounted?.failed ?? null }))
  }
  return errors
}

function validateIndexes({ job, status, changed }: Change): FieldError[] {
  const { completedIndexes = '', failedIndexes } = status
  const { completions, backoffLimitPerIndex, completionMode } = job.spec ?? {}
  const completedPath = path.child('completedIndexes')
  const failedPath = path.child('failedIndexes')
  const errors: FieldError[] = []
  const check = (text: string, name: string, at = path.child(name)) => {
    const counted = countIndexes(text, completions ?? 0)
    if (typeof counted === 'string') errors.push(fieldError.invalid(at, text, `error parsing ${name}: ${counted}`))
  }
  const completedChanged = changed('completedIndexes')
  const failedChanged = changed('failedIndexes')
  if (completedChanged && completions !== undefined) check(completedIndexes, 'completedIndexes')
  if (failedChanged && completions !== undefined && backoffLimitPerIndex !== undefined && failedIndexes !== undefined) {
    check(failedIndexes, 'failedIndexes')
  }
  if (completedChanged && completedIndexes !== '' && completionMode !== 'Indexed') {
    const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode'
    errors.push(fieldError.invalid(completedPath, completedIndexes, detail))
  }
  if (failedIndexes === undefined) return errors
  if (failedChanged && backoffLimitPerIndex === undefined) {
    errors.push(fieldError.invalid(failedPath, failedIndexes, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'))
  }
  if ((completedChanged || failedChanged) && completions !== undefined) {
    const problem = overlapProblem(completedIndexes, failedIndexes, completions)
    if (problem !== undefined) errors.push(fieldError.invalid(failedPath, failedIndexes, problem))
  }
  return errors
}

function validatePods({ status, isFinished, finishes, changed }: Change): FieldError[] {
  const { active = 0, ready, terminating } = status
  const errors: FieldError[] = []
  if (isFinished && (finishes || changed('terminating')) && (terminating ?? 0) > 0) {
    errors.push(fieldError.invalid(path.child('terminating'), terminating, 'terminating>0 is invalid for finished job'))
  }
  if (changed('ready', 'active') && ready !== undefined && ready > active) {
    errors.push(fieldError.invalid(path.child('ready'), ready, 'cannot set more ready pods than active'))
  }
  return errors
}

function validateSuccess({ job, is }: Change): FieldError[] {
  const errors: FieldError[] = []
  if (is('SuccessCriteriaMet')) {
    if (is('Failed')) errors.push(refuseConditions('cannot set SuccessCriteriaMet=True and Failed=true conditions'))
    if (is('FailureTarget')) errors.push(refuseConditions('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'))
  } else if (job.spec?.successPolicy !== undefined && is('Complete')) {
    errors.push(refuseConditions('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True'))
  }
  return errors
}

/** What a job may not go back on. */
function validateSteps(change: Change): FieldError[] {
  const { job, status, before, is, was } = change
  const errors = ['Failed', 'Complete', 'FailureTarget']
    .filter((type) => was(type) && !is(type))
    .map((type) => refuseConditions(`cannot disable the terminal ${type}=True condition`))
  if ((status.failed ?? 0) < (before.failed ?? 0)) {
    errors.push(fieldError.invalid(path.child('failed'), status.failed ?? 0, 'cannot decrease the failed counter'))
  }
  const { completionMode, completions, parallelism } = job.spec ?? {}
  const mayShrink = completionMode === 'Indexed' && completions === parallelism
  if (!mayShrink && (status.succeeded ?? 0) < (before.succeeded ?? 0)) {
    errors.push(fieldError.invalid(path.child('succeeded'), status.succeeded ?? 0, 'cannot decrease the succeeded counter'))
  }
  errors.push(...validateTimes(change))
  if (was('SuccessCriteriaMet') && !is('SuccessCriteriaMet')) {
    errors.push(refuseConditions('cannot disable the SuccessCriteriaMet=True condition'))
  }
  if (was('Complete') && !was('SuccessCriteriaMet') && is('SuccessCriteriaMet')) {
    errors.push(refuseConditions('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions'))
  }
  return errors
}

function validateTimes({ job, status, before, was, changed }: Change): FieldError[] {
  const errors: FieldError[] = []
  if (status.completionTime !== undefined && before.completionTime !== undefined && changed('completionTime')) {
    errors.push(fieldError.invalid(path.child('completionTime'), status.completionTime, 'field is immutable'))
  }
  const isResuming =
    was('Suspended') && (status.conditions ?? []).some((condition) => condition.type === 'Suspended' && condition.status === 'False')
  if (changed('startTime') && !isResuming && before.startTime !== undefined && job.spec?.suspend !== true) {
    const detail = 'field is immutable for unsuspended job once set'
    errors.push(fieldError.invalid(path.child('startTime'), status.startTime ?? null, detail))
  }
  return errors
}

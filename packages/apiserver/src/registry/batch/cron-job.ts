import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain } from 'steersman/api'
import type { CronJobSpec, JobSpec } from 'steersman/api/types/batch/v1'
import { CronJob } from 'steersman/api/types/batch/v1'
import { deepEqual } from 'steersman/internal'
import { dropDisabledPodFields } from '../shared/disabled-pod-fields.js'
import { warnOfNameInPods } from '../shared/name-warning.js'
import { validateNonNegative } from '../shared/number-errors.js'
import { defineKind } from '../strategy.js'
import { isTimeZone, scheduleProblem } from './cron-schedule.js'
import { defaultJobTemplate, warnOfJobSpec } from './job.js'
import { validateJobSpec } from './job-validation.js'

const specPath = fieldPath('spec')
const jobPath = specPath.child('jobTemplate', 'spec')
const longestName = 52
const concurrencyPolicies = ['Allow', 'Forbid', 'Replace']

/** CronJobs. */
export const cronJobKind = defineKind(CronJob, {
  validateName: validateDns1123Subdomain,
  default(cronJob) {
    cronJob.spec ??= {} as NonNullable<typeof cronJob.spec>
    const { spec } = cronJob
    spec.concurrencyPolicy ||= 'Allow'
    spec.suspend ??= false
    spec.successfulJobsHistoryLimit ??= 3
    spec.failedJobsHistoryLimit ??= 1
    spec.jobTemplate ??= {}
    spec.jobTemplate.spec ??= {} as NonNullable<typeof spec.jobTemplate.spec>
    defaultJobTemplate(spec.jobTemplate.spec)
  },
  dropDisabledFields: ({ spec }) => dropDisabledPodFields(spec?.jobTemplate?.spec?.template),
  validate: ({ metadata, spec }) => [
    ...validateSpec(spec, undefined),
    // Jobs get a suffix of 11 characters, and their names have at most 63.
    ...((metadata.name ?? '').length > longestName
      ? [fieldError.invalid('metadata.name', metadata.name, `must be no more than ${longestName} characters`)]
      : []),
  ],
  validateUpdate: ({ spec }, old) => validateSpec(spec, old.spec),
  changesGeneration: ({ spec }, old) => !deepEqual(spec, old.spec),
  warn({ metadata, spec }, warn, old) {
    if (old === undefined) warnOfNameInPods(metadata.name, warn)
    if (metadata.generation !== old?.metadata.generation) warnOfJobSpec(spec?.jobTemplate?.spec, jobPath, warn)
    if (old === undefined || !spec?.schedule?.includes('TZ')) return
    const more = 'see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details'
    // The path is as wrong as that of the real server.
    warn(`cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, ${more}`)
  },
  status: { initial: () => ({}) },
})

function validateSpec(spec: CronJobSpec | undefined, old: CronJobSpec | undefined): FieldError[] {
  const { schedule = '', timeZone, concurrencyPolicy = '', jobTemplate } = spec ?? {}
  const errors: FieldError[] = []
  if (schedule !== '') errors.push(...validateSchedule(schedule, timeZone, old?.schedule?.includes('TZ') === true))
  errors.push(...validateNonNegative(spec?.startingDeadlineSeconds, specPath.child('startingDeadlineSeconds')))
  if (timeZone !== undefined && timeZone !== old?.timeZone) errors.push(...validateTimeZone(timeZone))
  if (!concurrencyPolicies.includes(concurrencyPolicy)) {
    errors.push(fieldError.notSupported(specPath.child('concurrencyPolicy'), concurrencyPolicy, concurrencyPolicies))
  }
  errors.push(...validateJobSpec(jobTemplate?.spec ?? ({} as JobSpec), jobPath))
  const { selector, manualSelector } = jobTemplate?.spec ?? {}
  if (selector !== undefined) errors.push(fieldError.invalid(jobPath.child('selector'), selector, '`selector` will be auto-generated'))
  if (manualSelector === true) errors.push(fieldError.notSupported(jobPath.child('manualSelector'), true, ['nil', 'false']))
  for (const field of ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit'] as const) {
    errors.push(...validateNonNegative(spec?.[field], specPath.child(field)))
  }
  // A missing schedule is noticed only after all else.
  return schedule === '' ? [...errors, fieldError.required(specPath.child('schedule'))] : errors
}

function validateSchedule(schedule: string, timeZone: string | undefined, mayNameZone: boolean): FieldError[] {
  const path = specPath.child('schedule')
  const problem = scheduleProblem(schedule)
  const errors = problem === undefined ? [] : [fieldError.invalid(path, schedule, problem)]
  if (!schedule.includes('TZ')) return errors
  if (!mayNameZone) errors.push(fieldError.invalid(path, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'))
  else if (timeZone !== undefined) {
    errors.push(fieldError.invalid(path, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'))
  }
  return errors
}

function validateTimeZone(timeZone: string): FieldError[] {
  const refuse = (detail: string) => [fieldError.invalid(specPath.child('timeZone'), timeZone, detail)]
  if (timeZone === '') return refuse('timeZone must be nil or non-empty string')
  const isName = timeZone.split('/').every((part) => /^[A-Za-z._0-9+-]{1,14}$/.test(part) && !/^(?:\.|\.\.|-.*)$/.test(part))
  if (!isName) return refuse(`unknown time zone ${timeZone}`)
  const errors: FieldError[] = []
  if (timeZone.toLowerCase() === 'local') {
    errors.push(...refuse('timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'))
  }
  if (!isTimeZone(timeZone)) errors.push(...refuse(`unknown time zone ${timeZone}`))
  return errors
}

import type { Draft, FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, goQuote, validateDns1123Subdomain } from 'steersman/api'
import type { JobSpec } from 'steersman/api/types/batch/v1'
import { Job } from 'steersman/api/types/batch/v1'
import { deepEqual } from 'steersman/internal'
import { dropDisabledPodFields } from '../shared/disabled-pod-fields.js'
import { selects, validateLabelSelector } from '../shared/label-selector.js'
import { warnOfNameInPods } from '../shared/name-warning.js'
import { defaultPodTemplate, takeTemplateLabels } from '../shared/pod-template.js'
import { warnOfPod } from '../shared/pod-warnings.js'
import { defineKind } from '../strategy.js'
import { validateJobStatus } from './job-status-validation.js'
import { validateJobChanges, validateJobSpec, validateNameForPods } from './job-validation.js'

const specPath = fieldPath('spec')
const namePath = fieldPath('metadata', 'name')
const maxInt32 = 2_147_483_647

const controllerUid = 'controller-uid'
const jobName = 'job-name'
const prefix = 'batch.kubernetes.io/'

/** Jobs: unless they say otherwise, the server makes their selector and labels their pods. */
export const jobKind = defineKind(Job, {
  validateName: validateDns1123Subdomain,
  default(job) {
    job.spec ??= {} as NonNullable<typeof job.spec>
    const { spec } = job
    if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1
    spec.parallelism ??= 1
    spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : maxInt32
    takeTemplateLabels(job)
    spec.completionMode ??= 'NonIndexed'
    spec.suspend ??= false
    spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed'
    spec.manualSelector ??= false
    defaultJobTemplate(spec)
  },
  dropDisabledFields: ({ spec }) => dropDisabledPodFields(spec?.template),
  prepareForCreate(job) {
    if (job.spec?.manualSelector === true) return
    const { labels = {} } = job.metadata
    // Who has the labels of the template has those that are added to it as well.
    const hasTemplateLabels = deepEqual(labels, job.spec?.template?.metadata?.labels ?? {})
    selectPodsOf(job)
    if (hasTemplateLabels) job.metadata.labels = { ...job.spec?.template?.metadata?.labels }
  },
  validate: (job) => [...validateGeneratedSelector(job), ...validateSpec(job.spec), ...validateNameForPods(job, namePath)],
  validateUpdate: (job, old) => [
    ...validateSpec(job.spec),
    ...validateJobChanges(job.spec ?? ({} as JobSpec), old, specPath),
    ...validateNameForPods(job, namePath),
  ],
  changesGeneration: ({ spec }, old) => !deepEqual(spec, old.spec),
  warn({ metadata, spec }, warn, old) {
    if (old === undefined) warnOfNameInPods(metadata.name, warn)
    if (metadata.generation !== old?.metadata.generation) warnOfJobSpec(spec, specPath, warn)
  },
  selectableFields: { 'status.successful': ({ status }) => String(status?.succeeded ?? 0) },
  unknownField: (field) => `field label ${goQuote(field)} not supported for Job`,
  status: { initial: () => ({}), prepareForUpdate: takeTemplateLabels, validateUpdate: validateJobStatus },
  deletion: {
    orphansByDefault: true,
    warningWithoutPolicy:
      'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  },
})

/** Fills in the template of a job, its rules about failures included, and drops what only a feature that is off would read. */
export function defaultJobTemplate(spec: Draft<JobSpec>): void {
  delete spec.scheduling
  spec.template ??= {}
  defaultPodTemplate(spec.template)
  for (const rule of spec.podFailurePolicy?.rules ?? []) for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True'
}

/** Says what is right in a job, but hardly meant. `path`: where the spec is. */
export function warnOfJobSpec(spec: JobSpec | undefined, path: FieldPath, warn: (text: string) => void): void {
  const { completionMode, completions = 0, parallelism = 0 } = spec ?? {}
  if (completionMode === 'Indexed' && completions > 100_000 && parallelism > 10_000) {
    warn(
      `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
    )
  }
  warnOfPod(spec?.template ?? {}, path.child('template'), warn)
}

function selectPodsOf(job: Draft<Job>): void {
  job.spec ??= {} as NonNullable<typeof job.spec>
  const { metadata, spec } = job
  spec.template ??= {}
  spec.template.metadata ??= {}
  const given = spec.template.metadata.labels
  const names = { [jobName]: metadata.name ?? '', [prefix + jobName]: metadata.name ?? '' }
  const uids = { [controllerUid]: metadata.uid ?? '', [prefix + controllerUid]: metadata.uid ?? '' }
  spec.template.metadata.labels = { ...names, ...uids, ...given }
  spec.selector ??= {}
  spec.selector.matchLabels = { [prefix + controllerUid]: metadata.uid ?? '', ...spec.selector.matchLabels }
}

function validateGeneratedSelector({ metadata, spec }: Job): FieldError[] {
  if (spec?.manualSelector === true || spec?.selector === undefined) return []
  const path = specPath.child('template', 'metadata', 'labels')
  const labels = spec.template?.metadata?.labels ?? {}
  const { uid = '', name = '' } = metadata
  const expected = {
    [controllerUid]: uid,
    [jobName]: name,
    [prefix + controllerUid]: uid,
    [prefix + jobName]: name,
  }
  const errors = Object.entries(expected)
    .filter(([key, value]) => labels[key] !== value)
    .map(([key, value]) => fieldError.invalid(path.key(key), labels, `must be '${value}'`))
  if (validateLabelSelector(spec.selector, specPath).length === 0 && !selects(spec.selector, expected)) {
    errors.push(fieldError.invalid(specPath.child('selector'), spec.selector, '`selector` not auto-generated'))
  }
  return errors
}

function validateSpec(spec: JobSpec | undefined): FieldError[] {
  const { selector, template } = spec ?? {}
  const path = specPath.child('selector')
  const selectorErrors = selector === undefined ? [fieldError.required(path)] : validateLabelSelector(selector, path)
  const errors = [...validateJobSpec(spec ?? ({} as JobSpec), specPath), ...selectorErrors]
  const labels = template?.metadata?.labels
  const isReadable = selector === undefined || selectorErrors.length === 0
  if (isReadable && !selects(selector, labels)) {
    const at = specPath.child('template', 'metadata', 'labels')
    errors.push(fieldError.invalid(at, labels ?? null, '`selector` does not match template `labels`'))
  }
  return errors
}

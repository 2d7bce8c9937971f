import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, validateDns1123Label } from 'steersman/api'
import type { Job, JobSpec, SuccessPolicyRule } from 'steersman/api/types/batch/v1'
import { immutableMessage, validateImmutable } from '../metadata.js'
import { validateDomainPrefixedPath } from '../shared/domain-prefixed-path.js'
import { goForm } from '../shared/go-form.js'
import { validateNonNegative } from '../shared/number-errors.js'
import { validatePodTemplate } from '../shared/pod-validation.js'
import { isSameValue } from '../shared/same-value.js'
import { withStructValue } from '../shared/struct-value.js'
import { countIndexes } from './indexes.js'
import { validateFailurePolicy } from './pod-failure-policy.js'

const mostIndexedParallelism = 100_000
const mostFailedIndexes = 100_000
const manyCompletions = 100_000
const mostParallelismOfMany = 10_000
const mostFailedIndexesOfMany = 10_000
const longestManager = 63
const mostSuccessRules = 20
const longestIndexes = 64 * 1024

/** What is wrong with what a job should do, beside its selector. */
export function validateJobSpec(spec: JobSpec, path: FieldPath): FieldError[] {
  return [
    ...validateCounts(spec, path),
    ...validateManagedBy(spec.managedBy, path.child('managedBy')),
    ...validateCompletionMode(spec, path),
    ...(spec.podFailurePolicy === undefined ? [] : validateFailurePolicy(spec, path.child('podFailurePolicy'))),
    ...validateSuccessPolicy(spec, path.child('successPolicy')),
    ...validateReplacement(spec, path.child('podReplacementPolicy')),
    ...validatePodTemplate(spec.template ?? {}, path.child('template')),
    ...validateRestartPolicy(spec, path.child('template', 'spec', 'restartPolicy')),
  ]
}

function validateCounts(spec: JobSpec, path: FieldPath): FieldError[] {
  const fields = [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ] as const
  const errors = fields.flatMap((field) => validateNonNegative(spec[field], path.child(field)))
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    errors.push(fieldError.required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified'))
  }
  return errors
}

function validateManagedBy(managedBy: string | undefined, path: FieldPath): FieldError[] {
  if (managedBy === undefined) return []
  const errors = validateDomainPrefixedPath(managedBy, path)
  if (managedBy.length > longestManager) errors.push(fieldError.tooLong(path, longestManager))
  return errors
}

function validateCompletionMode(spec: JobSpec, path: FieldPath): FieldError[] {
  const mode = spec.completionMode ?? 'NonIndexed'
  if (mode === 'Indexed') return validateIndexed(spec, path)
  if (mode !== 'NonIndexed') return [fieldError.notSupported(path.child('completionMode'), mode, ['NonIndexed', 'Indexed'])]
  return (['backoffLimitPerIndex', 'maxFailedIndexes'] as const)
    .filter((field) => spec[field] !== undefined)
    .map((field) => fieldError.invalid(path.child(field), spec[field], 'requires indexed completion mode'))
}

function validateIndexed(spec: JobSpec, path: FieldPath): FieldError[] {
  const { completions, parallelism = 0, maxFailedIndexes, backoffLimitPerIndex } = spec
  const errors: FieldError[] = []
  const tooMany = (field: 'parallelism' | 'maxFailedIndexes', detail: string) =>
    errors.push(fieldError.invalid(path.child(field), spec[field], `must be less than or equal to ${detail}`))
  if (completions === undefined) errors.push(fieldError.required(path.child('completions'), 'when completion mode is Indexed'))
  if (parallelism > mostIndexedParallelism) tooMany('parallelism', `${mostIndexedParallelism} when completion mode is Indexed`)
  if (maxFailedIndexes !== undefined) {
    if (completions !== undefined && maxFailedIndexes > completions) tooMany('maxFailedIndexes', 'completions')
    if (maxFailedIndexes > mostFailedIndexes) tooMany('maxFailedIndexes', String(mostFailedIndexes))
  }
  if (completions === undefined || completions <= manyCompletions || backoffLimitPerIndex === undefined) return errors
  const many = `when completions are above ${manyCompletions} and used with backoff limit per index`
  if (maxFailedIndexes === undefined) {
    errors.push(fieldError.required(path.child('maxFailedIndexes'), `must be specified when completions is above ${manyCompletions}`))
  }
  if (parallelism > mostParallelismOfMany) tooMany('parallelism', `${mostParallelismOfMany} ${many}`)
  if ((maxFailedIndexes ?? 0) > mostFailedIndexesOfMany) tooMany('maxFailedIndexes', `${mostFailedIndexesOfMany} ${many}`)
  return errors
}

function validateSuccessPolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const { successPolicy, completionMode } = spec
  if (successPolicy === undefined) return []
  const at = path.child('rules')
  const rules = successPolicy.rules ?? []
  if (completionMode !== 'Indexed') {
    return [
      withStructValue(fieldError.invalid(path, undefined, 'requires indexed completion mode'), goForm('SuccessPolicy', successPolicy)),
    ]
  }
  const errors: FieldError[] = []
  if (rules.length === 0) {
    errors.push(fieldError.required(at, 'at least one rules must be specified when the successPolicy is specified'))
  }
  if (rules.length > mostSuccessRules) errors.push(fieldError.tooMany(at, rules.length, mostSuccessRules))
  return [...errors, ...rules.flatMap((rule, index) => validateSuccessRule(rule, spec.completions ?? 0, at.index(index)))]
}

function validateSuccessRule(rule: SuccessPolicyRule, completions: number, path: FieldPath): FieldError[] {
  const { succeededCount, succeededIndexes } = rule
  const errors: FieldError[] = []
  if (succeededCount === undefined && succeededIndexes === undefined) {
    errors.push(fieldError.required(path, 'at least one of succeededCount or succeededIndexes must be specified'))
  }
  let indexes = 0
  if (succeededIndexes !== undefined) {
    const at = path.child('succeededIndexes')
    if (succeededIndexes.length > longestIndexes) errors.push(fieldError.tooLong(at, longestIndexes))
    const counted = countIndexes(succeededIndexes, completions)
    if (typeof counted === 'string') errors.push(fieldError.invalid(at, succeededIndexes, `error parsing succeededIndexes: ${counted}`))
    else indexes = counted
  }
  if (succeededCount === undefined) return errors
  const at = path.child('succeededCount')
  const tooMany = (most: number, what: string) =>
    errors.push(fieldError.invalid(at, succeededCount, `must be less than or equal to ${most} (${what})`))
  errors.push(...validateNonNegative(succeededCount, at))
  if (succeededCount > completions) tooMany(completions, 'the number of specified completions')
  if (succeededIndexes !== undefined && succeededCount > indexes) {
    tooMany(indexes, 'the number of indexes in the specified succeededIndexes field')
  }
  return errors
}

function validateReplacement({ podReplacementPolicy: policy, podFailurePolicy }: JobSpec, path: FieldPath): FieldError[] {
  const supported = podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed']
  return policy === undefined || supported.includes(policy) ? [] : [fieldError.notSupported(path, policy, supported)]
}

function validateRestartPolicy({ template, podFailurePolicy }: JobSpec, path: FieldPath): FieldError[] {
  const policy = template?.spec?.restartPolicy
  if (!policy || policy === 'Always') return [fieldError.required(path, 'valid values: "OnFailure", "Never"')]
  if (policy !== 'OnFailure' && policy !== 'Never') return [fieldError.notSupported(path, policy, ['OnFailure', 'Never'])]
  if (podFailurePolicy === undefined || policy === 'Never') return []
  return [fieldError.invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')]
}

/** An error when the last pod of an indexed job could not have its name. */
export function validateNameForPods({ metadata, spec }: Job, path: FieldPath): FieldError[] {
  const { completionMode, completions = 0 } = spec ?? {}
  if (completionMode !== 'Indexed' || completions <= 0) return []
  const last = `${metadata.name}-${completions - 1}`
  if (validateDns1123Label(last).length === 0) return []
  return [fieldError.invalid(path, metadata.name, `will not able to create pod with invalid DNS label: ${last}`)]
}

/** What may not change in a job. `old`: the whole object, as much depends on how far it is. */
export function validateJobChanges(spec: JobSpec, old: Job, path: FieldPath): FieldError[] {
  const before = old.spec
  const immutable = (field: keyof JobSpec & string) =>
    keptErrors(spec[field], before?.[field], path.child(field)).map((error) => asGoShows(error, field, spec[field]))
  return [
    ...validateCompletions(spec, before, path.child('completions')),
    ...immutable('selector'),
    ...validateTemplateChange(spec, old, path.child('template')),
    ...(['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'] as const).flatMap(immutable),
  ]
}

/** An empty policy is not the same as none. */
function keptErrors(value: unknown, before: unknown, path: FieldPath): FieldError[] {
  const isOther = (value === undefined) !== (before === undefined) && typeof (value ?? before) === 'object'
  return isOther ? [fieldError.invalid(path, value ?? null, immutableMessage)] : validateImmutable(value, before, path)
}

const structs: Readonly<Partial<Record<keyof JobSpec, string>>> = {
  selector: 'LabelSelector',
  podFailurePolicy: 'PodFailurePolicy',
  successPolicy: 'SuccessPolicy',
}

function asGoShows(error: FieldError, field: keyof JobSpec, value: unknown): FieldError {
  const struct = structs[field]
  return struct === undefined || value === undefined ? error : withStructValue(error, goForm(struct, value as object))
}

function validateCompletions(spec: JobSpec, before: JobSpec | undefined, path: FieldPath): FieldError[] {
  if (spec.completionMode !== 'Indexed') return validateImmutable(spec.completions, before?.completions, path)
  const { completions, parallelism } = spec
  if (completions === undefined || completions === before?.completions || completions === parallelism) return []
  return [fieldError.invalid(path, completions, 'can only be modified in tandem with spec.parallelism')]
}

function validateTemplateChange(spec: JobSpec, old: Job, path: FieldPath): FieldError[] {
  const template = spec.template ?? {}
  const before = old.spec?.template ?? {}
  const isSuspended = old.spec?.suspend === true
  if (!isSuspended || !hasRested(old))
    return validateImmutable(template, before, path).map((error) => withStructValue(error, goForm('PodTemplateSpec', template)))
  // While nothing runs, where pods run and what they ask for may still change.
  const {
    affinity,
    nodeSelector,
    tolerations,
    schedulingGates,
    containers = [],
    initContainers = [],
    ...rest
  } = template.spec ?? { containers: [] }
  const {
    affinity: oldAffinity,
    containers: oldContainers = [],
    initContainers: oldInit = [],
    ...oldSpec
  } = before.spec ?? { containers: [] }
  const { nodeSelector: _, tolerations: __, schedulingGates: ___, ...oldRest } = oldSpec
  const fixed = (affinityNow: typeof affinity) => ({ ...affinityNow, nodeAffinity: undefined })
  const isSame =
    isSameValue(rest, oldRest) &&
    isSameValue(fixed(affinity), fixed(oldAffinity)) &&
    isSameValue(containers.map(withoutResources), oldContainers.map(withoutResources)) &&
    isSameValue(initContainers.map(withoutResources), oldInit.map(withoutResources))
  const error = fieldError.invalid(`${path}.spec`, undefined, 'field is immutable')
  return isSame ? [] : [withStructValue(error, goForm('PodSpec', template.spec))]
}

function withoutResources(container: { readonly resources?: unknown }): unknown {
  return { ...container, resources: undefined }
}

/** Whether a suspended job has no pods and has not begun, or has stopped. */
function hasRested({ status }: Job): boolean {
  const stopped = (status?.conditions ?? []).some(({ type, status: value }) => type === 'Suspended' && value === 'True')
  return (status?.startTime === undefined || stopped) && (status?.active ?? 0) === 0
}

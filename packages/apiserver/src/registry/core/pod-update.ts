/**
 * How a pod may change: hardly at all, and a little more while it waits for something before it is scheduled.
 */
import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath } from 'steersman/api'
import type { Affinity, Container, NodeAffinity, NodeSelectorTerm, Pod, PodSpec } from 'steersman/api/types/core/v1'
import { deepEqual } from 'steersman/internal'
import { appArmorPrefix } from '../shared/app-armor-annotations.js'
import { imageErrors } from '../shared/container-validation.js'
import { goForm } from '../shared/go-form.js'
import { mirrorPod, validatePodAnnotations } from '../shared/pod-annotations.js'
import { isSameValue } from '../shared/same-value.js'
import { withStructValue } from '../shared/struct-value.js'
import { unifiedDiff } from '../shared/unified-diff.js'
import { specOf, validatePod } from './pod-validation.js'

const specPath = fieldPath('spec')
const longestDeadline = 2_147_483_647

/** What is wrong with a pod as a successor of another one. */
export function validatePodUpdate(pod: Pod, old: Pod): FieldError[] {
  const spec = specOf(pod)
  const oldSpec = specOf(old)
  const errors = [...validatePod(pod), ...validateAnnotationUpdate(pod, old)]
  for (const field of ['containers', 'initContainers'] as const) {
    const path = specPath.child(field)
    const containers = spec[field] ?? []
    if (containers.length !== (oldSpec[field] ?? []).length) {
      return [...errors, fieldError.forbidden(path, 'pod updates may not add or remove containers')]
    }
    errors.push(...containers.flatMap((container, index) => validateImage(container, path.index(index))))
  }
  const { activeDeadlineSeconds: deadline } = spec
  const deadlineErrors = validateDeadline(deadline, oldSpec.activeDeadlineSeconds)
  errors.push(...deadlineErrors)
  if (deadline !== undefined && deadlineErrors.length > 0) return errors
  errors.push(...validateTolerationsKept(spec, oldSpec), ...validateGates(spec, oldSpec))
  const isGated = (oldSpec.schedulingGates ?? []).length > 0
  if (isGated) errors.push(...validateNarrowing(spec, oldSpec))
  const rest = withMutableFieldsOf(spec, oldSpec, isGated)
  if (isSameValue(rest, oldSpec)) return errors
  const difference = unifiedDiff(goForm('PodSpec', oldSpec), goForm('PodSpec', rest))
  return [...errors, fieldError.forbidden(specPath, `${immutableSpecMessage}\n${difference}`)]
}

/** What is wrong with the annotations of a pod as successors of those of another one. */
export function validateAnnotationUpdate({ metadata, spec }: Pod, old: Pod): FieldError[] {
  const path = fieldPath('metadata', 'annotations')
  const after = metadata.annotations ?? {}
  const before = old.metadata.annotations ?? {}
  const errors: FieldError[] = []
  const refuse = (key: string, verb: string): void => {
    if (key.startsWith(appArmorPrefix)) errors.push(fieldError.forbidden(path.key(key), `may not ${verb} AppArmor annotations`))
    if (key === mirrorPod) errors.push(fieldError.forbidden(path.key(key), `may not ${verb} mirror pod annotation`))
  }
  for (const key of Object.keys(before)) if (after[key] !== before[key]) refuse(key, 'remove or update')
  for (const key of Object.keys(after)) if (before[key] === undefined) refuse(key, 'add')
  return [...errors, ...validatePodAnnotations(metadata.annotations, spec, path)]
}

const immutableSpecMessage =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

function validateImage(container: Container, path: FieldPath): FieldError[] {
  return container.image ? imageErrors(container, path) : [fieldError.required(path.child('image'))]
}

function validateDeadline(value: number | undefined, before: number | undefined): FieldError[] {
  const path = specPath.child('activeDeadlineSeconds')
  if (value === undefined) {
    return before === undefined ? [] : [fieldError.invalid(path, null, 'must not update from a positive integer to nil value')]
  }
  if (value < 0 || value > longestDeadline) return [fieldError.invalid(path, value, `must be between 0 and ${longestDeadline}, inclusive`)]
  if (before === undefined || before >= value) return []
  return [fieldError.invalid(path, value, 'must be less than or equal to previous value')]
}

function validateTolerationsKept(spec: PodSpec, old: PodSpec): FieldError[] {
  const kept = (old.tolerations ?? []).every((toleration) =>
    (spec.tolerations ?? []).some((other) =>
      deepEqual({ ...other, tolerationSeconds: undefined }, { ...toleration, tolerationSeconds: undefined }),
    ),
  )
  return kept
    ? []
    : [fieldError.forbidden(specPath.child('tolerations'), 'existing toleration can not be modified except its tolerationSeconds')]
}

function validateGates(spec: PodSpec, old: PodSpec): FieldError[] {
  const before = new Set((old.schedulingGates ?? []).map(({ name }) => name))
  return (spec.schedulingGates ?? []).flatMap(({ name }, index) => {
    if (before.has(name)) return []
    const at = specPath.child('schedulingGates').index(index).child('name')
    return [fieldError.forbidden(at, `only deletion is allowed, but found new scheduling gate '${name}'`)]
  })
}

/** The spec as it would be without the changes that are allowed or refused elsewhere. */
function withMutableFieldsOf(spec: PodSpec, old: PodSpec, isGated: boolean): PodSpec {
  const images = (containers: readonly Container[] | undefined, before: readonly Container[] = []) =>
    containers?.map((container, index) => ({ ...container, image: before[index]?.image ?? '' }))
  const becomesPositive = (old.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1
  return {
    ...spec,
    containers: images(spec.containers, old.containers),
    initContainers: images(spec.initContainers, old.initContainers),
    ...kept(old, ['activeDeadlineSeconds', 'schedulingGates', 'tolerations']),
    ...(becomesPositive ? kept(old, ['terminationGracePeriodSeconds']) : {}),
    ...(isGated ? { ...kept(old, ['nodeSelector']), affinity: withNodesOf(spec.affinity, old.affinity) } : {}),
  } as PodSpec
}

function kept(old: PodSpec, fields: readonly (keyof PodSpec)[]): Partial<PodSpec> {
  return Object.fromEntries(fields.map((field) => [field, old[field]]))
}

function withNodesOf(affinity: Affinity | undefined, old: Affinity | undefined): Affinity | undefined {
  const { nodeAffinity: _, ...others } = affinity ?? {}
  const nodeAffinity = old?.nodeAffinity
  if (nodeAffinity !== undefined) return { ...others, nodeAffinity }
  return old === undefined && Object.keys(others).length === 0 ? undefined : others
}

/** What is wrong with where a pod that waits may run: at fewer nodes than before. */
function validateNarrowing(spec: PodSpec, old: PodSpec): FieldError[] {
  const path = specPath.child('nodeSelector')
  const isWider = Object.entries(old.nodeSelector ?? {}).some(([key, value]) => spec.nodeSelector?.[key] !== value)
  const errors = isWider
    ? [fieldError.invalid(path, spec.nodeSelector ?? null, 'only additions to spec.nodeSelector are allowed (no mutations or deletions)')]
    : []
  return [...errors, ...validateAffinityNarrowing(spec.affinity?.nodeAffinity, old.affinity?.nodeAffinity)]
}

function validateAffinityNarrowing(affinity: NodeAffinity | undefined, old: NodeAffinity | undefined): FieldError[] {
  const field = 'requiredDuringSchedulingIgnoredDuringExecution'
  const path = specPath.child('affinity', 'nodeAffinity', field, 'nodeSelectorTerms')
  const before = old?.[field]?.nodeSelectorTerms ?? []
  const terms = affinity?.[field]?.nodeSelectorTerms
  if (before.length === 0 || deepEqual(affinity, old)) return []
  if (terms?.length !== before.length) {
    const error = fieldError.invalid(path, null, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')
    return [
      terms === undefined
        ? error
        : withStructValue(
            error,
            terms.map((term) => goForm('NodeSelectorTerm', term)),
          ),
    ]
  }
  return terms.flatMap((term, index) => {
    if (isNarrower(term, before[index] ?? {})) return []
    const error = fieldError.invalid(path.index(index), undefined, 'only additions are allowed (no mutations or deletions)')
    return [withStructValue(error, goForm('NodeSelectorTerm', term))]
  })
}

/** Whether a term says all that another one says, in that order, and perhaps more. One that selects nothing stays so. */
function isNarrower(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const fields = ['matchExpressions', 'matchFields'] as const
  const count = (part: NodeSelectorTerm): number => fields.reduce((sum, field) => sum + (part[field] ?? []).length, 0)
  if (count(old) === 0) return count(term) === 0
  return fields.every((field) => {
    const before = old[field] ?? []
    return deepEqual((term[field] ?? []).slice(0, before.length), before)
  })
}

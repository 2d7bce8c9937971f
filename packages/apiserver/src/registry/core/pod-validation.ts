import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath } from 'steersman/api'
import type { Pod, PodSpec } from 'steersman/api/types/core/v1'
import { imageErrors } from '../shared/container-validation.js'
import { validateNonNegative } from '../shared/number-errors.js'
import { validatePodAnnotations, validateProfileAnnotations } from '../shared/pod-annotations.js'
import { validatePodSpec } from '../shared/pod-validation.js'

const specPath = fieldPath('spec')

/** What is wrong with a new pod. */
export function validateNewPod(pod: Pod): FieldError[] {
  const { annotations } = pod.metadata
  const spec = specOf(pod)
  const errors = validatePod(pod)
  if ((spec.ephemeralContainers ?? []).length > 0) {
    errors.push(fieldError.forbidden(specPath.child('ephemeralContainers'), 'cannot be set on create'))
  }
  if (spec.nodeName && (spec.schedulingGates ?? []).length > 0) {
    errors.push(fieldError.forbidden(specPath.child('nodeName'), 'cannot be set until all schedulingGates have been cleared'))
  }
  return [...errors, ...validateProfileAnnotations(annotations, spec, specPath)]
}

/** What is wrong with a pod, whatever it was before. */
export function validatePod(pod: Pod): FieldError[] {
  const spec = specOf(pod)
  const { name = '', annotations } = pod.metadata
  return [
    ...validatePodAnnotations(annotations, spec, fieldPath('metadata', 'annotations')),
    ...validatePodSpec(spec, specPath, name),
    ...validateTokens(spec),
    ...validateNonNegative(spec.terminationGracePeriodSeconds, specPath.child('terminationGracePeriodSeconds')),
    ...validateImages(spec),
  ]
}

export function specOf({ spec }: Pod): PodSpec {
  return spec ?? { containers: [] }
}

/** Rules of pods that templates of old may break. */
function validateImages(spec: PodSpec): FieldError[] {
  return (['containers', 'initContainers'] as const).flatMap((field) =>
    (spec[field] ?? []).flatMap((container, index) => imageErrors(container, specPath.child(field).index(index))),
  )
}

function validateTokens(spec: PodSpec): FieldError[] {
  if (spec.serviceAccountName) return []
  return (spec.volumes ?? []).flatMap(({ projected }, index) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }, source) => {
      if (serviceAccountToken === undefined) return []
      const at = specPath.child('volumes').index(index).child('projected', 'sources').index(source).child('serviceAccountToken')
      return [fieldError.forbidden(at, 'must not be specified when serviceAccountName is not set')]
    }),
  )
}

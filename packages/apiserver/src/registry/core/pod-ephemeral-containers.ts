import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, goQuote } from 'steersman/api'
import type { Pod, PodSpec } from 'steersman/api/types/core/v1'
import { deepCopy } from 'steersman/internal'
import { isSameValue } from '../shared/same-value.js'
import type { UpdateRules } from '../update-rules.js'
import { keepField } from '../update-rules.js'
import { keepObjectMetadata } from './pod.js'
import { validatePod } from './pod-validation.js'

const path = fieldPath('spec', 'ephemeralContainers')

/** The rules of the `ephemeralcontainers` subresource of pods: containers may be added, and nothing else. */
export const ephemeralContainerRules: UpdateRules = {
  subresource: 'ephemeralcontainers',
  allowCreate: false,
  prepare(draft, old) {
    const { ephemeralContainers } = (draft.spec ?? {}) as PodSpec
    const { ephemeralContainers: _, ...spec } = deepCopy(old.spec) as PodSpec
    draft.spec = ephemeralContainers === undefined ? spec : { ...spec, ephemeralContainers }
    keepField(draft, old, 'status')
    keepObjectMetadata(draft, old)
  },
  validate: (object, old) => validateAdded(object as unknown as Pod, old as unknown as Pod),
  changesGeneration: (object, old) => !isSameValue(object.spec, old.spec),
}

function validateAdded(pod: Pod, old: Pod): FieldError[] {
  if (old.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined) {
    return [fieldError.forbidden('', 'static pods do not support ephemeral containers')]
  }
  const containers = new Map((pod.spec?.ephemeralContainers ?? []).map((container) => [container.name, container]))
  const errors = (old.spec?.ephemeralContainers ?? []).flatMap((before) => {
    const after = containers.get(before.name)
    const refuse = (what: string) => [
      fieldError.forbidden(path, `existing ephemeral containers ${goQuote(before.name)} may not be ${what}\n`),
    ]
    if (after === undefined) return refuse('removed')
    return isSameValue(after, before) ? [] : refuse('changed')
  })
  return [...validatePod(pod), ...errors]
}

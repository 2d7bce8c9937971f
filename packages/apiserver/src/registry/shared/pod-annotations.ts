import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import type { PodSpec } from 'steersman/api/types/core/v1'

const mirrorPod = 'kubernetes.io/config.mirror'
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost'
const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/'
const maxInt32 = 2_147_483_647

/** What is wrong with annotations of a pod, or of a template of pods, that mean something. */
export function validatePodAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  spec: PodSpec | undefined,
  path: FieldPath,
): FieldError[] {
  if (annotations === undefined) return []
  const errors: FieldError[] = []
  const mirror = annotations[mirrorPod]
  if (mirror !== undefined && !spec?.nodeName) {
    errors.push(fieldError.invalid(path.key(mirrorPod), mirror, 'must set spec.nodeName if mirror pod annotation is set'))
  }
  const cost = annotations[deletionCost]
  if (cost !== undefined && !isInt32(cost)) errors.push(fieldError.invalid(path.key(deletionCost), cost, 'must be a 32bit integer'))
  return [...errors, ...validateAppArmor(annotations, spec, path)]
}

/** A number without a plus sign and without zeros in front. */
function isInt32(text: string): boolean {
  return /^(0|[1-9][0-9]*|-[0-9]+)$/.test(text) && Number(text) <= maxInt32 && Number(text) >= -maxInt32 - 1
}

function validateAppArmor(annotations: Readonly<Record<string, string>>, spec: PodSpec | undefined, path: FieldPath): FieldError[] {
  const names = new Set(
    [...(spec?.initContainers ?? []), ...(spec?.containers ?? []), ...(spec?.ephemeralContainers ?? [])].map(({ name }) => name),
  )
  return Object.entries(annotations).flatMap(([key, profile]) => {
    if (!key.startsWith(appArmorPrefix)) return []
    const container = key.slice(appArmorPrefix.length)
    const errors = names.has(container) ? [] : [fieldError.invalid(path.key(key), container, 'container not found')]
    const isKnown = ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/')
    if (!isKnown) errors.push(fieldError.invalid(path.key(key), profile, `invalid AppArmor profile name: "${profile}"`))
    return errors
  })
}

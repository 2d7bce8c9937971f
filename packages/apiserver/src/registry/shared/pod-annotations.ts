import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import type { AppArmorProfile, PodSpec, SeccompProfile } from 'steersman/api/types/core/v1'
import { appArmorPrefix } from './app-armor-annotations.js'
import { relativePathErrors } from './relative-path.js'
import { locatedContainers } from './windows-validation.js'

/** The annotation of a pod that mirrors one that a kubelet runs on its own. */
export const mirrorPod = 'kubernetes.io/config.mirror'
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost'
/** The annotation that `securityContext.seccompProfile` of a pod has replaced, and how those of containers began. */
export const seccompPod = 'seccomp.security.alpha.kubernetes.io/pod'
export const seccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/'
const seccompDefaults = ['runtime/default', 'docker/default']
const localPrefix = 'localhost/'
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
  return [...errors, ...validateSeccomp(annotations, path), ...validateAppArmor(annotations, spec, path)]
}

function validateSeccomp(annotations: Readonly<Record<string, string>>, path: FieldPath): FieldError[] {
  const keys = Object.keys(annotations).filter((key) => key.startsWith(seccompPrefix))
  return [...(annotations[seccompPod] === undefined ? [] : [seccompPod]), ...keys].flatMap((key) => {
    const profile = annotations[key] ?? ''
    if (seccompDefaults.includes(profile) || profile === 'unconfined') return []
    if (profile.startsWith(localPrefix)) return relativePathErrors(profile.slice(localPrefix.length), path.child(key))
    return [fieldError.invalid(path.child(key), profile, 'must be a valid seccomp profile')]
  })
}

/** Errors for fields that say something else than the annotations that came before them. `path`: of the spec. */
export function validateProfileAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  spec: PodSpec | undefined,
  path: FieldPath,
): FieldError[] {
  if (annotations === undefined || spec === undefined) return []
  const ofPod = spec.securityContext
  const containers = locatedContainers(spec, path)
  const errors = compareProfile('seccomp', annotations[seccompPod], ofPod?.seccompProfile, path.child('securityContext', 'seccompProfile'))
  for (const { container, path: at } of containers) {
    const profile = container.securityContext?.seccompProfile
    const profilePath = at.child('securityContext', 'seccompProfile')
    errors.push(...compareProfile('seccomp', annotations[seccompPrefix + container.name], profile, profilePath))
  }
  if (spec.os?.name === 'windows') return errors
  for (const { container, path: at } of containers) {
    const profile = container.securityContext?.appArmorProfile ?? ofPod?.appArmorProfile
    const profilePath = at.child('securityContext', 'appArmorProfile')
    errors.push(...compareProfile('apparmor', annotations[appArmorPrefix + container.name], profile, profilePath))
  }
  return errors
}

function compareProfile(
  what: 'seccomp' | 'apparmor',
  annotation: string | undefined,
  profile: SeccompProfile | AppArmorProfile | undefined,
  path: FieldPath,
): FieldError[] {
  if (annotation === undefined || profile === undefined) return []
  const names: Readonly<Record<string, readonly string[]>> = {
    Unconfined: ['unconfined'],
    RuntimeDefault: what === 'seccomp' ? seccompDefaults : ['runtime/default'],
  }
  const isLocal = profile.type === 'Localhost'
  const isSameType = isLocal ? annotation.startsWith(localPrefix) : (names[profile.type]?.includes(annotation) ?? true)
  if (!isSameType) return [fieldError.forbidden(path.child('type'), `${what} type in annotation and field must match`)]
  if (!isLocal || annotation.slice(localPrefix.length) === profile.localhostProfile) return []
  return [fieldError.forbidden(path.child('localhostProfile'), `${what} profile in annotation and field must match`)]
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

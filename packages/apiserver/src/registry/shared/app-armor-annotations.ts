import type { Draft } from 'steersman/api'
import { fieldPath } from 'steersman/api'
import type { AppArmorProfile, Pod } from 'steersman/api/types/core/v1'
import { deepEqual } from 'steersman/internal'
import { validateAppArmor } from './security-context-validation.js'

/** Annotations that begin so name the profile of a container: there were no fields for that. */
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/'

/** Sets the profiles of containers that a new pod names in annotations. */
export function takeAppArmorAnnotations({ metadata, spec }: Draft<Pod>, warn: (text: string) => void): void {
  const { annotations = {} } = metadata
  if (spec === undefined || spec.os?.name === 'windows') return
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])]) {
    const key = appArmorPrefix + container.name
    const annotation = annotations[key]
    if (annotation === undefined || container.securityContext?.appArmorProfile !== undefined) continue
    const profile = profileOf(annotation)
    if (profile !== undefined && deepEqual(profile, spec.securityContext?.appArmorProfile)) continue
    warn(`${fieldPath('metadata', 'annotations').key(key)}: deprecated since v1.30; use the "appArmorProfile" field instead`)
    if (profile !== undefined) container.securityContext = { ...container.securityContext, appArmorProfile: profile }
  }
}

function profileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' }
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' }
  if (!annotation.startsWith('localhost/')) return undefined
  const profile: AppArmorProfile = { type: 'Localhost', localhostProfile: annotation.slice('localhost/'.length) }
  return validateAppArmor(profile, fieldPath('')).length === 0 ? profile : undefined
}

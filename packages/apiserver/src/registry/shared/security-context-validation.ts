import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import type { AppArmorProfile, PodSecurityContext, PodSpec, SeccompProfile, SecurityContext } from 'steersman/api/types/core/v1'
import { validateChoice } from './choice.js'
import { goForm } from './go-form.js'
import { idErrors } from './number-errors.js'
import { relativePathErrors } from './relative-path.js'
import { withStructValue } from './struct-value.js'
import { validateWindowsOptions } from './windows-validation.js'

/** What is wrong with the security context of a container. */
export function validateSecurityContext(context: SecurityContext | undefined, usesHostUsers: boolean, path: FieldPath): FieldError[] {
  if (context === undefined) return []
  const { procMount } = context
  const errors = [...idErrors(context.runAsUser, path.child('runAsUser')), ...idErrors(context.runAsGroup, path.child('runAsGroup'))]
  errors.push(...validateChoice(procMount, ['Default', 'Unmasked'], path.child('procMount')))
  if (usesHostUsers && procMount === 'Unmasked') {
    errors.push(fieldError.invalid(path.child('procMount'), procMount, '`hostUsers` must be false to use `Unmasked`'))
  }
  return [
    ...errors,
    ...validateSeccomp(context.seccompProfile, path.child('seccompProfile')),
    ...validateEscalation(context, path),
    ...validateWindowsOptions(context.windowsOptions, path.child('windowsOptions')),
    ...validateAppArmor(context.appArmorProfile, path.child('appArmorProfile')),
  ]
}

function validateEscalation(context: SecurityContext, path: FieldPath): FieldError[] {
  if (context.allowPrivilegeEscalation !== false) return []
  const refuse = (detail: string) => [withStructValue(fieldError.invalid(path, undefined, detail), goForm('SecurityContext', context))]
  return [
    ...(context.privileged === true ? refuse('cannot set `allowPrivilegeEscalation` to false and `privileged` to true') : []),
    ...(context.capabilities?.add?.includes('CAP_SYS_ADMIN')
      ? refuse('cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN')
      : []),
  ]
}

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined']

function validateSeccomp(profile: SeccompProfile | undefined, path: FieldPath): FieldError[] {
  if (profile === undefined) return []
  const { type = '', localhostProfile } = profile
  const typePath = path.child('type')
  const profilePath = path.child('localhostProfile')
  const errors: FieldError[] = []
  if ((type as string) === '') errors.push(fieldError.required(typePath, 'type is required when seccompProfile is set'))
  else errors.push(...validateChoice(type, profileTypes, typePath))
  if (type === 'Localhost') {
    if (localhostProfile === undefined) errors.push(fieldError.required(profilePath, 'must be set when seccomp type is Localhost'))
    else errors.push(...relativePathErrors(localhostProfile, profilePath))
  } else if (localhostProfile !== undefined) {
    const error = fieldError.invalid(profilePath, undefined, 'can only be set when seccomp type is Localhost')
    errors.push(withStructValue(error, { Type: type, LocalhostProfile: localhostProfile }))
  }
  return errors
}

const longestProfile = 4095

/** What is wrong with a profile of AppArmor. */
export function validateAppArmor(profile: AppArmorProfile | undefined, path: FieldPath): FieldError[] {
  if (profile === undefined) return []
  const { type = '', localhostProfile } = profile
  const typePath = path.child('type')
  const profilePath = path.child('localhostProfile')
  if ((type as string) === '') return [fieldError.required(typePath, 'type is required when appArmorProfile is set')]
  if (!profileTypes.includes(type)) return [fieldError.notSupported(typePath, type, profileTypes)]
  if (type !== 'Localhost') {
    if (localhostProfile === undefined) return []
    return [fieldError.invalid(profilePath, localhostProfile, 'can only be set when AppArmor type is Localhost')]
  }
  if (localhostProfile === undefined || localhostProfile === '') {
    return [fieldError.required(profilePath, 'must be set when AppArmor type is Localhost')]
  }
  const errors: FieldError[] = []
  if (localhostProfile.trim() !== localhostProfile) {
    errors.push(fieldError.invalid(profilePath, localhostProfile, 'must not be padded with whitespace'))
  }
  if (localhostProfile.length > longestProfile) errors.push(fieldError.tooLong(profilePath, longestProfile))
  return errors
}

/** What is wrong with the security context of a pod. */
export function validatePodSecurityContext(spec: PodSpec, path: FieldPath): FieldError[] {
  const context = spec.securityContext ?? {}
  const { fsGroup, runAsUser, runAsGroup, supplementalGroups = [] } = context
  return [
    ...idErrors(fsGroup, path.child('fsGroup')),
    ...idErrors(runAsUser, path.child('runAsUser')),
    ...idErrors(runAsGroup, path.child('runAsGroup')),
    ...supplementalGroups.flatMap((group, index) => idErrors(group, path.child('supplementalGroups').index(index))),
    ...validateSysctls(context, spec, path.child('sysctls')),
    ...validateChoice(context.fsGroupChangePolicy, ['Always', 'OnRootMismatch'], path.child('fsGroupChangePolicy')),
    ...validateSeccomp(context.seccompProfile, path.child('seccompProfile')),
    ...validateWindowsOptions(context.windowsOptions, path.child('windowsOptions')),
    ...validateAppArmor(context.appArmorProfile, path.child('appArmorProfile')),
    ...validateChoice(context.supplementalGroupsPolicy, ['Merge', 'Strict'], path.child('supplementalGroupsPolicy')),
    ...validateChoice(context.seLinuxChangePolicy, ['MountOption', 'Recursive'], path.child('seLinuxChangePolicy')),
  ]
}

const segment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const sysctlPattern = `^(${segment}[\\./])*${segment}$`
const longestSysctl = 253
const ipcSysctls = /^(?:kernel\.(?:shm|msg|sem)|fs\.mqueue\.)/

function validateSysctls({ sysctls = [] }: PodSecurityContext, spec: PodSpec, path: FieldPath): FieldError[] {
  const seen = new Set<string>()
  return sysctls.flatMap(({ name = '' }, index) => {
    const at = path.index(index).child('name')
    const errors: FieldError[] = []
    if (name === '') errors.push(fieldError.required(at))
    else if (name.length > longestSysctl || !new RegExp(sysctlPattern).test(name)) {
      errors.push(fieldError.invalid(at, name, `must have at most ${longestSysctl} characters and match regex ${sysctlPattern}`))
    } else if (seen.has(name)) errors.push(fieldError.duplicate(at, name))
    seen.add(name)
    const dotted = name.replaceAll('/', '.')
    if (spec.hostNetwork === true && dotted.startsWith('net.')) {
      errors.push(fieldError.invalid(at, name, "may not be specified when 'hostNetwork' is true"))
    } else if (spec.hostIPC === true && ipcSysctls.test(dotted)) {
      errors.push(fieldError.invalid(at, name, "may not be specified when 'hostIPC' is true"))
    }
    return errors
  })
}

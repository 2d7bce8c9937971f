import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import type { Container, PodSpec, WindowsSecurityContextOptions } from 'steersman/api/types/core/v1'
import { subdomainErrors } from './name-errors.js'

const mostSpecKiB = 64
const longestDomain = 256
const longestUser = 104
const netBios = /^[^\\/:*?|"<>.][^\\/:*?|"<>]{0,14}$/
const dnsLabel = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const dnsDomain = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`)
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const control = /[\x00-\x1f\x7f]+/
const reservedCharacters = /["/\\:;|=,+*?<>@[\]]/

/** What is wrong with options that only Windows has. */
export function validateWindowsOptions(options: WindowsSecurityContextOptions | undefined, path: FieldPath): FieldError[] {
  if (options === undefined) return []
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options
  const errors = gmsaCredentialSpecName === undefined ? [] : subdomainErrors(gmsaCredentialSpecName, path.child('gmsaCredentialSpecName'))
  const specAt = path.child('gmsaCredentialSpec')
  if (gmsaCredentialSpec === '') {
    errors.push(fieldError.invalid(specAt, gmsaCredentialSpec, 'gmsaCredentialSpec cannot be an empty string'))
  } else if ((gmsaCredentialSpec ?? '').length > mostSpecKiB * 1024) {
    errors.push(fieldError.invalid(specAt, gmsaCredentialSpec, `gmsaCredentialSpec size must be under ${mostSpecKiB} KiB`))
  }
  if (runAsUserName === undefined) return errors
  return [
    ...errors,
    ...userNameProblems(runAsUserName).map((problem) => fieldError.invalid(path.child('runAsUserName'), runAsUserName, problem)),
  ]
}

function userNameProblems(name: string): string[] {
  const parts = name.split('\\')
  if (name === '') return ['runAsUserName cannot be an empty string']
  if (control.test(name)) return ['runAsUserName cannot contain control characters']
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash']
  const user = parts.at(-1) ?? ''
  const domain = parts.length === 2 ? (parts[0] ?? '') : undefined
  const problems: string[] = []
  if ((domain ?? '').length >= longestDomain) problems.push(`runAsUserName's Domain length must be under ${longestDomain} characters`)
  if (domain !== undefined && !netBios.test(domain) && !dnsDomain.test(domain)) {
    problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format")
  }
  if (user === '') problems.push("runAsUserName's User cannot be empty")
  else if (user.length > longestUser) problems.push(`runAsUserName's User length must not be longer than ${longestUser} characters`)
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces")
  if (reservedCharacters.test(user)) {
    problems.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]')
  }
  return problems
}

/** A container and where it is. */
export interface LocatedContainer {
  readonly container: Pick<Container, 'name' | 'env' | 'securityContext' | 'volumeDevices'>
  readonly path: FieldPath
}

/** All containers of a pod, in the order in which rules about the whole pod look at them. */
export function locatedContainers(spec: PodSpec, path: FieldPath): LocatedContainer[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((field) =>
    (spec[field] ?? []).map((container, index) => ({ container, path: path.child(field).index(index) })),
  )
}

/** What is wrong with a pod whose containers are processes of the host. */
export function validateHostProcess(spec: PodSpec, path: FieldPath): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess
  const containers = locatedContainers(spec, path)
  const errors: FieldError[] = []
  let count = 0
  for (const { container, path: at } of containers) {
    const own = container.securityContext?.windowsOptions?.hostProcess
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`
      errors.push(fieldError.invalid(at.child('securityContext', 'windowsOptions', 'hostProcess'), own, detail))
    }
    if (own ?? ofPod) count++
  }
  if (count === 0) return errors
  if (count !== containers.length) {
    const detail = 'If pod contains any hostProcess containers then all containers must be HostProcess containers'
    errors.push(fieldError.invalid(path, '', detail))
  }
  if (spec.hostNetwork !== true) {
    const detail = 'hostNetwork must be true if pod contains any hostProcess containers'
    errors.push(fieldError.invalid(path.child('hostNetwork'), false, detail))
  }
  return errors
}

const onlyLinuxOfPod = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
] as const
const onlyLinux = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const

/** What a pod for one operating system may not say. */
export function validateOperatingSystem(spec: PodSpec, path: FieldPath): FieldError[] {
  const name = spec.os?.name
  const at = path.child('os')
  if (spec.os === undefined) return []
  if (!name) return [fieldError.required(at.child('name'))]
  if (name !== 'linux' && name !== 'windows') return [fieldError.notSupported(at, name, ['linux', 'windows'])]
  return name === 'linux' ? validateLinux(spec, path) : validateWindows(spec, path)
}

function validateLinux(spec: PodSpec, path: FieldPath): FieldError[] {
  const detail = 'windows options cannot be set for a linux pod'
  const contexts = [
    { context: spec.securityContext, at: path },
    ...locatedContainers(spec, path).map(({ container, path: at }) => ({ context: container.securityContext, at })),
  ]
  return contexts
    .filter(({ context }) => context?.windowsOptions !== undefined)
    .map(({ at }) => fieldError.forbidden(at.child('securityContext', 'windowsOptions'), detail))
}

function validateWindows(spec: PodSpec, path: FieldPath): FieldError[] {
  const refuse = (at: FieldPath) => fieldError.forbidden(at, 'cannot be set for a windows pod')
  const contextPath = path.child('securityContext')
  const errors = onlyLinuxOfPod
    .filter((field) => spec.securityContext?.[field] !== undefined)
    .map((field) => refuse(contextPath.child(field)))
  if (spec.hostUsers !== undefined) errors.push(refuse(path.child('hostUsers')))
  if (spec.hostPID === true) errors.push(refuse(path.child('hostPID')))
  if (spec.hostIPC === true) errors.push(refuse(path.child('hostIPC')))
  if (spec.shareProcessNamespace !== undefined) errors.push(refuse(path.child('shareProcessNamespace')))
  for (const { container, path: at } of locatedContainers(spec, path)) {
    const fields = onlyLinux.filter((field) => container.securityContext?.[field] !== undefined)
    errors.push(...fields.map((field) => refuse(at.child('securityContext', field))))
  }
  return errors
}

import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import type { SecurityContext } from 'steersman/api/types/core/v1'
import { withStructValue } from './struct-value.js'

const maxId = 2_147_483_647

/** Members of a security context in the order in which refusals show them. */
const members = [
  'capabilities',
  'privileged',
  'seLinuxOptions',
  'windowsOptions',
  'runAsUser',
  'runAsGroup',
  'runAsNonRoot',
  'readOnlyRootFilesystem',
  'allowPrivilegeEscalation',
  'procMount',
  'seccompProfile',
  'appArmorProfile',
] as const

/** What is wrong with the security context of a container. */
export function validateSecurityContext(context: SecurityContext | undefined, path: FieldPath): FieldError[] {
  if (context === undefined) return []
  const errors = [...idErrors(context.runAsUser, path.child('runAsUser')), ...idErrors(context.runAsGroup, path.child('runAsGroup'))]
  if (context.allowPrivilegeEscalation !== false) return errors
  const refuse = (detail: string) => {
    const shown = members.map((name) => [name === 'seLinuxOptions' ? 'SELinuxOptions' : capitalized(name), context[name] ?? null])
    errors.push(withStructValue(fieldError.invalid(path, undefined, detail), Object.fromEntries(shown)))
  }
  if (context.privileged === true) refuse('cannot set `allowPrivilegeEscalation` to false and `privileged` to true')
  if (context.capabilities?.add?.includes('CAP_SYS_ADMIN')) {
    refuse('cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN')
  }
  return errors
}

/** What is wrong with the id of a user or a group. */
export function idErrors(id: number | undefined, path: FieldPath): FieldError[] {
  return id === undefined || (id >= 0 && id <= maxId) ? [] : [fieldError.invalid(path, id, `must be between 0 and ${maxId}, inclusive`)]
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

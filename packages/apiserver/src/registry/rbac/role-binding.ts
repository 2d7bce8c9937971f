import type { Draft, FieldError } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain, validatePathSegmentName } from 'steersman/api'
import type { RoleRef, Subject } from 'steersman/api/types/rbac/v1'
import { ClusterRoleBinding, RoleBinding } from 'steersman/api/types/rbac/v1'
import { deepEqual } from 'steersman/internal'
import { validateImmutable } from '../metadata.js'
import { withStructValue } from '../shared/struct-value.js'
import { defineKind } from '../strategy.js'

const apiGroup = 'rbac.authorization.k8s.io'
const roleRefPath = fieldPath('roleRef')
const subjectsPath = fieldPath('subjects')

interface Binding {
  readonly roleRef?: RoleRef
  readonly subjects?: readonly Subject[]
}

/** Bindings inside a namespace. */
export const roleBindingKind = defineKind(RoleBinding, {
  validateName: validatePathSegmentName,
  allowCreateOnUpdate: true,
  default: setDefaults,
  validate: (binding) => validateBinding(binding, ['Role', 'ClusterRole']),
  validateUpdate: (binding, old) => validateBinding(binding, ['Role', 'ClusterRole'], old),
})

/** Bindings in the whole cluster. */
export const clusterRoleBindingKind = defineKind(ClusterRoleBinding, {
  validateName: validatePathSegmentName,
  allowCreateOnUpdate: true,
  default: setDefaults,
  validate: (binding) => validateBinding(binding, ['ClusterRole']),
  validateUpdate: (binding, old) => validateBinding(binding, ['ClusterRole'], old),
})

function setDefaults(binding: Draft<RoleBinding> | Draft<ClusterRoleBinding>): undefined {
  binding.roleRef ??= { kind: '', name: '' }
  binding.roleRef.apiGroup ||= apiGroup
  for (const subject of binding.subjects ?? []) if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= apiGroup
}

/** `old`: on an update. Missing names are told last, unless the role itself is another one. */
function validateBinding(binding: Binding, roleKinds: readonly string[], old?: Binding): FieldError[] {
  const { roleRef = { kind: '', name: '' }, subjects = [] } = binding
  const isOther = old !== undefined && !deepEqual(roleRef, old.roleRef)
  const missing = roleRef.name ? [] : [fieldError.required(roleRefPath.child('name'))]
  return [
    ...validateRoleRef(roleRef, roleKinds),
    ...(isOther ? missing : []),
    ...subjects.flatMap((subject, index) => validateSubject(subject, index, roleKinds.includes('Role'))),
    ...(isOther ? validateRoleRefUnchanged(roleRef, old.roleRef) : []),
    ...subjects.flatMap(({ name }, index) => (name ? [] : [fieldError.required(subjectsPath.index(index).child('name'))])),
    ...(isOther ? [] : missing),
  ]
}

function validateRoleRef({ apiGroup: group, kind, name }: RoleRef, roleKinds: readonly string[]): FieldError[] {
  const errors: FieldError[] = []
  if (group !== apiGroup) errors.push(fieldError.notSupported(roleRefPath.child('apiGroup'), group, [apiGroup]))
  if (!roleKinds.includes(kind)) errors.push(fieldError.notSupported(roleRefPath.child('kind'), kind ?? '', roleKinds))
  const names = name ? validatePathSegmentName(name) : []
  return [...errors, ...names.map((detail) => fieldError.invalid(roleRefPath.child('name'), name, detail))]
}

function validateRoleRefUnchanged(roleRef: RoleRef, old: RoleRef | undefined): FieldError[] {
  const { apiGroup: APIGroup = '', kind: Kind = '', name: Name = '' } = roleRef
  return validateImmutable(roleRef, old, roleRefPath).map((error) => withStructValue(error, { APIGroup, Kind, Name }))
}

function validateSubject(subject: Subject, index: number, isNamespaced: boolean): FieldError[] {
  const { kind, apiGroup: group = '', name, namespace } = subject
  const path = subjectsPath.index(index)
  const errors: FieldError[] = []
  switch (kind) {
    case 'ServiceAccount':
      if (name) errors.push(...validateDns1123Subdomain(name).map((detail) => fieldError.invalid(path.child('name'), name, detail)))
      if (group !== '') errors.push(fieldError.notSupported(path.child('apiGroup'), group, ['']))
      if (!isNamespaced && !namespace) errors.push(fieldError.required(path.child('namespace')))
      return errors
    case 'User':
    case 'Group':
      return group === apiGroup ? [] : [fieldError.notSupported(path.child('apiGroup'), group, [apiGroup])]
    default:
      return [fieldError.notSupported(path.child('kind'), kind ?? '', ['ServiceAccount', 'User', 'Group'])]
  }
}

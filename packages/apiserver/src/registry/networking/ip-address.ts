import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath } from 'steersman/api'
import type { ParentReference } from 'steersman/api/types/networking/v1'
import { IPAddress } from 'steersman/api/types/networking/v1'
import { canonicalAddressErrors } from '../shared/address-validation.js'
import { validateDeclaredImmutable } from '../shared/declared.js'
import { subdomainErrors } from '../shared/name-errors.js'
import { defineKind } from '../strategy.js'
import { segmentErrors } from './ingress-backend.js'

const parentPath = fieldPath('spec', 'parentRef')

/** Addresses of services. The name is the address. */
export const ipAddressKind = defineKind(IPAddress, {
  validateName: (name) => canonicalAddressErrors(name, fieldPath('metadata', 'name')).map(({ detail }) => detail),
  validate: ({ spec }) => validateParent(spec?.parentRef),
  validateUpdate: ({ spec }, { spec: old }) => [
    ...validateParent(spec?.parentRef),
    ...validateDeclaredImmutable(spec?.parentRef, old?.parentRef, parentPath),
  ],
})

/** What is required is declared, and upstream finds what is declared after all else. */
function validateParent(parent: ParentReference | undefined): FieldError[] {
  if (parent === undefined) return [fieldError.required(parentPath)]
  const { group, resource, name, namespace } = parent
  return [
    ...(group ? subdomainErrors(group, parentPath.child('group')) : []),
    ...(resource ? segmentErrors(resource, parentPath.child('resource')) : []),
    ...(name ? segmentErrors(name, parentPath.child('name')) : []),
    ...(namespace ? segmentErrors(namespace, parentPath.child('namespace')) : []),
    ...(resource ? [] : [fieldError.required(parentPath.child('resource'))]),
    ...(name ? [] : [fieldError.required(parentPath.child('name'))]),
  ]
}

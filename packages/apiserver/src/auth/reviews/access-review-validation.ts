import type { FieldError, ObjectMeta, UnstructuredObject } from 'steersman/api'
import { fieldError, fieldPath, goJson, invalid, StatusError } from 'steersman/api'
import type { NonResourceAttributes, SubjectAccessReviewSpec } from 'steersman/api/types/authorization/v1'
import { metadataFields } from '../../registry/index.js'
import { validateSelectors } from './selector-attributes.js'

const specPath = fieldPath('spec')
const group = 'authorization.k8s.io'

/** The kinds of questions about access. */
export type AccessReviewKind = 'SubjectAccessReview' | 'LocalSubjectAccessReview' | 'SelfSubjectAccessReview'

/** @throws {StatusError} Invalid, with everything that is wrong with the question. The real server leaves kind and name out. */
export function validateAccessReview(review: UnstructuredObject, kind: AccessReviewKind): void {
  const spec = (review.spec ?? {}) as SubjectAccessReviewSpec
  const errors = [
    ...validateSpec(spec, kind !== 'SelfSubjectAccessReview'),
    ...validateMetadata(review.metadata, kind === 'LocalSubjectAccessReview'),
    ...(kind === 'LocalSubjectAccessReview' ? validatePlace(spec, review.metadata.namespace ?? '') : []),
  ]
  if (errors.length > 0) throw new StatusError(invalid('', group, '', errors))
}

function validateSpec(spec: SubjectAccessReviewSpec, hasSubject: boolean): FieldError[] {
  const { resourceAttributes, nonResourceAttributes, user, groups = [] } = spec
  const errors: FieldError[] = []
  if ((resourceAttributes === undefined) === (nonResourceAttributes === undefined)) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    errors.push(aboutPath(specPath.toString(), nonResourceAttributes, detail))
  }
  if (hasSubject && !user && groups.length === 0) {
    errors.push(fieldError.invalid(specPath.child('user'), '', 'at least one of user or group must be specified'))
  }
  return resourceAttributes ? [...errors, ...validateSelectors(resourceAttributes, specPath.child('resourceAttributes'))] : errors
}

/** An error about nonResourceAttributes, shown as Go writes them. */
function aboutPath(field: string, attributes: NonResourceAttributes | undefined, detail: string): FieldError {
  const value = attributes === undefined ? null : { Path: attributes.path ?? '', Verb: attributes.verb ?? '' }
  return fieldError.invalid(field, value, detail)
}

function validateMetadata(metadata: ObjectMeta, allowsNamespace: boolean): FieldError[] {
  const { managedFields: _, namespace, ...rest } = metadata
  const says = (value: unknown) => value && (typeof value !== 'object' || Object.keys(value).length > 0)
  const isEmpty = !Object.values(rest).some(says) && (allowsNamespace || !namespace)
  if (isEmpty) return []
  const detail = allowsNamespace ? 'must be empty except for namespace' : 'must be empty'
  const members = metadataFields.filter((field) => says(metadata[field])).map((field) => `${goJson(field)}:${goJson(metadata[field])}`)
  const text = `{${members.join(',')}}`
  return [{ ...fieldError.invalid('metadata', undefined), detail: `${text}: ${detail}` }]
}

function validatePlace({ resourceAttributes, nonResourceAttributes }: SubjectAccessReviewSpec, namespace: string): FieldError[] {
  const errors: FieldError[] = []
  const asked = resourceAttributes?.namespace ?? ''
  if (resourceAttributes !== undefined && asked !== namespace) {
    errors.push(fieldError.invalid('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace'))
  }
  if (nonResourceAttributes !== undefined) {
    errors.push(aboutPath('spec.nonResourceAttributes', nonResourceAttributes, 'disallowed on this kind of request'))
  }
  return errors
}

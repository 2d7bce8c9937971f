import { type FieldError, fieldError, goQuote } from 'steersman/api'
import type { CustomResourceDefinitionObject } from './crd-types.js'

const approvalAnnotation = 'api-approved.kubernetes.io'

type ApprovalState = 'missing' | 'bypassed' | 'approved' | 'invalid'

function approvalState(crd: CustomResourceDefinitionObject): ApprovalState {
  const annotation = crd.metadata.annotations?.[approvalAnnotation] ?? ''
  if (annotation === '') return 'missing'
  if (annotation.startsWith('unapproved')) return 'bypassed'
  return /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#]+/.test(annotation) ? 'approved' : 'invalid'
}

/** Groups of the Kubernetes community need an approval, or an explicit word that there is none. */
export function validateApproval(
  crd: CustomResourceDefinitionObject,
  oldCrd: CustomResourceDefinitionObject | undefined,
): readonly FieldError[] {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(crd.spec?.group ?? '')) return []
  const state = approvalState(crd)
  if (oldCrd !== undefined && approvalState(oldCrd) === state) return []
  const path = `metadata.annotations[${approvalAnnotation}]`
  const proposal = 'see https://github.com/kubernetes/enhancements/pull/1111'
  const needed = `protected groups must have approval annotation ${goQuote(approvalAnnotation)}`
  if (state === 'missing') return [fieldError.required(path, `${needed}, ${proposal}`)]
  if (state !== 'invalid') return []
  const detail = `${needed} with either a URL or a reason starting with "unapproved", ${proposal}`
  return [fieldError.invalid(path, crd.metadata.annotations?.[approvalAnnotation], detail)]
}

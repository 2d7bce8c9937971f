import type { Draft, FieldError } from 'steersman/api'

import type {
  CertificateSigningRequestCondition as Condition,
  CertificateSigningRequestSpec as Spec,
} from 'steersman/api/types/certificates/v1'
import { CertificateSigningRequest } from 'steersman/api/types/certificates/v1'
import { deepCopy } from 'steersman/internal'
import { unsupportedField } from '../shared/fields.js'
import type { ObjectDraft, StoreContext } from '../store-context.js'
import { timestamp } from '../store-context.js'
import { defineKind } from '../strategy.js'
import type { UpdateRules } from '../update-rules.js'
import { keepField } from '../update-rules.js'
import { validateSigningRequest, validateSigningRequestUpdate } from './signing-request-validation.js'

/** Requests for certificates. Who asks is written down by the server. */
export const certificateSigningRequestKind = defineKind(CertificateSigningRequest, {
  validateName: () => [],
  prepareForCreate(request, { user }) {
    const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...asked } = (request.spec ?? {}) as Draft<Spec>
    const hasExtra = Object.keys(user.extra ?? {}).length > 0
    request.spec = {
      ...asked,
      username: user.name,
      ...(user.uid ? { uid: user.uid } : {}),
      ...(user.groups.length > 0 ? { groups: [...user.groups] } : {}),
      ...(hasExtra ? { extra: deepCopy(user.extra) as Record<string, string[]> } : {}),
    } as Draft<Spec>
  },
  prepareForUpdate(request, old) {
    request.spec = deepCopy(old.spec) as Draft<Spec>
  },
  validate: (request) => validateSigningRequest(request),
  validateUpdate: (request, old) => validateSigningRequestUpdate(request, old, ''),
  selectableFields: { 'spec.signerName': ({ spec }) => spec?.signerName },
  unknownField: unsupportedField,
  status: {
    prepareForUpdate(request, old, { now }) {
      keepDecisions(request, old)
      stampConditions(request, old, now)
    },
    validateUpdate: (request, old) => validateSigningRequestUpdate(request, old, 'status'),
  },
})

/** How the approval of a request is written: its conditions alone. */
export function approvalRules(context: StoreContext): UpdateRules {
  return {
    subresource: 'approval',
    allowCreate: false,
    prepare(draft, old) {
      const request = draft as unknown as Draft<CertificateSigningRequest>
      const before = old as unknown as CertificateSigningRequest
      stampConditions(request, before, timestamp(context.environment.now()))
      const conditions = request.status?.conditions
      keepField(draft as ObjectDraft, old, 'spec')
      request.status = { ...(deepCopy(before.status) as Draft<CertificateSigningRequest['status']>), ...(conditions ? { conditions } : {}) }
      if (conditions === undefined) delete request.status.conditions
    },
    validate: (object, old) =>
      validateSigningRequestUpdate(
        object as unknown as CertificateSigningRequest,
        old as unknown as CertificateSigningRequest,
        'approval',
      ) as FieldError[],
  }
}

/** A signer may reorder what approvers decided, and not change it. */
function keepDecisions(request: Draft<CertificateSigningRequest>, old: CertificateSigningRequest): void {
  const conditions = request.status?.conditions ?? []
  for (const type of ['Approved', 'Denied']) {
    const before = (old.status?.conditions ?? []).filter((condition) => condition.type === type)
    const now = conditions.filter((condition) => condition.type === type)
    if (now.length !== before.length) continue
    now.forEach((condition, index) => {
      conditions[conditions.indexOf(condition)] = deepCopy(before[index]) as Draft<Condition>
    })
  }
}

/** Conditions are given the times that they lack. */
function stampConditions(request: Draft<CertificateSigningRequest>, old: CertificateSigningRequest, now: string): void {
  for (const condition of request.status?.conditions ?? []) {
    condition.lastUpdateTime ||= now
    if (condition.lastTransitionTime) continue
    const same = (old.status?.conditions ?? []).find(({ type, status }) => type === condition.type && status === condition.status)
    condition.lastTransitionTime = same?.lastTransitionTime || now
  }
}

import type { BuiltinKind } from '../builtin-kind.js'
import type { OtherVersionOptions } from '../other-version.js'
import { otherVersion } from '../other-version.js'
import {
  admissionPolicyBindingPrinter,
  mutatingAdmissionPolicyPrinter,
  validatingAdmissionPolicyPrinter,
} from '../printers/admission-policy.js'
import { webhookConfigurationPrinter } from '../printers/webhook-configuration.js'
import { mutatingAdmissionPolicyKind, validatingAdmissionPolicyKind } from './policy.js'
import { defaultAlphaBinding, mutatingAdmissionPolicyBindingKind, validatingAdmissionPolicyBindingKind } from './policy-binding.js'
import { mutatingWebhookConfigurationKind, validatingWebhookConfigurationKind } from './webhook-configuration.js'

const mutatingAdmissionPolicy: BuiltinKind = { kind: mutatingAdmissionPolicyKind, printer: mutatingAdmissionPolicyPrinter }
const mutatingAdmissionPolicyBinding: BuiltinKind = { kind: mutatingAdmissionPolicyBindingKind, printer: admissionPolicyBindingPrinter }
const beta: OtherVersionOptions = { deprecated: ['v1.37', 'v1.40'], isReplaced: true }
const alpha: OtherVersionOptions = { deprecated: ['v1.35', 'v1.38'] }

/** The kinds of this group that have rules of their own. */
export const admissionRegistrationKinds: readonly BuiltinKind[] = [
  { kind: validatingWebhookConfigurationKind, printer: webhookConfigurationPrinter },
  { kind: mutatingWebhookConfigurationKind, printer: webhookConfigurationPrinter },
  { kind: validatingAdmissionPolicyKind, printer: validatingAdmissionPolicyPrinter },
  { kind: validatingAdmissionPolicyBindingKind, printer: admissionPolicyBindingPrinter },
  mutatingAdmissionPolicy,
  mutatingAdmissionPolicyBinding,
  otherVersion(mutatingAdmissionPolicy, 'v1beta1', beta),
  otherVersion(mutatingAdmissionPolicyBinding, 'v1beta1', beta),
  otherVersion(mutatingAdmissionPolicy, 'v1alpha1', alpha),
  // Only here the action has a default.
  otherVersion(mutatingAdmissionPolicyBinding, 'v1alpha1', { ...alpha, strategy: { default: defaultAlphaBinding } }),
]

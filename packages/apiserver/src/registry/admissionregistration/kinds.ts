import type { BuiltinKind } from '../builtin-kind.js'
import {
  admissionPolicyBindingPrinter,
  mutatingAdmissionPolicyPrinter,
  validatingAdmissionPolicyPrinter,
} from '../printers/admission-policy.js'
import { webhookConfigurationPrinter } from '../printers/webhook-configuration.js'
import { mutatingAdmissionPolicyKind, validatingAdmissionPolicyKind } from './policy.js'
import { mutatingAdmissionPolicyBindingKind, validatingAdmissionPolicyBindingKind } from './policy-binding.js'
import { mutatingWebhookConfigurationKind, validatingWebhookConfigurationKind } from './webhook-configuration.js'

/** The kinds of this group that have rules of their own. */
export const admissionRegistrationKinds: readonly BuiltinKind[] = [
  { kind: validatingWebhookConfigurationKind, printer: webhookConfigurationPrinter },
  { kind: mutatingWebhookConfigurationKind, printer: webhookConfigurationPrinter },
  { kind: validatingAdmissionPolicyKind, printer: validatingAdmissionPolicyPrinter },
  { kind: validatingAdmissionPolicyBindingKind, printer: admissionPolicyBindingPrinter },
  { kind: mutatingAdmissionPolicyKind, printer: mutatingAdmissionPolicyPrinter },
  { kind: mutatingAdmissionPolicyBindingKind, printer: admissionPolicyBindingPrinter },
]

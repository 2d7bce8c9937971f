import type { Draft, FieldError, FieldPath } from 'steersman/api'
import { fieldError, validateLabelValue, validateQualifiedName } from 'steersman/api'
import type { DeviceTaint, DeviceToleration } from 'steersman/api/types/resource/v1'
import { validateChoice, validateRequiredChoice } from '../shared/choice.js'
import type { Findings } from './findings.js'

const effects = ['NoExecute', 'NoSchedule', 'None']

/** Says when a taint was added, unless that is known. */
export function stampTaint(taint: Draft<DeviceTaint> | undefined, now: string): void {
  if (taint !== undefined) taint.timeAdded ??= now
}

/** What is wrong with a taint, as it is checked by hand. */
export function taintErrors({ key = '', value = '' }: Partial<DeviceTaint>, path: FieldPath): FieldError[] {
  return [
    ...validateQualifiedName(key).map((detail) => fieldError.invalid(path.child('key'), key, detail)),
    ...validateLabelValue(value).map((detail) => fieldError.invalid(path.child('value'), value, detail)),
  ]
}

/** What is wrong with a taint, as it is declared. */
export function declaredTaintErrors({ effect }: Partial<DeviceTaint>, path: FieldPath): FieldError[] {
  return validateRequiredChoice(effect, effects, path.child('effect'))
}

/** Says how a toleration compares, unless that is known. */
export function defaultTolerations(tolerations: Draft<readonly DeviceToleration[]> | undefined): void {
  for (const toleration of tolerations ?? []) toleration.operator ||= 'Equal'
}

/** Checks which taints do not matter. */
export function checkTolerations(tolerations: readonly DeviceToleration[] | undefined, path: FieldPath, findings: Findings): void {
  for (const [index, { key = '', operator, value = '', effect }] of (tolerations ?? []).entries()) {
    const at = path.index(index)
    if (operator === 'Exists' && value !== '') {
      findings.check(fieldError.invalid(at.child('value'), value, 'must be empty for operator `Exists`'))
    }
    if (operator === 'Equal') {
      findings.check(...validateLabelValue(value).map((detail) => fieldError.invalid(at.child('value'), value, detail)))
    }
    if (key !== '') {
      findings.declare(...validateQualifiedName(key).map((detail) => fieldError.invalid(at.child('key'), key, detail)))
    }
    findings.declare(...validateRequiredChoice(operator, ['Equal', 'Exists'], at.child('operator')))
    findings.declare(...validateChoice(effect || undefined, effects, at.child('effect')))
  }
}

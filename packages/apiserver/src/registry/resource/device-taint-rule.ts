import type { Draft, FieldError } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Label, validateDns1123Subdomain } from 'steersman/api'
import type { DeviceTaintRuleSpec } from 'steersman/api/types/resource/v1'
import { DeviceTaintRule } from 'steersman/api/types/resource/v1'
import { deepEqual } from 'steersman/internal'
import { validateConditions } from '../shared/condition-validation.js'
import { driverNameErrors } from '../shared/driver-name.js'
import { defineKind } from '../strategy.js'
import { declaredTaintErrors, stampTaint, taintErrors } from './device-taint.js'
import { poolNameErrors } from './names.js'

const specPath = fieldPath('spec')
const maxConditions = 8

/** Rules that give taints to devices. */
export const deviceTaintRuleKind = defineKind(DeviceTaintRule, {
  validateName: validateDns1123Subdomain,
  prepareForCreate: (rule, { now }) => stampTaint(rule.spec?.taint, now),
  prepareForUpdate(rule, old, { now }) {
    stampTaint(rule.spec?.taint, now)
    restampChangedEffect(rule.spec, old.spec, now)
  },
  validate: ({ spec }) => validateSpec(spec),
  changesGeneration: (rule, old) => !deepEqual(rule.spec, old.spec),
  allowUnconditionalUpdate: false,
  status: {
    initial: () => ({}),
    ignoresMetadata: true,
    validateUpdate({ status }) {
      const path = fieldPath('status', 'conditions')
      const count = status?.conditions?.length ?? 0
      return [
        ...validateConditions(status?.conditions, path),
        ...(count > maxConditions ? [fieldError.tooMany(path, count, maxConditions)] : []),
      ]
    },
  },
})

/** The time of a taint is that of its effect, unless the client says another. */
function restampChangedEffect(spec: Draft<DeviceTaintRuleSpec> | undefined, old: DeviceTaintRuleSpec, now: string): void {
  if (spec?.taint === undefined || spec.taint.effect === old.taint.effect || spec.taint.timeAdded !== old.taint.timeAdded) return
  spec.taint.timeAdded = now
}

function validateSpec({
  deviceSelector,
  taint = {},
}: Partial<Omit<DeviceTaintRuleSpec, 'taint'>> & { taint?: Partial<DeviceTaintRuleSpec['taint']> } = {}): FieldError[] {
  const path = specPath.child('deviceSelector')
  const { driver, pool, device } = deviceSelector ?? {}
  return [
    ...(driver === undefined ? [] : driverNameErrors(driver, path.child('driver'))),
    ...(pool === undefined ? [] : poolNameErrors(pool, path.child('pool'))),
    ...(device === undefined ? [] : validateDns1123Label(device).map((detail) => fieldError.invalid(path.child('device'), device, detail))),
    ...taintErrors(taint, specPath.child('taint')),
    ...declaredTaintErrors(taint, specPath.child('taint')),
  ]
}

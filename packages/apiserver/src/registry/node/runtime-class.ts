import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Label, validateDns1123Subdomain } from 'steersman/api'
import type { Toleration } from 'steersman/api/types/core/v1'
import { RuntimeClass } from 'steersman/api/types/node/v1'
import { validateLabels } from '../metadata.js'
import { validateDeclaredImmutable } from '../shared/declared.js'
import { deprecatedNodeLabel } from '../shared/node-labels.js'
import { validateTolerations } from '../shared/pod-validation.js'
import { canonicalizeAmounts } from '../shared/quantity.js'
import { containerResourceNameErrors, resourceAmountErrors } from '../shared/resource-name.js'
import { withStructValue } from '../shared/struct-value.js'
import { defineKind } from '../strategy.js'

const handlerPath = fieldPath('handler')

/** Runtime classes. */
export const runtimeClassKind = defineKind(RuntimeClass, {
  validateName: validateDns1123Subdomain,
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  default: ({ overhead }) => void canonicalizeAmounts(overhead?.podFixed),
  validate: (runtimeClass) => validateClass(runtimeClass, 'bytes'),
  validateUpdate: (runtimeClass, old) => [
    ...validateClass(runtimeClass, 'characters'),
    ...validateDeclaredImmutable(runtimeClass.handler, old.handler, handlerPath),
  ],
  warn({ scheduling }, warn) {
    for (const label of Object.keys(scheduling?.nodeSelector ?? {})) {
      const text = deprecatedNodeLabel(label)
      if (text !== undefined) warn(`scheduling.nodeSelector: ${text}`)
    }
  },
})

/** `unit`: of lengths; once the class is there, other rules find a name that is too long. */
function validateClass({ handler, overhead, scheduling }: RuntimeClass, unit: string): FieldError[] {
  const limitsPath = fieldPath('overhead', 'limits')
  const errors = Object.entries(overhead?.podFixed ?? {}).flatMap(([name, quantity]) => [
    ...containerResourceNameErrors(name, limitsPath.key(name)),
    ...resourceAmountErrors(name, quantity, limitsPath.key(name)),
  ])
  if (scheduling !== undefined) {
    const path = fieldPath('scheduling')
    errors.push(...validateLabels(scheduling.nodeSelector, path.child('nodeSelector')))
    errors.push(...validateTolerations(scheduling.tolerations ?? [], path.child('tolerations')))
    errors.push(...validateDistinct(scheduling.tolerations ?? [], path.child('tolerations')))
  }
  // Declared, and so found after all else.
  if (!handler) return [...errors, fieldError.required(handlerPath)]
  const details = validateDns1123Label(handler).map((detail) => detail.replace(/(?<= no more than 63 )characters$/, unit))
  return [...errors, ...details.map((detail) => fieldError.invalid(handlerPath, handler, detail))]
}

function validateDistinct(tolerations: readonly Toleration[], path: FieldPath): FieldError[] {
  const seen = new Set<string>()
  return tolerations.flatMap(({ key = '', operator = '', value = '', effect = '', tolerationSeconds }, index) => {
    const identity = JSON.stringify([key, operator, value, effect])
    if (!seen.has(identity)) {
      seen.add(identity)
      return []
    }
    const shown = { Key: key, Operator: operator, Value: value, Effect: effect, TolerationSeconds: tolerationSeconds ?? null }
    return [withStructValue(fieldError.duplicate(path.index(index), undefined), shown)]
  })
}

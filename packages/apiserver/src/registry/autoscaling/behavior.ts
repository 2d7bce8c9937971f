import type { Draft } from 'steersman/api'
import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from 'steersman/api/types/autoscaling/v2'
import { canonicalQuantity } from '../shared/quantity.js'

const periodSeconds = 15

/** Fills in how an autoscaler moves, if it says anything about that. */
export function defaultBehavior(behavior: Draft<HorizontalPodAutoscalerBehavior> | undefined): void {
  if (behavior === undefined) return
  behavior.scaleUp ??= {}
  behavior.scaleUp.stabilizationWindowSeconds ??= 0
  defaultRules(behavior.scaleUp)
  behavior.scaleUp.policies ??= [
    { type: 'Pods', value: 4, periodSeconds },
    { type: 'Percent', value: 100, periodSeconds },
  ]
  behavior.scaleDown ??= {}
  defaultRules(behavior.scaleDown)
  behavior.scaleDown.policies ??= [{ type: 'Percent', value: 100, periodSeconds }]
}

function defaultRules(rules: Draft<HPAScalingRules>): void {
  rules.selectPolicy ??= 'Max'
  if (rules.tolerance !== undefined) rules.tolerance = canonicalQuantity(rules.tolerance)
}

import type { BuiltinKind } from '../builtin-kind.js'
import { horizontalPodAutoscalerPrinter } from '../printers/horizontal-pod-autoscaler.js'
import { originOf, toV1, toV2 } from './conversion.js'
import { horizontalPodAutoscalerKind } from './horizontal-pod-autoscaler.js'
import { horizontalPodAutoscalerV1Kind } from './horizontal-pod-autoscaler-v1.js'

/** The kinds of this group that have rules of their own. */
export const autoscalingKinds: readonly BuiltinKind[] = [
  {
    kind: horizontalPodAutoscalerV1Kind,
    printer: {
      ...horizontalPodAutoscalerPrinter,
      cells: (object, nowMs) => horizontalPodAutoscalerPrinter.cells(originOf(object), nowMs),
      shown: originOf,
    },
    viewOf: { group: 'autoscaling', plural: 'horizontalpodautoscalers', toServed: toV1, toStored: toV2 },
  },
  { kind: horizontalPodAutoscalerKind, printer: horizontalPodAutoscalerPrinter },
]

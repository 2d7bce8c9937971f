const prefix = 'autoscaling.alpha.kubernetes.io/'

/** Where `autoscaling/v1` keeps metrics other than the load of processors. */
export const metricsAnnotation = `${prefix}metrics`
/** Where `autoscaling/v1` keeps what was measured. */
export const currentMetricsAnnotation = `${prefix}current-metrics`
/** Where `autoscaling/v1` keeps conditions. */
export const conditionsAnnotation = `${prefix}conditions`
/** Where `autoscaling/v1` keeps how the autoscaler moves. */
export const behaviorAnnotation = `${prefix}behavior`

/** Annotations that only mean something in `autoscaling/v1`; they are never stored. */
export const roundTripAnnotations: readonly string[] = [
  metricsAnnotation,
  behaviorAnnotation,
  `${prefix}scale-down-tolerance`,
  `${prefix}scale-up-tolerance`,
  currentMetricsAnnotation,
  conditionsAnnotation,
]

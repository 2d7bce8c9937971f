/** Something to tell people about an object. */
export interface EventInput {
  /** @default Normal */
  readonly type?: 'Normal' | 'Warning'
  /** One word in CamelCase for programs: `ScalingReplicaSet`. */
  readonly reason: string
  /** A sentence for people. Must hold no secret. */
  readonly message: string
  /** The part of the object that is meant: `spec.containers{web}`. */
  readonly fieldPath?: string
}

import type { Container, Pod } from 'steersman/api/types/core/v1'

/** What a simulated container does. */
export interface ContainerBehaviour {
  /** From its start until it is ready. @default `readinessProbe.initialDelaySeconds`, or 0 */
  readonly readyAfterMs?: number
  /** From its start until it ends. @default it runs until it is stopped */
  readonly exitAfterMs?: number
  /** How it ends. Given alone, it ends at once. @default 0 */
  readonly exitCode?: number
  /** Its image cannot be pulled: the reason it waits for ever, such as `ErrImagePull`. */
  readonly pullError?: string
}

/** Decides what the containers of a pod do. Called whenever the pod is looked at: must give the same answer each time. */
export type Behaviours = (pod: Pod, container: Container) => ContainerBehaviour | undefined

/** Annotations on a pod that say what all its containers do, where no {@link Behaviours} speak: numbers as text. */
export const behaviourAnnotations = {
  readyAfterMs: 'simulated.steersman.dev/ready-after-ms',
  exitAfterMs: 'simulated.steersman.dev/exit-after-ms',
  exitCode: 'simulated.steersman.dev/exit-code',
} as const

/** What the container does, everything decided. */
export interface DecidedBehaviour {
  readonly readyAfterMs: number
  /** `undefined`: it runs until it is stopped. */
  readonly exitAfterMs: number | undefined
  readonly exitCode: number
  readonly pullError: string | undefined
}

export function decideBehaviour(pod: Pod, container: Container, behaviours: Behaviours | undefined): DecidedBehaviour {
  const given = behaviours?.(pod, container) ?? annotatedBehaviour(pod)
  const { readyAfterMs = (container.readinessProbe?.initialDelaySeconds ?? 0) * 1000, exitCode, pullError } = given
  return {
    readyAfterMs,
    exitAfterMs: given.exitAfterMs ?? (exitCode === undefined ? undefined : 0),
    exitCode: exitCode ?? 0,
    pullError,
  }
}

/** What is not a number counts as not given. */
function annotatedBehaviour(pod: Pod): ContainerBehaviour {
  const behaviour: { -readonly [Field in keyof typeof behaviourAnnotations]?: number } = {}
  for (const [field, annotation] of Object.entries(behaviourAnnotations)) {
    const text = pod.metadata.annotations?.[annotation]
    if (text !== undefined && /^\d{1,15}$/.test(text)) behaviour[field as keyof typeof behaviourAnnotations] = Number(text)
  }
  return behaviour
}

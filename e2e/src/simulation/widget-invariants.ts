import type { Widget } from '@steersman/example-widget/widget'
import { controllerOf, isConditionTrue, type KubernetesObject } from 'steersman'
import type { Deployment, ReplicaSet } from 'steersman/api/types/apps/v1'
import type { Pod } from 'steersman/api/types/core/v1'
import type { Change } from './cluster-observer.js'

/** A rolling update: from the revision that asked for it to the one at which it was seen complete. */
export interface Rollout {
  readonly from: number
  readonly to: number
  readonly replicas: number
}

/** What {@link widgetViolations} needs to know besides the changes. */
export interface WidgetExpectations {
  readonly rollouts: readonly Rollout[]
  /** How long, in virtual milliseconds, a Widget may say that it is ready when its pods are not any more. */
  readonly maxStaleStatusMs: number
}

/**
 * Checks a whole history, one revision after the other, against what must hold at every moment:
 *
 * - a watch tells a possible story: nothing is added twice, changed or deleted when it is not there, or goes back in time;
 * - a Widget never owns two Deployments;
 * - a Widget that says Ready=True for its present generation had its pods ready at some moment of that generation, and does not say so for long
 *   after they are not;
 * - during a rolling update never fewer pods are ready than 25 % unavailability allows, and ReplicaSets are never told to have more together than 25 %
 *   surge allows (pods that are about to go may exist besides, as in a real cluster);
 * - a ReplicaSet never has more active pods than it was ever told to have;
 * - a pod once bound stays on its node.
 *
 * @returns a sentence for each violation, at most 20.
 */
export function widgetViolations(changes: readonly Change[], expectations: WidgetExpectations): string[] {
  const check = new WidgetCheck(expectations)
  for (const change of changes) check.apply(change)
  return check.violations.slice(0, 20)
}

class WidgetCheck {
  readonly violations: string[] = []
  readonly #expectations: WidgetExpectations
  readonly #widgets = new Map<string, Widget>()
  readonly #deployments = new Map<string, Deployment>()
  readonly #replicaSets = new Map<string, ReplicaSet>()
  readonly #pods = new Map<string, Pod>()
  readonly #byKind: Readonly<Record<string, Map<string, KubernetesObject>>> = {
    Widget: this.#widgets as Map<string, KubernetesObject>,
    Deployment: this.#deployments as Map<string, KubernetesObject>,
    ReplicaSet: this.#replicaSets as Map<string, KubernetesObject>,
    Pod: this.#pods as Map<string, KubernetesObject>,
  }
  /** The most replicas each ReplicaSet was ever told to have. */
  readonly #mostReplicas = new Map<string, number>()
  /** Widget and generation whose pods were all ready at some moment. */
  readonly #wereReady = new Set<string>()
  /** Since when a Widget has said Ready=True wrongly. */
  readonly #staleSinceMs = new Map<string, number>()
  #revision = 0

  constructor(expectations: WidgetExpectations) {
    this.#expectations = expectations
  }

  apply(change: Change): void {
    this.#follow(change)
    this.#checkStaleStatus(change.seenMs)
    switch (change.kind) {
      case 'Widget':
        this.#noteReadiness()
        this.#checkStatus(change.object as Widget)
        break
      case 'Deployment':
        this.#checkOwners()
        break
      case 'ReplicaSet':
        this.#noteReplicas(change.object as ReplicaSet)
        this.#checkSurge()
        break
      case 'Pod':
        this.#noteReadiness()
        this.#checkPods()
    }
  }

  #violation(sentence: string): void {
    this.violations.push(`at revision ${this.#revision}: ${sentence}`)
  }

  #follow({ kind, type, object, revision }: Change): void {
    if (revision <= this.#revision)
      this.#violation(`revision ${revision} of ${kind} ${object.metadata.name} does not follow ${this.#revision}`)
    this.#revision = revision
    const objects = this.#byKind[kind]
    if (objects === undefined) return
    const uid = object.metadata.uid!
    const before = objects.get(uid)
    if ((type === 'ADDED') === (before !== undefined)) {
      this.#violation(`${kind} ${object.metadata.name} is ${type} but it was ${before === undefined ? 'not there' : 'there'}`)
    }
    if (before?.metadata.deletionTimestamp !== undefined && object.metadata.deletionTimestamp === undefined) {
      this.#violation(`${kind} ${object.metadata.name} is not terminating any more`)
    }
    const node = (before as Pod | undefined)?.spec?.nodeName
    if (kind === 'Pod' && node !== undefined && (object as Pod).spec?.nodeName !== node) {
      this.#violation(`Pod ${object.metadata.name} went from ${node} to ${(object as Pod).spec?.nodeName}`)
    }
    if (type === 'DELETED') objects.delete(uid)
    else objects.set(uid, object)
  }

  #checkOwners(): void {
    for (const widget of this.#widgets.values()) {
      const owned = [...this.#deployments.values()].filter((deployment) => isOwnedBy(deployment, widget))
      if (owned.length > 1) {
        this.#violation(`Widget ${widget.metadata.name} owns ${owned.map(({ metadata }) => metadata.name).join(' and ')}`)
      }
    }
  }

  #noteReplicas({ metadata, spec }: ReplicaSet): void {
    this.#mostReplicas.set(metadata.uid, Math.max(this.#mostReplicas.get(metadata.uid) ?? 0, spec?.replicas ?? 1))
  }

  #noteReadiness(): void {
    for (const widget of this.#widgets.values()) if (this.#hasReadyPods(widget)) this.#wereReady.add(generationKey(widget))
  }

  #checkStatus(widget: Widget): void {
    if (saysReady(widget) && !this.#wereReady.has(generationKey(widget))) {
      this.#violation(
        `Widget ${widget.metadata.name} says Ready=True for generation ${widget.metadata.generation}, of which its pods have never been ready`,
      )
      // Said once.
      this.#wereReady.add(generationKey(widget))
    }
  }

  #checkStaleStatus(nowMs: number): void {
    for (const widget of this.#widgets.values()) {
      const { uid, name, deletionTimestamp } = widget.metadata
      if (deletionTimestamp !== undefined || !saysReady(widget) || this.#hasReadyPods(widget)) {
        this.#staleSinceMs.delete(uid)
        continue
      }
      const sinceMs = this.#staleSinceMs.get(uid) ?? nowMs
      if (nowMs - sinceMs > this.#expectations.maxStaleStatusMs) {
        this.#violation(`Widget ${name} has said for ${nowMs - sinceMs} ms that it is ready and its pods are not`)
        this.#staleSinceMs.set(uid, Number.POSITIVE_INFINITY)
      } else {
        this.#staleSinceMs.set(uid, sinceMs)
      }
    }
  }

  #checkSurge(): void {
    for (const { replicas } of this.#presentRollouts()) {
      let told = 0
      for (const { spec } of this.#replicaSets.values()) told += spec?.replicas ?? 1
      const most = replicas + Math.ceil(replicas * 0.25)
      if (told > most) this.#violation(`ReplicaSets shall have ${told} pods during a rolling update; at most ${most} may be`)
    }
  }

  #presentRollouts(): readonly Rollout[] {
    return this.#expectations.rollouts.filter(({ from, to }) => this.#revision > from && this.#revision <= to)
  }

  #checkPods(): void {
    const active = new Map<string, number>()
    for (const pod of this.#pods.values()) {
      if (!isActive(pod)) continue
      const owner = controllerOf(pod)?.uid ?? ''
      active.set(owner, (active.get(owner) ?? 0) + 1)
    }
    for (const [uid, count] of active) {
      const most = this.#mostReplicas.get(uid)
      if (most !== undefined && count > most)
        this.#violation(`a ReplicaSet has ${count} active pods and was never told to have more than ${most}`)
    }
    for (const { replicas } of this.#presentRollouts()) {
      const ready = [...this.#pods.values()].filter(isReady).length
      const leastReady = replicas - Math.floor(replicas * 0.25)
      if (ready < leastReady) this.#violation(`${ready} pods are ready during a rolling update; at least ${leastReady} must be`)
    }
  }

  #hasReadyPods(widget: Widget): boolean {
    let ready = 0
    for (const pod of this.#pods.values()) {
      if (isReady(pod) && pod.spec?.containers[0]?.image === widget.spec.image && this.#belongsTo(pod, widget)) ready++
    }
    return ready >= widget.spec.replicas
  }

  #belongsTo(pod: Pod, widget: Widget): boolean {
    const replicaSet = this.#replicaSets.get(controllerOf(pod)?.uid ?? '')
    const deployment = this.#deployments.get((replicaSet && controllerOf(replicaSet)?.uid) ?? '')
    return deployment !== undefined && isOwnedBy(deployment, widget)
  }
}

function isOwnedBy(object: KubernetesObject, owner: KubernetesObject): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid
}

function generationKey({ metadata }: Widget): string {
  return `${metadata.uid} ${metadata.generation}`
}

function saysReady({ metadata, status }: Widget): boolean {
  return status?.observedGeneration === metadata.generation && isConditionTrue(status?.conditions ?? [], 'Ready')
}

/** Ready and not on its way out. */
export function isReady(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp === undefined && isConditionTrue((pod.status?.conditions ?? []) as never, 'Ready')
}

function isActive(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp === undefined && pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed'
}

import type { KubernetesObject } from '../api/index.js'
import type { EventInput } from './event-input.js'

/** Figures of correlation; the same as in client-go. */
const similarEventsBeforeCombining = 10
const similarityWindowMs = 600_000
const burstPerObject = 25
const refillMs = 300_000
const maxRemembered = 4096

/** What has been written for one kind of happening. */
export interface EventRecord {
  /** Name of the Event object, once it was created. */
  name?: string
  count: number
  firstMs: number
}

/** What is to be written. */
export interface CorrelatedEvent {
  readonly record: EventRecord
  readonly message: string
}

interface Similar {
  readonly messages: Set<string>
  lastMs: number
}

interface Bucket {
  tokens: number
  refilledMs: number
}

/** Decides what becomes of a happening: a new Event, a higher count of one there is, or nothing. Remembers a bounded number of each. */
export class EventCorrelator {
  readonly #records = new Map<string, EventRecord>()
  readonly #similar = new Map<string, Similar>()
  readonly #buckets = new Map<string, Bucket>()

  /** `undefined`: the object causes too many events. The record's count includes this one. */
  correlate(object: KubernetesObject, event: EventInput, nowMs: number): CorrelatedEvent | undefined {
    const subject = [object.kind, object.metadata.namespace, object.metadata.name, object.metadata.uid, event.fieldPath].join('\n')
    const group = [subject, event.type ?? 'Normal', event.reason].join('\n')
    const isCombined = this.#isFlood(group, event.message, nowMs)
    const key = isCombined ? group : `${group}\n${event.message}`
    const record = remember(this.#records, key, () => ({ count: 0, firstMs: nowMs }))
    if (!this.#takeToken(subject, nowMs)) return undefined
    record.count += 1
    return { record, message: isCombined ? `(combined from similar events): ${event.message}` : event.message }
  }

  #isFlood(group: string, message: string, nowMs: number): boolean {
    const similar = remember(this.#similar, group, () => ({ messages: new Set<string>(), lastMs: nowMs }))
    if (nowMs - similar.lastMs > similarityWindowMs) similar.messages.clear()
    similar.lastMs = nowMs
    similar.messages.add(message)
    if (similar.messages.size < similarEventsBeforeCombining) return false
    similar.messages.delete(similar.messages.values().next().value ?? '')
    return true
  }

  #takeToken(subject: string, nowMs: number): boolean {
    const bucket = remember(this.#buckets, subject, () => ({ tokens: burstPerObject, refilledMs: nowMs }))
    const refills = Math.floor((nowMs - bucket.refilledMs) / refillMs)
    if (refills > 0) {
      bucket.tokens = Math.min(burstPerObject, bucket.tokens + refills)
      bucket.refilledMs += refills * refillMs
    }
    if (bucket.tokens === 0) return false
    bucket.tokens -= 1
    return true
  }
}

/** The entry of a key, made if need be; the least recently used one goes when there are too many. */
function remember<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make()
  map.delete(key)
  map.set(key, value)
  if (map.size > maxRemembered) map.delete(map.keys().next().value as string)
  return value
}

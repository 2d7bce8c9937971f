import type { KubernetesObject } from '../api/index.js'
import { formatTime, isNamespaceTerminating, isNotFound, mergePatch } from '../api/index.js'
import { Event } from '../api/types/core/v1.js'
import type { Client } from '../client/index.js'
import type { Environment } from '../environment/index.js'
import type { Logger } from '../internal/index.js'
import { EventCorrelator, type EventRecord } from './event-correlator.js'
import type { EventInput } from './event-input.js'

/** Writes Events about objects. */
export interface EventRecorder {
  /**
   * Records an event about an object that was read from a server. Returns at once and never throws; the event is written in the background, or
   * dropped with a log line when more than 1000 wait.
   */
  event(object: KubernetesObject, event: EventInput): void
}

/** What a recorder needs of whoever runs it; a manager has it. */
export interface EventRecorderHost {
  readonly environment: Environment
  readonly client: Client
  readonly logger: Logger
}

/** Options of {@link createEventRecorder}. */
export interface EventRecorderOptions {
  /** Who reports: `deployment-controller`. */
  readonly component: string
  /** The node it reports from. @default none */
  readonly host?: string
}

/** A recorder of one component. It writes one event after the other, in order. */
export function createEventRecorder(host: EventRecorderHost, options: EventRecorderOptions): EventRecorder {
  return new QueueingRecorder(host, options)
}

const maxWaiting = 1000

interface WaitingEvent {
  readonly object: KubernetesObject
  readonly event: EventInput
  readonly atMs: number
}

class QueueingRecorder implements EventRecorder {
  readonly #host: EventRecorderHost
  readonly #options: EventRecorderOptions
  readonly #client: Client
  readonly #correlator = new EventCorrelator()
  readonly #waiting: WaitingEvent[] = []
  #isWriting = false
  #sequence = 0

  constructor(host: EventRecorderHost, options: EventRecorderOptions) {
    this.#host = host
    this.#options = options
    this.#client = host.client.with({ fieldManager: options.component, caller: `events/${options.component}` })
  }

  event(object: KubernetesObject, event: EventInput): void {
    if (this.#waiting.length >= maxWaiting) {
      this.#host.logger.warn('Event dropped: too many wait to be written', { reason: event.reason, name: object.metadata.name })
      return
    }
    this.#waiting.push({ object, event, atMs: this.#host.environment.now() })
    if (!this.#isWriting) void this.#writeAll()
  }

  /** Cannot reject: whoever records does not wait for it. */
  async #writeAll(): Promise<void> {
    this.#isWriting = true
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      try {
        await this.#write(next)
      } catch (error) {
        const facts = { reason: next.event.reason, error: String(error) }
        // Whatever happens in a namespace that is being deleted can be told to nobody.
        if (isNamespaceTerminating(error)) this.#host.logger.debug('Event dropped: its namespace is being deleted', facts)
        else this.#host.logger.warn('Event dropped: it could not be written', facts)
      }
    }
    this.#isWriting = false
  }

  async #write({ object, event, atMs }: WaitingEvent): Promise<void> {
    const correlated = this.#correlator.correlate(object, event, atMs)
    if (correlated === undefined) return
    const { record, message } = correlated
    const namespace = object.metadata.namespace ?? 'default'
    if (record.name !== undefined) {
      const change = mergePatch({ count: record.count, lastTimestamp: formatTime(atMs), message })
      try {
        await this.#client.patch(Event, { namespace, name: record.name }, change)
        return
      } catch (error) {
        // Servers forget events after an hour.
        if (!isNotFound(error)) throw error
      }
    }
    const name = this.#nameFor(object, atMs)
    await this.#client.create(Event, this.#eventObject({ object, event, atMs }, { record, message, name, namespace }))
    record.name = name
  }

  /** The object's name and a number that does not come twice, as client-go names events. */
  #nameFor(object: KubernetesObject, atMs: number): string {
    this.#sequence = (this.#sequence + 1) % 1_000_000
    const nanos = BigInt(Math.floor(atMs)) * 1_000_000n + BigInt(this.#sequence)
    return `${object.metadata.name}.${nanos.toString(16)}`
  }

  #eventObject(
    { object, event, atMs }: WaitingEvent,
    facts: { readonly record: EventRecord; readonly message: string; readonly name: string; readonly namespace: string },
  ) {
    const { component, host } = this.#options
    const { apiVersion, kind, metadata } = object
    return {
      metadata: { name: facts.name, namespace: facts.namespace },
      involvedObject: {
        ...(apiVersion === undefined ? {} : { apiVersion }),
        ...(kind === undefined ? {} : { kind }),
        ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
        ...(metadata.name === undefined ? {} : { name: metadata.name }),
        ...(metadata.uid === undefined ? {} : { uid: metadata.uid }),
        ...(metadata.resourceVersion === undefined ? {} : { resourceVersion: metadata.resourceVersion }),
        ...(event.fieldPath === undefined ? {} : { fieldPath: event.fieldPath }),
      },
      type: event.type ?? 'Normal',
      reason: event.reason,
      message: facts.message,
      count: facts.record.count,
      firstTimestamp: formatTime(facts.record.firstMs),
      lastTimestamp: formatTime(atMs),
      source: { component, ...(host === undefined ? {} : { host }) },
      reportingComponent: component,
      reportingInstance: host ?? '',
    }
  }
}

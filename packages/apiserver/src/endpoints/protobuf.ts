import { badRequest, bodyTooLarge, StatusError } from 'steersman/api'
import type { Environment, TransportRequest } from 'steersman/environment'
import type { ObjectProtobuf, Registry } from '../contracts/index.js'
import { DecodeError } from '../schema/index.js'
import { maxBodyBytes, summarize, unrecognizedObject } from './body.js'
import { contentType, protobufType } from './media-types.js'

/** Protobuf, loaded with the first request that names it. */
export class LazyProtobuf {
  readonly #registry: Registry
  readonly #environment: Environment
  #loaded: ObjectProtobuf | undefined

  constructor(registry: Registry, environment: Environment) {
    this.#registry = registry
    this.#environment = environment
  }

  /** What was loaded so far: enough for a request that was prepared. */
  get loaded(): ObjectProtobuf | undefined {
    return this.#loaded
  }

  /** Loads it where a request needs it: a virtual clock waits for that. */
  async prepare({ headers }: TransportRequest): Promise<void> {
    if (this.#loaded !== undefined) return
    const isWanted = headers.accept?.includes(protobufType) || headers['content-type']?.includes(protobufType)
    const loading = isWanted ? this.#registry.protobuf?.() : undefined
    if (loading !== undefined) this.#loaded = await this.#environment.hold(loading)
  }
}

/** The bytes of a body in protobuf; `undefined` for one of another type. @throws {StatusError} RequestEntityTooLarge. */
export function protobufBody({ body, headers }: TransportRequest): Uint8Array | undefined {
  if (body?.kind === 'value' || contentType(headers['content-type']) !== protobufType) return undefined
  const bytes = body?.bytes ?? new Uint8Array()
  if (bytes.length > maxBodyBytes) throw new StatusError(bodyTooLarge(maxBodyBytes))
  return bytes
}

/** Opens the envelope of a body that should hold an object of `kind`. @throws {StatusError} BadRequest. */
export function openEnvelope(protobuf: ObjectProtobuf, bytes: Uint8Array, kind: string) {
  try {
    return protobuf.openEnvelope(bytes)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw unrecognizedObject(kind, { message: error.message, snippet: summarize(bytes) })
  }
}

/** Runs what reads protobuf. What is wrong with the message is a bad request, told after `prefix`. @throws {StatusError} BadRequest. */
export function readOrRefuse<Value>(read: () => Value, prefix = ''): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof DecodeError ? new StatusError(badRequest(prefix + error.message), { cause: error }) : error
  }
}

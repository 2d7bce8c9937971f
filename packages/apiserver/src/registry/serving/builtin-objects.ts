import type { Status } from 'steersman/api'
import { badRequest, genericResponse, StatusError } from 'steersman/api'
import type { KindName, ObjectProtobuf, StrategicMerged } from '../../contracts/index.js'
import type { BuiltinSchemas } from '../../schema/index.js'
import { DecodeError, loadBuiltinSchemas, StrategicMergeError } from '../../schema/index.js'
import type { Decode } from '../store.js'
import type { ObjectDraft } from '../store-context.js'

/** What the generated tables know of objects of built-in kinds: how they are read, written out, merged and encoded. */
export class BuiltinObjects {
  readonly #schemas: BuiltinSchemas

  static async load(): Promise<BuiltinObjects> {
    return new BuiltinObjects(await loadBuiltinSchemas())
  }

  private constructor(schemas: BuiltinSchemas) {
    this.#schemas = schemas
  }

  /** Reads bodies of a kind. */
  decoder(kind: KindName): Decode {
    const definition = this.#definitionOf(kind)
    return (value, options = {}) => {
      const problems: string[] = []
      const read = () =>
        definition === undefined ? value : this.#schemas.decode(definition, value, { ...options, strictErrors: problems })
      return { object: readObject(read) as ReturnType<Decode>['object'], problems }
    }
  }

  /** Writes out, in place, what Go writes for the fields of a kind that hold nothing. */
  completer(kind: KindName): (draft: ObjectDraft) => void {
    const definition = this.#definitionOf(kind) ?? ''
    return (draft) => this.#schemas.complete(definition, draft)
  }

  /** @throws {StatusError} for a patch that cannot be merged. */
  strategicMerge(kind: KindName, current: Readonly<Record<string, unknown>>, patch: Readonly<Record<string, unknown>>): StrategicMerged {
    try {
      return this.#schemas.strategicMerge(this.#definitionOf(kind) ?? '', current, patch)
    } catch (error) {
      if (!(error instanceof StrategicMergeError)) throw error
      throw new StatusError(mergeRefusal(error), { cause: error })
    }
  }

  /** Loads the tables of protobuf when somebody asks for them. */
  protobuf(): Promise<ObjectProtobuf> {
    return this.#schemas.protobuf()
  }

  #definitionOf({ group, version, kind }: KindName): string | undefined {
    return this.#schemas.definitionName(group === '' ? version : `${group}/${version}`, kind)
  }
}

/** @throws {StatusError} BadRequest with the reason why a value is not an object of its kind. */
export function readObject(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (error instanceof DecodeError) throw new StatusError(badRequest(error.message), { cause: error })
    throw error
  }
}

function mergeRefusal({ message, status }: StrategicMergeError): Status {
  if (status === 400) return badRequest(message)
  if (status === 422) return genericResponse(422)
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 }
}

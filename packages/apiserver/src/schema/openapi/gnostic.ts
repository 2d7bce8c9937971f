import { stringifyJson } from 'steersman/api'
import { doubleField, messageField, textField, varintField } from './wire.js'

/** Writes the value of a member as zero or more fields with this number. */
type Write = (fieldNumber: number, value: unknown) => readonly Buffer[]

/** A message of the gnostic OpenAPI v2 model: the members of a JSON object that it takes, and the field of the others, whose names begin with `x-`. */
interface Message {
  readonly members: Readonly<Record<string, readonly [fieldNumber: number, write: Write]>>
  readonly extensions?: number
}

/**
 * Encodes an OpenAPI v2 document as the message `openapi.v2.Document` of github.com/google/gnostic-models, the only form of it that kubectl
 * asks for.
 */
export function encodeGnosticDocument(document: Readonly<Record<string, unknown>>): Uint8Array {
  return Buffer.concat(encode(documentMessage, document))
}

function encode({ members, extensions }: Message, value: unknown): readonly Buffer[] {
  return Object.entries(value as object).flatMap(([name, member]) => {
    const field = Object.hasOwn(members, name) ? members[name] : undefined
    if (field !== undefined) return field[1](field[0], member)
    return extensions !== undefined && name.startsWith('x-') ? [messageField(extensions, [textField(1, name), ...any(2, member)])] : []
  })
}

const string: Write = (fieldNumber, value) => [textField(fieldNumber, String(value))]
// As Go writes them: what is zero is left out.
const boolean: Write = (fieldNumber, value) => (value === true ? [varintField(fieldNumber, 1)] : [])
const integer: Write = (fieldNumber, value) => (Number(value) === 0 ? [] : [varintField(fieldNumber, Number(value))])
const number: Write = (fieldNumber, value) => (Number(value) === 0 ? [] : [doubleField(fieldNumber, Number(value))])
/** Any value is a text in YAML, of which JSON is a part. */
const any: Write = (fieldNumber, value) => [messageField(fieldNumber, [textField(2, `${stringifyJson(value)}\n`)])]

const repeated =
  (write: Write): Write =>
  (fieldNumber, value) =>
    (value as readonly unknown[]).flatMap((one) => write(fieldNumber, one))

/** Not evaluated before use, since messages are recursive. */
const message =
  (of: () => Message): Write =>
  (fieldNumber, value) => [messageField(fieldNumber, encode(of(), value))]

/** A message with this one field. */
const within =
  (inner: number, write: Write): Write =>
  (fieldNumber, value) => [messageField(fieldNumber, write(inner, value))]

/** A message with one of two fields. */
const either =
  (isFirst: (value: Readonly<Record<string, unknown>>) => boolean, first: Write, second: Write): Write =>
  (fieldNumber, value) => [
    messageField(fieldNumber, isFirst(value as Readonly<Record<string, unknown>>) ? first(1, value) : second(2, value)),
  ]

/** A message whose field `inner` repeats the members of an object with their names. */
const named =
  (inner: number, write: Write): Write =>
  (fieldNumber, value) => [
    messageField(
      fieldNumber,
      Object.entries(value as object).map(([name, member]) => messageField(inner, [textField(1, name), ...write(2, member)])),
    ),
  ]

const isReference = (value: Readonly<Record<string, unknown>>) => value.$ref !== undefined
const orReference = (write: Write): Write =>
  either(
    (value) => !isReference(value),
    write,
    message(() => referenceMessage),
  )
const strings = repeated(string)

const referenceMessage: Message = { members: { $ref: [1, string], description: [2, string] } }

const schema: Write = message(() => schemaMessage)

const schemaMessage: Message = {
  members: {
    $ref: [1, string],
    format: [2, string],
    title: [3, string],
    description: [4, string],
    default: [5, any],
    multipleOf: [6, number],
    maximum: [7, number],
    exclusiveMaximum: [8, boolean],
    minimum: [9, number],
    exclusiveMinimum: [10, boolean],
    maxLength: [11, integer],
    minLength: [12, integer],
    pattern: [13, string],
    maxItems: [14, integer],
    minItems: [15, integer],
    uniqueItems: [16, boolean],
    maxProperties: [17, integer],
    minProperties: [18, integer],
    required: [19, strings],
    enum: [20, repeated(any)],
    additionalProperties: [21, (fieldNumber, value) => either(() => typeof value !== 'boolean', schema, boolean)(fieldNumber, value)],
    type: [22, within(1, string)],
    items: [23, within(1, schema)],
    properties: [25, named(1, schema)],
    example: [30, any],
  },
  extensions: 31,
}

const nonBodyMembers: Message['members'] = { required: [1, boolean], in: [2, string], description: [3, string], name: [4, string] }
const queryMessage: Message = { members: { ...nonBodyMembers, type: [6, string], uniqueItems: [20, boolean] } }
const pathMessage: Message = { members: { ...nonBodyMembers, type: [5, string], uniqueItems: [19, boolean] } }
const bodyMessage: Message = {
  members: { description: [1, string], name: [2, string], in: [3, string], required: [4, boolean], schema: [5, schema] },
}

const queryParameter = within(
  3,
  message(() => queryMessage),
)
const pathParameter = within(
  4,
  message(() => pathMessage),
)
const parameter: Write = either(
  (value) => value.in === 'body',
  message(() => bodyMessage),
  (fieldNumber, value) => ((value as { readonly in: string }).in === 'path' ? pathParameter : queryParameter)(fieldNumber, value),
)

const responseMessage: Message = { members: { description: [1, string], schema: [2, within(1, schema)] } }

const operationMessage: Message = {
  members: {
    tags: [1, strings],
    description: [3, string],
    operationId: [5, string],
    produces: [6, strings],
    consumes: [7, strings],
    parameters: [8, repeated(orReference(parameter))],
    responses: [9, named(1, orReference(message(() => responseMessage)))],
    schemes: [10, strings],
  },
  extensions: 13,
}

const operation = message(() => operationMessage)

const pathItemMessage: Message = {
  members: {
    get: [2, operation],
    put: [3, operation],
    post: [4, operation],
    delete: [5, operation],
    options: [6, operation],
    head: [7, operation],
    patch: [8, operation],
    parameters: [9, repeated(orReference(parameter))],
  },
}

const infoMessage: Message = { members: { title: [1, string], version: [2, string], description: [3, string] } }
const apiKeyMessage: Message = { members: { type: [1, string], name: [2, string], in: [3, string], description: [4, string] } }

const documentMessage: Message = {
  members: {
    swagger: [1, string],
    info: [2, message(() => infoMessage)],
    paths: [
      8,
      named(
        2,
        message(() => pathItemMessage),
      ),
    ],
    definitions: [9, named(1, schema)],
    parameters: [10, named(1, parameter)],
    security: [12, repeated(named(1, within(1, strings)))],
    securityDefinitions: [
      13,
      named(
        1,
        within(
          2,
          message(() => apiKeyMessage),
        ),
      ),
    ],
  },
}

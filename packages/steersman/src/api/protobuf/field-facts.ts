/** The compact table of one definition: JSON name of a field to its type and attributes. */
export type ProtobufTable = Readonly<Record<string, string>>

/** Finds the table of a definition by its OpenAPI name, such as `io.k8s.api.core.v1.PodSpec`. */
export type ProtobufTableLookup = (definitionName: string) => ProtobufTable | undefined

/** One level of a field's place: the number in its message, and whether Go's field is a pointer. */
export interface FieldNumber {
  readonly number: number
  readonly isPointer: boolean
}

/** What protobuf has to know of a field. */
export interface FieldFacts {
  /** The JSON name. */
  readonly name: string
  /** A scalar, or the name of a definition. */
  readonly type: string
  readonly container: '' | 'array' | 'map'
  /** The values of the map, or the field itself, are a list in a message of its own. */
  readonly isWrapped: boolean
  /** The number; before it those of the messages that JSON inlines. */
  readonly path: readonly FieldNumber[]
  /** JSON leaves a zero scalar out. */
  readonly omitsZero: boolean
  /** JSON says `null` when there is none. */
  readonly showsNull: boolean
}

/**
 * Reads `<type>[!][;attribute]*` of a table: of the attributes `pb=5`, `pb=5?` (a pointer), `pb=2.5` (inlined), `pb=4w` (wrapped), `omit`,
 * `omitzero` and `null`. A field without `pb` has no place in protobuf: `undefined`.
 */
export function fieldFacts(name: string, text: string): FieldFacts | undefined {
  const [typeText = '', ...attributes] = text.split(';')
  const numbers = attributes.find((attribute) => attribute.startsWith('pb='))?.slice(3)
  if (numbers === undefined) return undefined
  const match = /^((?:\[\]|\{\})*)(.*?)!?$/.exec(typeText)
  const containers = match?.[1] ?? ''
  const isWrapped = numbers.includes('w')
  return {
    name,
    type: match?.[2] ?? '',
    container: containers.startsWith('{}') ? 'map' : containers.startsWith('[]') && !isWrapped ? 'array' : '',
    isWrapped,
    path: numbers.split('.').map((part) => ({ number: Number.parseInt(part, 10), isPointer: part.includes('?') })),
    omitsZero: attributes.includes('omit') || attributes.includes('omitzero'),
    showsNull: attributes.includes('null'),
  }
}

/** Go's name of the field, as messages about it say; taken from its JSON name. */
export function goFieldName({ name, type }: FieldFacts): string {
  if (name === 'metadata') return type.slice(type.lastIndexOf('.') + 1)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Where definitions of metadata and of what goes around objects have their names. */
export const metaPackage = 'io.k8s.apimachinery.pkg.apis.meta.v1'

/** The compact table of one definition: JSON name of a field to its type and attributes (see `parseField`). */
export type DefinitionTable = Readonly<Record<string, string>>

/** Finds the table of a definition by its OpenAPI name, such as `io.k8s.api.core.v1.PodSpec`. */
export type DefinitionLookup = (definitionName: string) => DefinitionTable | undefined

/** A field of a definition, parsed from its compact form. */
export interface DefinitionField {
  /** `string`, `int32`, …, or the name of a definition. */
  readonly type: string
  readonly container: '' | 'array' | 'map'
  /** The type of the values of the array or map is itself an array (`{}[]string`). */
  readonly innerContainer: '' | 'array' | 'map'
  /** Written even when zero. It only matters for OpenAPI: a missing value is never refused. */
  readonly isRequired: boolean
  readonly listType?: string
  readonly listMapKeys?: readonly string[]
  readonly mapType?: string
  readonly patchStrategy?: string
  readonly patchMergeKey?: string
  readonly enum?: readonly string[]
  /** A scalar that is left out when it is empty, zero or false. */
  readonly omitsZero?: boolean
  /** A struct value that is left out when all in it is zero. */
  readonly omitsZeroStruct?: boolean
  /** Written as `null` when it holds nothing. */
  readonly isNull?: boolean
  /** Absent when Go's pointer is nil; also a field that is no part of a message. */
  readonly isPointer?: boolean
  /** Go's name of a named scalar type, such as `v1.RestartPolicy`; it shows in messages only. */
  readonly goType?: string
  /** Go's name of a named list type, of a named map type and of the keys of a map, in the same way. */
  readonly goList?: string
  readonly goMap?: string
  readonly goKey?: string
}

/**
 * Parses `<type>[!][;attribute]*`: type is a scalar or a definition name, after `[]` for a list or `{}` for a map; `!` = required;
 * attributes are `list=atomic|set|map`, `keys=a,b`, `map=atomic`, `patch=merge`, `mergeKey=name`, `enum=A|B`, `go=v1.Name`, `goList`, `goMap` and `goKey` likewise, `omit`, `omitzero`, `null`, and `pb=5`:
 * its number in protobuf (`pb=2.5`: in the message of field 2, where JSON has it inline; `?` after the number of a pointer, `w` for a list with a message of its own).
 */
export function parseField(text: string): DefinitionField {
  const [typeText = '', ...attributes] = text.split(';')
  const isRequired = typeText.endsWith('!')
  let type = isRequired ? typeText.slice(0, -1) : typeText
  const containers: ('array' | 'map')[] = []
  while (type.startsWith('[]') || type.startsWith('{}')) {
    containers.push(type.startsWith('[]') ? 'array' : 'map')
    type = type.slice(2)
  }
  const values = new Map(attributes.map(attributePair))
  const attribute = (name: string): string | undefined => values.get(name)
  return {
    type,
    container: containers[0] ?? '',
    innerContainer: containers[1] ?? '',
    isRequired,
    ...optional('listType', attribute('list')),
    ...optional('listMapKeys', attribute('keys')?.split(',')),
    ...optional('mapType', attribute('map')),
    ...optional('patchStrategy', attribute('patch')),
    ...optional('patchMergeKey', attribute('mergeKey')),
    ...optional('enum', attribute('enum')?.split('|')),
    ...optional('goType', attribute('go')),
    ...optional('goList', attribute('goList')),
    ...optional('goMap', attribute('goMap')),
    ...optional('goKey', attribute('goKey')),
    ...(values.has('omit') ? { omitsZero: true } : {}),
    ...(values.has('omitzero') ? { omitsZeroStruct: true } : {}),
    ...(values.has('null') ? { isNull: true } : {}),
    ...(attribute('pb')?.includes('?') === false ? {} : { isPointer: true }),
  }
}

function attributePair(attribute: string): [string, string] {
  const equals = attribute.indexOf('=')
  return equals < 0 ? [attribute, ''] : [attribute.slice(0, equals), attribute.slice(equals + 1)]
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value }
}

/** The last part of a definition name and of its package, as Go prints a type: `v1.PodSpec`. */
export function goTypeName(definitionName: string): string {
  const parts = definitionName.split('.')
  return parts.slice(-2).join('.')
}

/** The struct name of a definition: `PodSpec`. */
export function structName(definitionName: string): string {
  return definitionName.slice(definitionName.lastIndexOf('.') + 1)
}

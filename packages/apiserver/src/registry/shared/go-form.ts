import { compareCodePoints } from 'steersman/api'
import { goStructs } from './go-structs.generated.js'

type Json = Readonly<Record<string, unknown>>

/** Writes a value of the wire as a member of a Go struct; `undefined`: the member is left out. */
type MemberWriter = (source: Json, target: Record<string, unknown>) => void

const writers = new Map<string, readonly MemberWriter[]>()

/**
 * A value as the real server shows its own struct of a kind: with Go's names in Go's order, and with what is not there. A struct is written
 * `Name=name`, a member after another: Go's name, the name on the wire (nothing: it is not there) and what kind of thing it is: nothing a text, `#` a number, `!` a
 * boolean, `$` a quantity, `?` null when there is none, `^Struct` a struct, `?Struct` a pointer to one, `[Struct` a list of them, `{Struct` a map of them and `{` one of
 * scalars. `~` before a name: left out when there is none. `@name^Struct`: the members of that struct stand among the others.
 */
export function goForm(struct: string, value: object | undefined): Json {
  const target: Record<string, unknown> = {}
  for (const write of writersOf(struct)) write((value ?? {}) as Json, target)
  return target
}

function writersOf(struct: string): readonly MemberWriter[] {
  let known = writers.get(struct)
  if (known === undefined) {
    const text = goStructs[struct]
    if (text === undefined) throw new TypeError(`Cannot show a ${struct} as Go does: hack/gostructs does not write it`)
    known = text.split(' ').map(memberWriter)
    writers.set(struct, known)
  }
  return known
}

const memberPattern = /^(?<mark>[~@]?)(?<name>\w+)(?:=(?<source>\w*))?(?<kind>[#!$?^[{]?)(?<struct>\w*)$/

function memberWriter(text: string): MemberWriter {
  const { mark = '', name = '', source = '', kind = '', struct = '' } = memberPattern.exec(text)?.groups ?? {}
  if (mark === '@') return (value, target) => void Object.assign(target, goForm(struct, value[name] as object | undefined))
  return (value, target) => {
    const member = value[source]
    if (mark === '~' && isNothing(member)) return
    target[name] = memberForm(kind, struct, member)
  }
}

function memberForm(kind: string, struct: string, member: unknown): unknown {
  switch (kind) {
    case '^':
      return goForm(struct, (member ?? undefined) as object | undefined)
    case '?':
      if (member === undefined || member === null) return null
      return struct === '' ? member : goForm(struct, member as object)
    case '[':
      return (member as readonly object[] | null | undefined)?.map((item) => goForm(struct, item)) ?? null
    case '{':
      return member === undefined || member === null ? null : mapForm(struct, member as Json)
    case '#':
      return member ?? 0
    case '!':
      return member ?? false
    case '$':
      return member ?? '0'
    default:
      return member ?? ''
  }
}

function mapForm(struct: string, map: Json): Json {
  const entries = Object.entries(map).sort(([a], [b]) => compareCodePoints(a, b))
  return Object.fromEntries(struct === '' ? entries : entries.map(([key, value]) => [key, goForm(struct, value as object)]))
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

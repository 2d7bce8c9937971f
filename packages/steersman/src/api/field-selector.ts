/**
 * Field selectors: `metadata.name=web,status.phase!=Running`.
 */
import { compareCodePoints } from './go-format.js'
import { SelectorError } from './label-requirement.js'

/** One condition of a field selector. */
export interface FieldRequirement {
  readonly field: string
  /** `==` on the wire is `=` here. */
  readonly operator: '=' | '!='
  readonly value: string
}

/** A compiled field selector: all its requirements must hold. Immutable. */
export interface CompiledFieldSelector {
  readonly requirements: readonly FieldRequirement[]
  /** Whether it selects everything. */
  readonly isEmpty: boolean
  /** Whether an object is selected whose fields `get` returns; an absent field is the empty string. */
  matches(get: (field: string) => string | undefined): boolean
  /** The one value that the field must have, if the selector says so. Lets a key or an index answer. */
  exactValue(field: string): string | undefined
  /** The canonical text, values escaped. Parses to an equal selector. */
  toString(): string
}

class RequirementsSelector implements CompiledFieldSelector {
  readonly requirements: readonly FieldRequirement[]

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements
  }

  get isEmpty(): boolean {
    return this.requirements.length === 0
  }

  matches(get: (field: string) => string | undefined): boolean {
    for (const { field, operator, value } of this.requirements) {
      if (((get(field) ?? '') === value) !== (operator === '=')) return false
    }
    return true
  }

  exactValue(field: string): string | undefined {
    return this.requirements.find((requirement) => requirement.field === field && requirement.operator === '=')?.value
  }

  toString(): string {
    return this.requirements.map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`).join(',')
  }
}

/** Selects every object. */
export const everyField: CompiledFieldSelector = new RequirementsSelector([])

/**
 * Compiles a field selector's text. In values `,`, `=` and `\` are written `\,`, `\=` and `\\`. Which fields a resource
 * knows is the caller's business: look at `requirements`.
 *
 * @throws SelectorError with kube-apiserver's message.
 */
export function parseFieldSelector(text: string): CompiledFieldSelector {
  if (text === '') return everyField
  const terms = splitTerms(text).sort(compareCodePoints)
  return new RequirementsSelector(terms.filter((term) => term !== '').map((term) => parseTerm(term, text)))
}

/** A selector for objects whose fields have these values. */
export function selectorFromFields(fields: Readonly<Record<string, string>>): CompiledFieldSelector {
  return new RequirementsSelector(Object.entries(fields).map(([field, value]) => ({ field, operator: '=', value })))
}

/** The value as it stands in a field selector's text. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&')
}

/** Splits at commas that no backslash precedes. */
function splitTerms(text: string): string[] {
  const terms: string[] = []
  let start = 0
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === ',') {
      terms.push(text.slice(start, index))
      start = index + 1
    }
  }
  terms.push(text.slice(start))
  return terms
}

function parseTerm(term: string, whole: string): FieldRequirement {
  const operator = /!=|==|=/.exec(term)
  if (operator === null) throw new SelectorError(`invalid selector: '${whole}'; can't understand '${term}'`)
  const value = unescapeFieldValue(term.slice(operator.index + operator[0].length))
  return { field: term.slice(0, operator.index), operator: operator[0] === '!=' ? '!=' : '=', value }
}

function unescapeFieldValue(text: string): string {
  if (!/[\\,=]/.test(text)) return text
  let value = ''
  const chars = text[Symbol.iterator]()
  for (const char of chars) {
    if (char === '\\') {
      const escaped = chars.next()
      if (escaped.done) throw new SelectorError('invalid field selector: invalid escape sequence: \\')
      if (!'\\,='.includes(escaped.value)) {
        throw new SelectorError(`invalid field selector: invalid escape sequence: \\${escaped.value}`)
      }
      value += escaped.value
    } else if (char === ',' || char === '=') {
      // The server prints the character as a number.
      throw new SelectorError(`invalid field selector: unescaped character in value: ${char.charCodeAt(0)}`)
    } else value += char
  }
  return value
}

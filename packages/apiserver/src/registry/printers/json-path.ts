/** A JSONPath that cannot be parsed. */
export class JsonPathError extends Error {
  readonly code = 'JSON_PATH_INVALID'

  constructor(message: string) {
    super(message)
    this.name = 'JsonPathError'
  }
}

/** Finds the values that a path leads to; undefined when the path does not fit the value (an index of what is no list, for instance). */
export type JsonPath = (value: unknown) => readonly unknown[] | undefined

/** One step of a path: values in, values out. A throw of `Mismatch` ends the evaluation. */
type Step = (values: readonly unknown[]) => readonly unknown[]

class Mismatch extends Error {}

/**
 * Compiles a path in the dialect of `kubectl`: `.a.b[0]`, `['a']`, `[-1]`, `[0:2:1]`, `[*]`, `.*`, `..name`, `[a,b]`,
 * `[?(@.type=="Ready")]` with `==`, `!=`, `<`, `<=`, `>`, `>=`, or without a comparison. A dot in a name is escaped: `.a\.b`. Missing
 * members are no error. Members of objects are visited in the order of their names.
 *
 * @throws {JsonPathError} when the path cannot be parsed.
 */
export function compileJsonPath(text: string): JsonPath {
  const steps = new PathParser(text).parse()
  return (value) => {
    try {
      return run(steps, [value])
    } catch (error) {
      if (error instanceof Mismatch) return undefined
      throw error
    }
  }
}

function run(steps: readonly Step[], values: readonly unknown[]): readonly unknown[] {
  return steps.reduce((current, step) => step(current), values)
}

const maxPathLength = 4096

class PathParser {
  readonly #text: string
  #position = 0

  constructor(text: string) {
    if (text.length > maxPathLength) throw new JsonPathError(`path is longer than ${maxPathLength} characters`)
    this.#text = text
  }

  parse(): readonly Step[] {
    const steps: Step[] = []
    while (this.#position < this.#text.length) {
      const rest = this.#text.slice(this.#position)
      const char = rest[0] ?? ''
      if (rest.startsWith('[?(')) steps.push(this.#filter())
      else if (rest.startsWith('..')) steps.push(...this.#recursive())
      else if (char === '[') steps.push(...this.#brackets())
      else if (char === '.') steps.push(this.#field(1))
      else if (char === '"' || char === "'") steps.push(literal(this.#quoted(char)))
      else if (char === ' ' || char === '@' || char === '$') this.#position++
      else if (/[+\-0-9]/.test(char)) steps.push(literal(this.#number()))
      else if (/[\p{L}_]/u.test(char)) steps.push(literal(this.#word()))
      else throw new JsonPathError(`unrecognized character in action: ${JSON.stringify(char)}`)
    }
    return steps
  }

  #field(skip: number): Step {
    this.#position += skip
    const name = /^(?:\\.|[^\s.,[\]$@{}\\])*/.exec(this.#text.slice(this.#position))?.[0] ?? ''
    this.#position += name.length
    return name === '*' ? children : member(name.replaceAll('\\', ''))
  }

  #recursive(): readonly Step[] {
    this.#position += 2
    const isName = /^[\p{L}\p{N}_]/u.test(this.#text.slice(this.#position))
    return isName ? [descendants, this.#field(0)] : [descendants]
  }

  #brackets(): readonly Step[] {
    const end = this.#text.indexOf(']', this.#position)
    if (end < 0) throw new JsonPathError('unterminated array')
    const inner = this.#text.slice(this.#position + 1, end)
    this.#position = end + 1
    const alternatives = inner.split(',')
    if (alternatives.length > 1) {
      const paths = alternatives.map((one) => new PathParser(`[${one.trim()}]`).parse())
      return [(values) => paths.flatMap((path) => run(path, values))]
    }
    // As upstream: a quoted name is a path of its own, so a dot in it separates names unless escaped.
    const key = /^'([^']*)'$/.exec(inner)
    if (key !== null) return new PathParser(`.${key[1] ?? ''}`).parse()
    return [slice(inner === '*' ? ':' : inner)]
  }

  #filter(): Step {
    const end = this.#filterEnd()
    const condition = this.#text.slice(this.#position + 3, end)
    this.#position = end + 2
    const match = /^([^!<>=]+)([!<>=]+)(.+?)$/.exec(condition)
    if (match === null) return filterBy(existence(new PathParser(condition).parse()))
    const [, left = '', operator = '', right = ''] = match
    return filterBy(comparison(new PathParser(left).parse(), operator, new PathParser(right).parse()))
  }

  /** The position of the parenthesis that closes a filter; those in quotes do not count. */
  #filterEnd(): number {
    let quote = ''
    for (let index = this.#position + 3; index < this.#text.length; index++) {
      const char = this.#text[index] ?? ''
      if (quote !== '') {
        if (char === quote && this.#text[index - 1] !== '\\') quote = ''
      } else if (char === '"' || char === "'") quote = char
      else if (char === ')') {
        if (this.#text[index + 1] !== ']') throw new JsonPathError('unclosed array expect ]')
        return index
      }
    }
    throw new JsonPathError('unterminated filter')
  }

  #quoted(quote: string): string {
    let text = ''
    for (let index = this.#position + 1; index < this.#text.length; index++) {
      const char = this.#text[index] ?? ''
      if (char === quote) {
        this.#position = index + 1
        return text
      }
      text += char === '\\' ? (this.#text[++index] ?? '') : char
    }
    throw new JsonPathError('unterminated quoted string')
  }

  #number(): number {
    const text = /^[+-]?[0-9.]*/.exec(this.#text.slice(this.#position))?.[0] ?? ''
    this.#position += text.length
    const value = text === '' ? Number.NaN : Number(text)
    if (Number.isNaN(value)) throw new JsonPathError(`cannot parse number ${text}`)
    return value
  }

  #word(): boolean {
    const word = /^[^\s.,[\]$@{}]*/.exec(this.#text.slice(this.#position))?.[0] ?? ''
    this.#position += word.length
    if (word !== 'true' && word !== 'false') throw new JsonPathError(`unrecognized identifier ${word}`)
    return word === 'true'
  }
}

function literal(value: unknown): Step {
  return (values) => values.map(() => value)
}

function member(name: string): Step {
  return (values) =>
    values.flatMap((value) =>
      isObject(value) && !Array.isArray(value) && Object.hasOwn(value, name) ? [(value as Record<string, unknown>)[name]] : [],
    )
}

function children(values: readonly unknown[]): readonly unknown[] {
  return values.flatMap(membersOf)
}

function descendants(values: readonly unknown[]): readonly unknown[] {
  return values.flatMap((value) => {
    const members = membersOf(value)
    return members.length === 0 ? [] : [value, ...descendants(members)]
  })
}

function membersOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (!isObject(value)) return []
  const record = value as Record<string, unknown>
  return Object.keys(record)
    .sort()
    .map((name) => record[name])
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function slice(text: string): Step {
  const match = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text)
  if (match === null) throw new JsonPathError(`invalid array index ${text}`)
  const from = numberOrUndefined(match[1])
  const isIndex = match[2] === undefined
  const to = isIndex ? undefined : numberOrUndefined(match[2]?.slice(1))
  const step = numberOrUndefined(match[3]?.slice(1)) ?? 1
  return (values) =>
    values.flatMap((value) => {
      if (value === null || value === undefined) return []
      if (!Array.isArray(value)) throw new Mismatch()
      const start = wrap(from ?? 0, value.length)
      const end = isIndex ? start + 1 : wrap(to ?? value.length, value.length)
      if (start === end) return []
      if (start < 0 || start >= value.length || end < 0 || end > value.length || start > end || step <= 0) throw new Mismatch()
      return value.slice(start, end).filter((_, index) => index % step === 0)
    })
}

function numberOrUndefined(text: string | undefined): number | undefined {
  return text === undefined || text === '' || text === '-' ? undefined : Number(text)
}

function wrap(index: number, length: number): number {
  return index < 0 ? index + length : index
}

function filterBy(condition: (item: unknown) => boolean): Step {
  return (values) =>
    values.flatMap((value) => {
      if (!Array.isArray(value)) throw new Mismatch()
      return value.filter(condition)
    })
}

function existence(path: readonly Step[]): (item: unknown) => boolean {
  return (item) => {
    try {
      return run(path, [item]).length > 0
    } catch (error) {
      if (error instanceof Mismatch) return false
      throw error
    }
  }
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

function comparison(left: readonly Step[], operator: string, right: readonly Step[]): (item: unknown) => boolean {
  return (item) => {
    const lefts = run(left, [item])
    if (lefts.length === 0) return false
    const rights = run(right, [item])
    if (rights.length === 0) return false
    if (lefts.length > 1 || rights.length > 1) throw new Mismatch()
    const decide = comparisons[operator]
    if (decide === undefined) throw new Mismatch()
    return decide(orderOf(lefts[0], rights[0], operator))
  }
}

// Only values of the same kind can be compared; whole numbers and fractions are different kinds, as in Go.
function orderOf(left: unknown, right: unknown, operator: string): number {
  const kind = kindOf(left)
  if (kind === '' || kind !== kindOf(right)) throw new Mismatch()
  if (kind === 'boolean' && operator !== '==' && operator !== '!=') throw new Mismatch()
  if (left === right) return 0
  return (left as string) < (right as string) ? -1 : 1
}

function kindOf(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value === 'string' || typeof value === 'boolean' ? typeof value : ''
}

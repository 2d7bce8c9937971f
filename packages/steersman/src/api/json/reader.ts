import { goQuote } from '../go-format.js'

/** How deep objects and lists may nest; as in kube-apiserver. */
export const maxJsonDepth = 10_000

/** A text is not JSON. The message is the one that kube-apiserver has for it. */
export class JsonSyntaxError extends Error {
  readonly code = 'JSON_SYNTAX'
  /** Where in the text, in UTF-16 units. */
  readonly offset: number

  constructor(message: string, offset: number, options?: ErrorOptions) {
    super(message, options)
    this.name = 'JsonSyntaxError'
    this.offset = offset
  }
}

/** What a text says beyond its value. Paths are written `spec.containers[0].name`; each occurs once, at most a hundred of a sort. */
export interface JsonScan {
  readonly value: unknown
  /** Members that an object has more than once; the last one counts. */
  readonly duplicateKeys: readonly string[]
  /** Whole numbers written as floating point: where an integer is wanted, strict servers refuse them. */
  readonly wholeFloats: readonly string[]
}

interface Frame {
  readonly container: Record<string, unknown> | unknown[]
  /** The member that is being read, of an object. */
  key: string
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const literals: readonly (readonly [word: string, value: unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]
const closingOf = { object: '}', list: ']' } as const
const minInt64 = -(2n ** 63n)
const maxInt64 = 2n ** 63n - 1n

/**
 * Reads a whole text without recursion, so that depth cannot exhaust the stack.
 *
 * @throws JsonSyntaxError
 */
export function readJson(text: string, maxDepth = maxJsonDepth): JsonScan {
  return new Reader(text, maxDepth).read()
}

const maxReported = 100
const maxRecorded = 1000

/** Paths to report. Each is as long as the text is deep, so a hostile text must not be able to ask for many. */
class Findings {
  readonly #paths = new Set<string>()
  #recorded = 0

  record(path: () => string): void {
    if (this.#paths.size >= maxReported || this.#recorded >= maxRecorded) return
    this.#recorded++
    this.#paths.add(path())
  }

  report(): readonly string[] {
    return [...this.#paths]
  }
}

class Reader {
  readonly #text: string
  readonly #maxDepth: number
  readonly #frames: Frame[] = []
  readonly #duplicateKeys = new Findings()
  readonly #wholeFloats = new Findings()
  #position = 0

  constructor(text: string, maxDepth: number) {
    this.#text = text
    this.#maxDepth = maxDepth
  }

  read(): JsonScan {
    let value: unknown
    do value = this.#step()
    while (this.#frames.length > 0)
    if (this.#nextChar() !== '') throw this.#invalid('after top-level value')
    return { value, duplicateKeys: this.#duplicateKeys.report(), wholeFloats: this.#wholeFloats.report() }
  }

  /** Reads one value, or opens a container; then closes every container that ends here. Returns the last value completed. */
  #step(): unknown {
    let value: unknown
    const char = this.#nextChar()
    if (char === '{' || char === '[') {
      const opened = this.#open(char)
      if (opened === undefined) return undefined
      value = opened
    } else value = this.#scalar(char)
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      store(frame, value)
      if (!this.#endsAfterElement(frame)) return undefined
      value = frame.container
      this.#frames.pop()
    }
    return value
  }

  /** Opens a container; an empty one is complete at once and returned. */
  #open(char: '{' | '['): object | undefined {
    if (this.#frames.length >= this.#maxDepth) throw new JsonSyntaxError('exceeded max depth', this.#position)
    this.#position++
    const isObject = char === '{'
    const container = isObject ? {} : []
    if (this.#nextChar() === closingOf[isObject ? 'object' : 'list']) {
      this.#position++
      return container
    }
    const frame = { container, key: '' }
    this.#frames.push(frame)
    if (isObject) this.#key(frame)
    return undefined
  }

  /** After an element: a comma leads to the next one, the closing bracket ends the container. */
  #endsAfterElement(frame: Frame): boolean {
    const isObject = !Array.isArray(frame.container)
    const char = this.#nextChar()
    if (char === closingOf[isObject ? 'object' : 'list']) {
      this.#position++
      return true
    }
    if (char !== ',') throw this.#invalid(isObject ? 'after object key:value pair' : 'after array element')
    this.#position++
    if (isObject) this.#key(frame)
    return false
  }

  #key(frame: Frame): void {
    if (this.#nextChar() !== '"') throw this.#invalid('looking for beginning of object key string')
    frame.key = this.#string()
    if (Object.hasOwn(frame.container, frame.key)) this.#duplicateKeys.record(() => this.#path())
    if (this.#nextChar() !== ':') throw this.#invalid('after object key')
    this.#position++
  }

  #scalar(char: string): unknown {
    if (char === '"') return this.#string()
    if (char === '-' || (char >= '0' && char <= '9')) return this.#number()
    for (const [word, value] of literals) {
      if (char === word[0]) {
        this.#literal(word)
        return value
      }
    }
    throw this.#invalid('looking for beginning of value')
  }

  #literal(word: string): void {
    for (const expected of word) {
      if (this.#text[this.#position] !== expected) throw this.#invalid(`in literal ${word} (expecting '${expected}')`)
      this.#position++
    }
  }

  #number(): number | bigint {
    numberPattern.lastIndex = this.#position
    const digits = numberPattern.exec(this.#text)?.[0]
    if (digits === undefined) {
      this.#position++
      throw this.#invalid('in numeric literal')
    }
    this.#position += digits.length
    // A point or an exponent that the pattern left behind lacks its digits.
    const next = this.#text[this.#position] ?? ''
    const hasExponent = /[eE]/.test(digits)
    if ((next === '.' && !hasExponent && !digits.includes('.')) || (!hasExponent && (next === 'e' || next === 'E'))) {
      const isSigned = next !== '.' && /[+-]/.test(this.#text[this.#position + 1] ?? '')
      this.#position += isSigned ? 2 : 1
      throw this.#invalid('in numeric literal')
    }
    if (!/[.eE]/.test(digits)) return integer(digits)
    const value = Number(digits)
    if (Number.isInteger(value)) this.#wholeFloats.record(() => this.#path())
    return value
  }

  #string(): string {
    const start = this.#position
    let position = start + 1
    let plain = true
    for (;;) {
      const code = this.#text.charCodeAt(position)
      if (code === 0x22) break
      if (code === 0x5c) {
        plain = false
        position = this.#escape(position)
      } else if (code < 0x20 || Number.isNaN(code)) {
        this.#position = position
        throw this.#invalid('in string')
      } else position++
    }
    this.#position = position + 1
    return plain ? this.#text.slice(start + 1, position) : JSON.parse(this.#text.slice(start, position + 1))
  }

  /** Checks an escape sequence and returns the position after it. */
  #escape(start: number): number {
    const kind = this.#text[start + 1]
    if (kind !== undefined && '"\\/bfnrt'.includes(kind)) return start + 2
    const length = kind === 'u' ? 6 : 2
    const sequence = this.#text.slice(start, start + length)
    if (/^\\u[0-9a-fA-F]{4}$/.test(sequence)) return start + length
    if (start + length > this.#text.length && /^\\(?:u[0-9a-fA-F]*)?$/.test(sequence)) {
      throw new JsonSyntaxError('unexpected end of JSON input', this.#text.length)
    }
    throw new JsonSyntaxError(`invalid escape sequence ${goBackquote(sequence)} in string`, start)
  }

  /** Skips white space; the next character, or the empty string at the end. */
  #nextChar(): string {
    for (;;) {
      const code = this.#text.charCodeAt(this.#position)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break
      this.#position++
    }
    return this.#text[this.#position] ?? ''
  }

  #path(): string {
    let path = ''
    for (const { container, key } of this.#frames) {
      if (Array.isArray(container)) path += `[${container.length}]`
      else path += path === '' ? key : `.${key}`
    }
    return path
  }

  #invalid(where: string): JsonSyntaxError {
    const code = this.#text.codePointAt(this.#position)
    if (code === undefined) return new JsonSyntaxError('unexpected end of JSON input', this.#position)
    return new JsonSyntaxError(`invalid character ${goQuoteChar(String.fromCodePoint(code))} ${where}`, this.#position)
  }
}

function store(frame: Frame, value: unknown): void {
  const { container, key } = frame
  if (Array.isArray(container)) container.push(value)
  // Plain assignment would set the prototype.
  else if (key === '__proto__') Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true })
  else container[key] = value
}

/** Integers are of 64 bits, as in Go; one beyond that is read as floating point. */
function integer(digits: string): number | bigint {
  const value = Number(digits)
  if (Number.isSafeInteger(value)) return value
  const exact = BigInt(digits)
  return exact >= minInt64 && exact <= maxInt64 ? exact : value
}

function goQuoteChar(char: string): string {
  if (char === "'") return "'\\''"
  if (char === '"') return "'\"'"
  return `'${goQuote(char).slice(1, -1)}'`
}

function goBackquote(text: string): string {
  return /^[\x20-\x5f\x61-\x7e]*$/.test(text) ? `\`${text}\`` : goQuote(text)
}

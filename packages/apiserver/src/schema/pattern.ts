import { createRequire } from 'node:module'

/** Tests a string against a pattern. */
export type Matcher = (text: string) => boolean

/** A pattern that is not valid RE2. `message` is Go's: ``error parsing regexp: missing closing ]: `[a` ``. */
export class PatternError extends Error {
  readonly code = 'PATTERN_INVALID'

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PatternError'
  }
}

type Re2Module = Pick<typeof import('re2js'), 'RE2JS'>

const maxCachedPatterns = 2048

/** Compiled patterns and the engine, which is only loaded when a pattern needs it. Holds nothing that depends on who asks. */
class PatternCache {
  readonly #matchers = new Map<string, Matcher>()
  #re2: Re2Module | undefined

  matcher(pattern: string): Matcher {
    const known = this.#matchers.get(pattern)
    if (known !== undefined) return known
    const native = toNativeSource(pattern)
    const matcher = native === undefined ? this.#compileWithRe2(pattern) : nativeMatcher(native)
    if (this.#matchers.size >= maxCachedPatterns) this.#matchers.clear()
    this.#matchers.set(pattern, matcher)
    return matcher
  }

  #compileWithRe2(pattern: string): Matcher {
    // Validation is synchronous, and importing the engine costs 10 ms that most processes never need, hence `require` at first use.
    this.#re2 ??= createRequire(import.meta.url)('re2js') as Re2Module
    try {
      const expression = this.#re2.RE2JS.compile(pattern)
      return (text) => expression.test(text)
    } catch (error) {
      throw new PatternError(error instanceof Error ? error.message : String(error), { cause: error })
    }
  }
}

const patterns = new PatternCache()

/**
 * Compiles a pattern of Go's syntax (RE2). Matches anywhere in the text unless anchored. Linear in the length of the text: the engine is
 * RE2's, loaded at the first pattern that needs it; patterns that are provably harmless and mean the same in both run natively.
 *
 * @throws {PatternError} when the pattern is not valid.
 */
export function compilePattern(pattern: string): Matcher {
  return patterns.matcher(pattern)
}

function nativeMatcher(source: string): Matcher {
  const expression = new RegExp(source, 'u')
  return (text) => expression.test(text)
}

const syntaxCharacters = /[\\^$.*+?()[\]{}|/]/
const maxChoices = 6

/**
 * The same pattern for the native engine, or undefined when that is not provably safe. Safe: anchored at the start, no construct
 * whose meaning differs, at most one repetition of variable length and that one of a single character class outside any repeated
 * group, and few optional parts: so the number of steps is bounded by a constant times the length of the text.
 */
export function toNativeSource(pattern: string): string | undefined {
  if (!pattern.startsWith('^')) return undefined
  const scan = new NativeScan(pattern)
  return scan.run()
}

class NativeScan {
  readonly #characters: readonly string[]
  #position = 0
  #output = ''
  #depth = 0
  #variableRepetitions = 0
  #choices = 0
  /** What a repetition operator would apply to. */
  #previous: 'nothing' | 'atom' | 'group' = 'nothing'

  constructor(pattern: string) {
    this.#characters = [...pattern]
  }

  run(): string | undefined {
    while (this.#position < this.#characters.length) if (!this.#step()) return undefined
    return this.#depth === 0 && this.#variableRepetitions <= 1 && this.#choices <= maxChoices ? this.#output : undefined
  }

  #step(): boolean {
    const char = this.#characters[this.#position] ?? ''
    switch (char) {
      case '^':
        // Only as the very first character: an anchor inside an alternative would not anchor the whole.
        return this.#position === 0 && this.#emit(char, 'nothing')
      case '$':
        return this.#emit(char, 'nothing')
      case '.':
        return this.#emit('[^\\n]', 'atom')
      case '|':
        // At the top level the other alternative would not be anchored.
        if (this.#depth === 0) return false
        this.#choices++
        return this.#emit(char, 'nothing')
      case '(':
        return this.#openGroup()
      case ')':
        this.#depth--
        return this.#depth >= 0 && this.#emit(char, 'group')
      case '[':
        return this.#characterClass()
      case '\\':
        return this.#escape()
      case '*':
      case '+':
        return this.#repeat(char, true)
      case '?':
        this.#choices++
        return this.#repeat(char, false)
      case '{':
        return this.#counted()
      case ']':
      case '}':
        return false
      default:
        return this.#emit(syntaxCharacters.test(char) ? `\\${char}` : char, 'atom')
    }
  }

  #emit(text: string, previous: 'nothing' | 'atom' | 'group'): boolean {
    this.#output += text
    this.#position++
    this.#previous = previous
    return true
  }

  #openGroup(): boolean {
    this.#depth++
    if (this.#characters[this.#position + 1] === '?') {
      if (this.#characters[this.#position + 2] !== ':') return false
      this.#position += 2
    }
    return this.#emit('(?:', 'nothing')
  }

  #repeat(operator: string, variable: boolean): boolean {
    if (this.#previous === 'nothing' || (variable && this.#previous === 'group')) return false
    if (variable) this.#variableRepetitions++
    return this.#emit(operator, 'nothing')
  }

  #counted(): boolean {
    const rest = this.#characters.slice(this.#position, this.#position + 10).join('')
    const match = /^\{(\d{1,3})(,(\d{0,3}))?\}/.exec(rest)
    if (match === null || this.#previous !== 'atom') return false
    if (match[2] !== undefined && match[3] !== match[1]) this.#variableRepetitions++
    if (match[3] !== undefined && match[3] !== '' && Number(match[3]) < Number(match[1])) return false
    this.#position += match[0].length - 1
    return this.#emit(match[0], 'nothing')
  }

  #escape(): boolean {
    const char = this.#characters[this.#position + 1] ?? ''
    this.#position++
    if (char === 'd' || char === 'w') return this.#emit(`\\${char}`, 'atom')
    if (!/^[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]$/.test(char)) return false
    return this.#emit(syntaxCharacters.test(char) ? `\\${char}` : char, 'atom')
  }

  #characterClass(): boolean {
    let text = '['
    let index = this.#position + 1
    if (this.#characters[index] === '^') {
      text += '^'
      index++
    }
    const first = index
    /** The last plain member, which a following hyphen could make the start of a range. */
    let rangeStart: string | undefined
    for (; this.#characters[index] !== ']' || index === first; index++) {
      const char = this.#characters[index]
      if (char === undefined || char === '[' || char === ']') return false
      if (char === '\\') {
        const escaped = this.#characters[++index] ?? ''
        if (escaped === 'd' || escaped === 'w') text += `\\${escaped}`
        else if (/^[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]$/.test(escaped)) text += classMember(escaped)
        else return false
        rangeStart = undefined
      } else if (char === '-') {
        // A range or a literal hyphen at an end; both mean the same natively, other places are left to RE2.
        const next = this.#characters[index + 1]
        const atEnd = index === first || next === ']'
        if (!atEnd && !isRange(rangeStart, next)) return false
        text += atEnd ? '\\-' : `-${next}`
        if (!atEnd) index++
        rangeStart = undefined
      } else {
        text += classMember(char)
        rangeStart = char
      }
    }
    this.#position = index
    return this.#emit(`${text}]`, 'atom')
  }
}

function isRange(start: string | undefined, end: string | undefined): boolean {
  return start !== undefined && end !== undefined && /^[0-9A-Za-z]$/.test(start) && /^[0-9A-Za-z]$/.test(end) && start <= end
}

function classMember(char: string): string {
  return char === '-' || syntaxCharacters.test(char) ? `\\${char}` : char
}

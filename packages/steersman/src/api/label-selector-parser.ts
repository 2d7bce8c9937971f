import { fieldError, fieldErrorText } from './field-error.js'
import type { LabelRequirement, SelectorOperator } from './label-requirement.js'
import { labelRequirement, SelectorError } from './label-requirement.js'
import { validateQualifiedName } from './names.js'

/** A piece of a selector's text. `kind` is the symbol or keyword itself, `word` for keys and values, `end` or `error`. */
interface Token {
  readonly kind: string
  readonly text: string
}

const symbols: ReadonlySet<string> = new Set([')', ',', '!', '==', '=', '>', '<', '!=', '('])
const keywords: ReadonlySet<string> = new Set(['in', 'notin'])
const isSymbol = (char: string) => '=!(),><'.includes(char)
const isSpace = (char: string) => char === ' ' || char === '\t' || char === '\r' || char === '\n'

/**
 * Reads the requirements of a selector's text in the order written.
 *
 * @throws SelectorError with kube-apiserver's message.
 */
export function parseRequirements(text: string): readonly LabelRequirement[] {
  return new Parser(tokenize(text)).parse()
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  // The server's scanner takes a NUL for the end of the text.
  const nul = text.indexOf('\0')
  const end = nul === -1 ? text.length : nul
  let position = 0
  while (position < end) {
    const char = text[position] ?? ''
    if (isSpace(char)) position++
    else {
      const token = isSymbol(char) ? scanSymbol(text, position, end) : scanWord(text, position, end)
      tokens.push(token.token)
      position = token.next
    }
  }
  tokens.push({ kind: 'end', text: '' })
  return tokens
}

interface Scanned {
  readonly token: Token
  readonly next: number
}

function scanWord(text: string, start: number, end: number): Scanned {
  let next = start
  while (next < end && !isSymbol(text[next] ?? '') && !isSpace(text[next] ?? '')) next++
  const word = text.slice(start, next)
  return { token: { kind: keywords.has(word) ? word : 'word', text: word }, next }
}

/** The longest symbol: two characters where they make one. */
function scanSymbol(text: string, start: number, end: number): Scanned {
  const pair = start + 2 <= end ? text.slice(start, start + 2) : ''
  const symbol = symbols.has(pair) ? pair : text.slice(start, start + 1)
  return { token: { kind: symbol, text: symbol }, next: start + symbol.length }
}

const binaryOperators: Readonly<Record<string, SelectorOperator | undefined>> = {
  in: 'in',
  '=': '=',
  '==': '==',
  '>': 'gt',
  '<': 'lt',
  notin: 'notin',
  '!=': '!=',
}

class Parser {
  readonly #tokens: readonly Token[]
  #position = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  parse(): readonly LabelRequirement[] {
    const requirements: LabelRequirement[] = []
    if (this.#peek().kind === 'end') return requirements
    for (;;) {
      const next = this.#peek()
      if (next.kind !== 'word' && next.kind !== '!') {
        const place = requirements.length === 0 ? "!, identifier, or 'end of string'" : "identifier after ','"
        throw new SelectorError(`found '${next.text}', expected: ${place}`)
      }
      requirements.push(this.#requirement())
      const separator = this.#take()
      if (separator.kind === 'end') return requirements
      if (separator.kind !== ',') throw new SelectorError(`found '${separator.text}', expected: ',' or 'end of string'`)
    }
  }

  /** The next token where a value may stand: keywords are words there. */
  #peek(): Token {
    const token = this.#tokens[this.#position] ?? endToken
    return keywords.has(token.kind) ? { kind: 'word', text: token.text } : token
  }

  #take(): Token {
    const token = this.#peek()
    this.#position++
    return token
  }

  #takeOperator(): Token {
    const token = this.#tokens[this.#position] ?? endToken
    this.#position++
    return token
  }

  #requirement(): LabelRequirement {
    try {
      return this.#readRequirement()
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error
      throw new SelectorError(`unable to parse requirement: ${error.message}`, { cause: error })
    }
  }

  #readRequirement(): LabelRequirement {
    let token = this.#take()
    const negated = token.kind === '!'
    if (negated) token = this.#take()
    if (token.kind !== 'word') throw new SelectorError(`found '${token.text}', expected: identifier`)
    const key = token.text
    const problems = validateQualifiedName(key)
    if (problems.length > 0) throw new SelectorError(fieldErrorText(fieldError.invalid(undefined, key, problems.join('; '))))
    if (negated) return labelRequirement(key, '!', [])
    const next = this.#peek().kind
    if (next === 'end' || next === ',') return labelRequirement(key, 'exists', [])
    const operator = this.#operator()
    const values = operator === 'in' || operator === 'notin' ? this.#valueSet() : [this.#exactValue()]
    return labelRequirement(key, operator, values)
  }

  #operator(): SelectorOperator {
    const token = this.#takeOperator()
    const operator = binaryOperators[token.kind]
    if (operator === undefined) throw new SelectorError(`found '${token.text}', expected: in, notin, =, ==, !=, gt, lt`)
    return operator
  }

  #exactValue(): string {
    const next = this.#peek()
    if (next.kind === 'end' || next.kind === ',') return ''
    const token = this.#take()
    if (token.kind !== 'word') throw new SelectorError(`found '${token.text}', expected: identifier`)
    return token.text
  }

  #valueSet(): readonly string[] {
    const open = this.#take()
    if (open.kind !== '(') throw new SelectorError(`found '${open.text}' expected: '('`)
    const first = this.#peek()
    if (first.kind === ')') {
      this.#position++
      return ['']
    }
    if (first.kind !== 'word' && first.kind !== ',') {
      throw new SelectorError(`found '${first.text}', expected: ',', ')' or identifier`)
    }
    const values = this.#valueList()
    this.#position++
    return values
  }

  /** Words and commas up to a closing parenthesis; nothing between commas is the empty value. */
  #valueList(): readonly string[] {
    const values: string[] = []
    for (;;) {
      const token = this.#take()
      const next = this.#peek()
      if (token.kind === 'word') {
        values.push(token.text)
        if (next.kind === ')') return values
        if (next.kind !== ',') throw new SelectorError(`found '${next.text}', expected: ',' or ')'`)
      } else if (token.kind === ',') {
        if (values.length === 0) values.push('')
        if (next.kind === ')') {
          values.push('')
          return values
        }
        if (next.kind === ',') values.push('')
      } else {
        throw new SelectorError(`found '${token.text}', expected: ',', or identifier`)
      }
    }
  }
}

const endToken: Token = { kind: 'end', text: '' }

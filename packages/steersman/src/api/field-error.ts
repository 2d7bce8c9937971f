/**
 * What is wrong with a field of an object, worded as kube-apiserver words it.
 */
import { goJson, goNumber, goQuote } from './go-format.js'
import type { StatusCause } from './status.js'

/** Where in an object: `spec.ports[0].name`, `metadata.labels[app]`. Immutable. */
export class FieldPath {
  readonly #parent: FieldPath | undefined
  readonly #text: string
  readonly #isSubscript: boolean

  /** Use `fieldPath(...)`. */
  constructor(text: string, parent?: FieldPath, isSubscript = false) {
    this.#text = text
    this.#parent = parent
    this.#isSubscript = isSubscript
  }

  /** The path of a member of this object; more names descend further. */
  child(name: string, ...more: readonly string[]): FieldPath {
    return more.reduce((path, next) => new FieldPath(next, path), new FieldPath(name, this))
  }

  /** The path of an item of this list. */
  index(index: number): FieldPath {
    return new FieldPath(String(index), this, true)
  }

  /** The path of a value of this map. */
  key(key: string): FieldPath {
    return new FieldPath(key, this, true)
  }

  toString(): string {
    if (this.#isSubscript) return `${this.#parent ?? ''}[${this.#text}]`
    return this.#parent === undefined ? this.#text : `${this.#parent}.${this.#text}`
  }
}

/** A path from the root of an object. */
export function fieldPath(name: string, ...more: readonly string[]): FieldPath {
  return more.reduce((path, next) => new FieldPath(next, path), new FieldPath(name))
}

/** The kind of a field error; these are the reasons of causes on the wire. */
export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooShort'
  | 'FieldValueTooMany'
  | 'FieldValueTooFew'
  | 'FieldValueTypeInvalid'
  | 'InternalError'

/** One thing wrong with one field. */
export interface FieldError {
  readonly type: FieldErrorType
  /** The path as text; `<nil>` when the error is about no field in particular. */
  readonly field: string
  /** The offending value; shown for some types only. Plain JSON; bigint is allowed. */
  readonly badValue: unknown
  readonly detail: string
}

const typeTexts: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooShort: 'Too short',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
}

const typesWithoutValue: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooShort',
  'InternalError',
])

type Path = FieldPath | string | undefined

const make = (type: FieldErrorType, path: Path, badValue: unknown, detail: string): FieldError => ({
  type,
  field: path === undefined ? '<nil>' : String(path),
  badValue,
  detail,
})

const atMost = (limit: number, singular: string, plural: string) => `${limit} ${limit === 1 ? singular : plural}`

/** Makes field errors. A path is a `FieldPath`, text, or `undefined` for no field in particular. */
export const fieldError = {
  /** A value is missing or empty. */
  required: (path: Path, detail = ''): FieldError => make('FieldValueRequired', path, '', detail),
  /** A value is malformed or out of bounds. */
  invalid: (path: Path, value: unknown, detail = ''): FieldError => make('FieldValueInvalid', path, value, detail),
  /** A value has the wrong type. */
  typeInvalid: (path: Path, value: unknown, detail = ''): FieldError => make('FieldValueTypeInvalid', path, value, detail),
  /** A value is not one of those allowed; they are listed in the order given. */
  notSupported: (path: Path, value: unknown, supported: readonly string[]): FieldError =>
    make('FieldValueNotSupported', path, value, supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`),
  /** A value occurs twice where it must be unique. */
  duplicate: (path: Path, value: unknown): FieldError => make('FieldValueDuplicate', path, value, ''),
  /** A value that would be fine elsewhere is not allowed here. */
  forbidden: (path: Path, detail = ''): FieldError => make('FieldValueForbidden', path, '', detail),
  /** A value has more bytes than allowed; negative: the limit is not told. */
  tooLong: (path: Path, maxBytes: number): FieldError =>
    make('FieldValueTooLong', path, '', maxBytes < 0 ? 'value is too long' : `may not be more than ${atMost(maxBytes, 'byte', 'bytes')}`),
  /** A value has more characters than allowed; negative: the limit is not told. */
  tooLongCharacters: (path: Path, maxCharacters: number): FieldError =>
    make(
      'FieldValueTooLong',
      path,
      '',
      maxCharacters < 0 ? 'value is too long' : `may not be more than ${atMost(maxCharacters, 'character', 'characters')}`,
    ),
  /** A list or map has more members than allowed; a negative number is not told. */
  tooMany: (path: Path, actual: number, max: number): FieldError =>
    make(
      'FieldValueTooMany',
      path,
      actual < 0 ? undefined : actual,
      max < 0 ? 'has too many items' : `must have at most ${atMost(max, 'item', 'items')}`,
    ),
  /** A reference names something that does not exist. */
  notFound: (path: Path, value: unknown): FieldError => make('FieldValueNotFound', path, value, ''),
  /** The value could not be checked. */
  internal: (path: Path, detail: string): FieldError => make('InternalError', path, '', detail),
} as const

/** The text of an error without its field: `Invalid value: 3: must be less than 2`. */
export function fieldErrorBody(error: FieldError): string {
  let text = typeTexts[error.type]
  if (!typesWithoutValue.has(error.type) && error.badValue !== undefined) text += `: ${valueText(error.badValue)}`
  return error.detail === '' ? text : `${text}: ${error.detail}`
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return goQuote(value)
  if (typeof value === 'number' || typeof value === 'bigint') return goNumber(value)
  return goJson(value)
}

/** The text of an error with its field: `spec.size: Invalid value: 3: must be less than 2`. */
export function fieldErrorText(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`
}

/** The text of several errors: one alone as it is, more in brackets, repeated ones once. */
export function fieldErrorsText(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(fieldErrorText))]
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`
}

/** The error as a cause in the details of a Status. */
export function fieldErrorToCause(error: FieldError): StatusCause {
  return { reason: error.type, message: fieldErrorBody(error), field: error.field }
}

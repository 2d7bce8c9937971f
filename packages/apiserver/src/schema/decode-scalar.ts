import type { DecodeState } from './decode-state.js'
import { describe } from './decode-state.js'
import { readTime } from './go-time.js'

/** How a scalar type is read. */
export interface ScalarDecoder {
  /** Go's name of the type, for messages. */
  readonly goType: string
  /** What a null inside a list or map becomes. */
  readonly zero: unknown
  readonly decode: (value: unknown, state: DecodeState) => unknown
}

const quantityPattern = /^[+-]?[0-9.]+(?:[eE][-+]?[0-9]+|[numkMGTPE]|[KMGTPE]i)?$/
const quantityMessage = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
const durationPattern = /^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/

const scalars: Readonly<Record<string, ScalarDecoder>> = {
  string: plain('string', 'string', ''),
  boolean: plain('boolean', 'bool', false),
  int32: integer('int32', 31n),
  int64: integer('int64', 63n),
  double: { goType: 'float64', zero: 0, decode: (value, state) => (isNumber(value) ? value : state.mismatch(value, 'float64')) },
  bytes: { goType: '[]uint8', zero: '', decode: decodeBytes },
  Time: { goType: 'v1.Time', zero: null, decode: (value, state) => decodeTime(value, state, 0) },
  MicroTime: { goType: 'v1.MicroTime', zero: null, decode: (value, state) => decodeTime(value, state, 6) },
  Duration: { goType: 'v1.Duration', zero: '0s', decode: decodeDuration },
  Quantity: { goType: 'resource.Quantity', zero: '0', decode: decodeQuantity },
  IntOrString: { goType: 'intstr.IntOrString', zero: 0, decode: decodeIntOrString },
  object: { goType: 'runtime.RawExtension', zero: null, decode: (value) => value },
  any: { goType: 'interface {}', zero: null, decode: (value) => value },
  FieldsV1: { goType: 'v1.FieldsV1', zero: null, decode: (value) => value },
}

/** How values of a scalar type are read; undefined for the name of a definition. `goType`: the name of a string type of its own. */
export function scalarDecoder(type: string, goType?: string): ScalarDecoder | undefined {
  if (!Object.hasOwn(scalars, type)) return undefined
  return type === 'string' && goType !== undefined ? plain('string', goType, '') : scalars[type]
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

function plain(jsonType: 'string' | 'boolean', goType: string, zero: unknown): ScalarDecoder {
  const kind = jsonType === 'boolean' ? 'bool' : jsonType
  const decode: ScalarDecoder['decode'] = (value, state) =>
    typeof value === jsonType ? value : state.mismatch(value, goType, describe(value), kind)
  return { goType, zero, decode }
}

function integer(goType: string, bits: bigint): ScalarDecoder {
  const max = 2n ** bits - 1n
  const isInRange = (value: number | bigint): boolean =>
    typeof value === 'bigint' || Number.isInteger(value) ? BigInt(value) <= max && BigInt(value) >= -max - 1n : false
  return {
    goType,
    zero: 0,
    decode: (value, state) => {
      if (!isNumber(value)) return state.mismatch(value, goType)
      return isInRange(value) ? value : state.outOfRange(value, goType, Number(bits) + 1)
    },
  }
}

function decodeBytes(value: unknown, state: DecodeState): unknown {
  // Go reads a list of small numbers as bytes too, and null as zero.
  if (Array.isArray(value)) {
    const wrong = value.find((byte) => byte !== null && (!Number.isInteger(byte) || byte < 0 || byte > 255))
    if (wrong !== undefined) return state.mismatch(wrong, 'uint8', isNumber(wrong) ? `number ${wrong}` : describe(wrong))
    return Buffer.from(value as number[]).toString('base64')
  }
  if (typeof value !== 'string') return state.mismatch(value, '[]uint8')
  const problem = base64ProblemAt(value)
  if (problem !== undefined) state.fail(`illegal base64 data at input byte ${problem}`)
  return value
}

/** The position at which Go's decoder gives up on a base64 text; line ends are skipped. */
function base64ProblemAt(text: string): number | undefined {
  if (text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  let count = 0
  for (let index = 0; index < text.length; index++) {
    const char = text[index] ?? ''
    if (char === '\n' || char === '\r') continue
    if (/[A-Za-z0-9+/]/.test(char)) {
      count++
      continue
    }
    if (char !== '=' || count % 4 < 2) return index
    return paddingProblemAt(text, index, count % 4)
  }
  return count % 4 === 0 ? undefined : text.length - (count % 4)
}

function paddingProblemAt(text: string, first: number, filled: number): number | undefined {
  let index = first + 1
  const skipLineEnds = (): void => {
    while (text[index] === '\n' || text[index] === '\r') index++
  }
  skipLineEnds()
  if (filled === 2) {
    if (index >= text.length) return text.length
    // Go counts the character before.
    if (text[index] !== '=') return index - 1
    index++
    skipLineEnds()
  }
  return index < text.length ? index : undefined
}

function decodeTime(value: unknown, state: DecodeState, digits: 0 | 6): unknown {
  if (typeof value !== 'string') return state.abort(state.mismatchText(describe(value), 'string'))
  const result = readTime(value, digits)
  if ('error' in result) return state.abort(result.error)
  return result.text === value ? value : result.text
}

function decodeDuration(value: unknown, state: DecodeState): unknown {
  if (typeof value !== 'string') return state.abort(state.mismatchText(describe(value), 'string'))
  if (!durationPattern.test(value)) return state.abort(`time: invalid duration ${JSON.stringify(value)}`)
  return value
}

// Quantities stay as they were written; a number becomes its text.
function decodeQuantity(value: unknown, state: DecodeState): unknown {
  if (isNumber(value)) return String(value)
  if (typeof value === 'string' && quantityPattern.test(value) && !/\..*\./.test(value)) return value
  return state.abort(quantityMessage)
}

function decodeIntOrString(value: unknown, state: DecodeState): unknown {
  if (typeof value === 'string') return value
  if (!isNumber(value)) return state.abort(state.mismatchText(describe(value), 'int32'))
  if (!Number.isInteger(Number(value)) || Number(value) > 2 ** 31 - 1 || Number(value) < -(2 ** 31)) {
    return state.abort(state.mismatchText(`number ${value}`, 'int32'))
  }
  return value
}

import { DecodeState } from './decode-state.js'
import { goTypeOf } from './go-text.js'
import { isInt64 } from './json-number.js'

/**
 * The state of a decode of what a strategic merge made. The real server does not read JSON then but converts maps in memory: it stops at the first wrong value, and has
 * other words.
 */
export class ConvertState extends DecodeState {
  override mismatch(value: unknown, goType: string, _shown?: string, kind?: string): never {
    return this.abort(conversionText(value, goType, kind ?? goType))
  }

  override get isInStructOrder(): boolean {
    return true
  }

  /** Go's conversion of integers cuts off what does not fit; a whole number beyond them all becomes the least one. */
  override outOfRange(value: number | bigint, goType: string, bits: number): unknown {
    if (isInt64(value)) return plain(BigInt.asIntN(bits, BigInt(value)))
    if (typeof value === 'number' && !Number.isInteger(value)) return this.mismatch(value, goType)
    return plain(BigInt.asIntN(bits, -(2n ** 63n)))
  }

  override mismatchText(shown: string, goType: string): string {
    return `json: cannot unmarshal ${shown} into Go value of type ${goType}`
  }

  override fail(message: string): void {
    this.abort(`error decoding from json: ${message}`)
  }
}

function plain(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

const scalarKinds: readonly string[] = ['string', 'bool', 'int32', 'int64', 'float64', 'uint8']

function conversionText(value: unknown, goType: string, expected: string): string {
  const type = goTypeOf(value)
  const kind = Array.isArray(value) ? 'slice' : typeof value === 'object' ? 'map' : type
  if (goType.startsWith('[]')) return `cannot restore slice from ${kind}`
  if (goType.startsWith('map[') || goType === 'v1.ResourceList') return `cannot restore map from ${kind}`
  if (!scalarKinds.includes(expected)) return `cannot restore struct from: ${kind}`
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  // Go converts integers to text too, only not so that anyone would want it.
  const isConvertible = isNumber && (expected === 'string' ? isInt64(value) : expected !== 'bool')
  return isConvertible ? `cannot convert ${type} to ${goType}` : `unrecognized type: ${expected}`
}

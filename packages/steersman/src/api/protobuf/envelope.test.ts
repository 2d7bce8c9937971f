import { describe, expect, it } from 'vitest'
import { decodeProtobufEnvelope, encodeProtobufEnvelope, isProtobufEnvelope, ProtobufCodec, ProtobufError } from './index.js'

const bytes = (hex: string): Uint8Array => Buffer.from(hex.replaceAll(' ', ''), 'hex')
/** A Part named "a" of test/v1, as Go's serializer writes it. */
const part = bytes('6b387300 0a0f 0a07746573742f7631 120450617274 1203 0a0161 1a00 2200')

describe('decodeProtobufEnvelope', () => {
  it('opens what travels over HTTP', () => {
    expect(isProtobufEnvelope(part)).toBe(true)
    expect(decodeProtobufEnvelope(part)).toEqual({
      apiVersion: 'test/v1',
      kind: 'Part',
      raw: Buffer.from('0a0161', 'hex'),
      contentEncoding: '',
      contentType: '',
    })
  })

  it('refuses what is no envelope, with the words of Go', () => {
    const refusal = (hex: string): string => {
      try {
        decodeProtobufEnvelope(bytes(hex))
        return ''
      } catch (error) {
        expect(error).toBeInstanceOf(ProtobufError)
        return (error as Error).message
      }
    }
    expect(refusal('')).toBe('empty data')
    expect(refusal('6b3873')).toBe('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]')
    expect(refusal('7b7d7b7d')).toBe('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]')
    expect(refusal('6b387300')).toBe('empty body')
    expect(refusal('6b3873000aff')).toBe('unexpected EOF')
    expect(refusal('6b3873000801')).toBe('proto: wrong wireType = 0 for field TypeMeta')
  })
})

describe('encodeProtobufEnvelope', () => {
  it('writes what Go writes', () => {
    expect(Buffer.from(encodeProtobufEnvelope({ apiVersion: 'test/v1', kind: 'Part' }, bytes('0a0161')))).toEqual(part)
    const codec = new ProtobufCodec(() => ({ name: 'string;pb=1' }))
    expect(Buffer.from(codec.encodeInEnvelope('test.v1.Part', { apiVersion: 'test/v1', kind: 'Part' }, { name: 'a' }))).toEqual(part)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeProtobufEnvelope,
  encodeProtobufWatchFrame,
  ProtobufError,
  type ProtobufWatchFrame,
  ProtobufWatchFrameReader,
} from './index.js'

const bytes = (hex: string): Uint8Array => Buffer.from(hex.replaceAll(' ', ''), 'hex')

/** An event as kube-apiserver v1.37.2 sent it. */
const recorded = Buffer.from(
  'AAAAbwoFQURERUQSZgpkazhzAAoPCgJ2MRIJQ29uZmlnTWFwEkkKRwoBdxIAGgdkZWZhdWx0IgAqJDIyNzEwOWU5LTVkYjAtNGI3Ny1iMmY1LTYxNzgyOGQzNTJhNzIDMjc1OABCCAjW5rTYBhAAGgAiAA==',
  'base64',
)

describe('encodeProtobufWatchFrame', () => {
  it('writes what the real server writes', () => {
    const [frame] = new ProtobufWatchFrameReader(1000).push(recorded)
    expect(frame?.type).toBe('ADDED')
    expect(decodeProtobufEnvelope(frame?.object ?? new Uint8Array())).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' })
    expect(Buffer.from(encodeProtobufWatchFrame('ADDED', frame?.object ?? new Uint8Array()))).toEqual(recorded)
  })

  it('writes length, type and object', () => {
    expect(Buffer.from(encodeProtobufWatchFrame('ADDED', bytes('616263'))).toString('hex')).toBe(
      '0000000e 0a054144444544 1205 0a03616263'.replaceAll(' ', ''),
    )
  })
})

describe('ProtobufWatchFrameReader', () => {
  it('takes frames out of pieces of any length', () => {
    const frame = fc.record({ type: fc.constantFrom('ADDED', 'MODIFIED', 'DELETED'), object: fc.uint8Array({ maxLength: 300 }) })
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 5 }), fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (frames, sizes) => {
        const all = Buffer.concat(frames.map(({ type, object }) => encodeProtobufWatchFrame(type, object)))
        const reader = new ProtobufWatchFrameReader(1000)
        const read: ProtobufWatchFrame[] = []
        for (let start = 0, turn = 0; start < all.length; turn++) {
          const end = start + (sizes[turn % sizes.length] ?? 1)
          read.push(...reader.push(all.subarray(start, end)))
          start = end
        }
        expect(read.map(({ type, object }) => ({ type, object: Uint8Array.from(object) }))).toEqual(
          frames.map(({ type, object }) => ({ type, object: Uint8Array.from(object) })),
        )
        expect(reader.isIncomplete).toBe(false)
      }),
    )
  })

  it('refuses frames that are too long or no events', () => {
    expect(() => new ProtobufWatchFrameReader(100).push(bytes('00000065'))).toThrow(ProtobufError)
    expect(() => new ProtobufWatchFrameReader(100).push(bytes('00000001 08'))).toThrow(ProtobufError)
    const reader = new ProtobufWatchFrameReader(100)
    expect(reader.push(bytes('0000'))).toEqual([])
    expect(reader.isIncomplete).toBe(true)
  })
})

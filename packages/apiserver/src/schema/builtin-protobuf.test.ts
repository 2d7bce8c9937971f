import { beforeAll, describe, expect, it } from 'vitest'
import { loadBuiltinSchemas } from './builtin.js'
import type { BuiltinProtobuf } from './builtin-protobuf.js'
import { DecodeError } from './decode-state.js'

let protobuf: BuiltinProtobuf
beforeAll(async () => {
  const schemas = await loadBuiltinSchemas()
  protobuf = await schemas.protobuf()
})

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', resourceVersion: '1' }, data: { key: 'value' } }

describe('BuiltinProtobuf', () => {
  it('reads what it wrote: objects, lists of them, refusals, options and metadata', () => {
    const values: readonly Readonly<Record<string, unknown>>[] = [
      configMap,
      { apiVersion: 'v1', kind: 'ConfigMapList', metadata: { resourceVersion: '1' }, items: [{ metadata: { name: 'a' } }] },
      { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', code: 404 },
      { apiVersion: 'meta.k8s.io/v1', kind: 'DeleteOptions', propagationPolicy: 'Orphan' },
      { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: { name: 'a' } },
      { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadataList', metadata: {}, items: [] },
      { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 2 }, status: { replicas: 1 } },
    ]
    for (const value of values) {
      const { raw, ...kind } = protobuf.openEnvelope(protobuf.write(value) ?? new Uint8Array())
      expect(kind).toMatchObject({ apiVersion: value.apiVersion, kind: value.kind })
      const { items, ...rest } = value
      expect(protobuf.read(kind, raw)).toMatchObject(Array.isArray(items) && items.length === 0 ? { ...rest, items: null } : value)
    }
  })

  it('writes nothing of kinds that are not built in', () => {
    expect(protobuf.write({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: {} })).toBeUndefined()
    expect(protobuf.write({ apiVersion: 'example.com/v1', kind: 'Status', metadata: {} })).toBeUndefined()
    expect(protobuf.write({ apiVersion: 'v1', kind: 'toString' })).toBeUndefined()
  })

  it('makes the frame of a shared event once', () => {
    const event = Object.freeze({ type: 'ADDED', object: configMap })
    expect(protobuf.writeWatchEvent(event)).toBe(protobuf.writeWatchEvent(event))
    const changing = { type: 'ADDED', object: configMap }
    expect(protobuf.writeWatchEvent(changing)).not.toBe(protobuf.writeWatchEvent(changing))
  })

  it('refuses what is no message', () => {
    expect(() => protobuf.openEnvelope(Uint8Array.of(1))).toThrow(DecodeError)
    expect(() => protobuf.read({ apiVersion: 'v1', kind: 'ConfigMap' }, Uint8Array.of(8))).toThrow(DecodeError)
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { parseJson, stringifyJson } from 'steersman/api'
import { type ProtobufCodec, ProtobufError } from 'steersman/api/protobuf'
import { beforeAll, describe, expect, it } from 'vitest'
import { rootDefinitions } from './builtin/index.generated.js'
import { loadBuiltinSchemas } from './builtin.js'

/** What Kubernetes' own code makes of an object in both forms; written by conformance/go/vectors. */
interface Vector {
  readonly definition: string
  readonly variant: string
  readonly protobuf: string
  readonly json: Record<string, unknown>
}

const folder = new URL('golden/protobuf/', import.meta.url)
const files = readdirSync(folder).map((name) => ({ name, vectors: parseJson(readFileSync(new URL(name, folder))) as readonly Vector[] }))
const all = files.flatMap(({ vectors }) => vectors)
const bytesOf = ({ protobuf }: Vector): Uint8Array => Buffer.from(protobuf, 'base64')
let codec: ProtobufCodec

beforeAll(async () => {
  const schemas = await loadBuiltinSchemas()
  codec = (await schemas.protobuf()).codec
})

describe('protobuf of built-in kinds', () => {
  it.each(files)('is read and written as Go does: $name', ({ vectors }) => {
    for (const vector of vectors) {
      const name = `${vector.definition}, ${vector.variant}`
      // As texts, for the order of members counts too.
      expect(stringifyJson(codec.decode(vector.definition, bytesOf(vector))), name).toBe(stringifyJson(vector.json))
      expect(Buffer.from(codec.encode(vector.definition, vector.json)).toString('hex'), name).toBe(
        Buffer.from(bytesOf(vector)).toString('hex'),
      )
    }
  })

  it('is known of every kind that has a table', () => {
    const definitions = new Set(all.map(({ definition }) => definition))
    const kinds = new Set(Object.values(rootDefinitions).map(([definition]) => definition))
    const missing = [...kinds].filter((definition) => !definitions.has(definition))
    console.log(`protobuf: ${all.length} vectors of ${definitions.size} definitions; ${kinds.size - missing.length} of ${kinds.size} kinds`)
    expect(missing).toEqual([])
  })

  it('never ends otherwise than with an object or a ProtobufError', () => {
    const small = all.filter(({ protobuf }) => protobuf.length < 4000)
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 5 })
    const property = fc.property(fc.constantFrom(...small), changes, fc.nat(4), (vector, mutations, cut) => {
      const bytes = Uint8Array.from(bytesOf(vector))
      for (const [index, byte] of mutations) bytes[index % bytes.length] = byte
      try {
        codec.encode(vector.definition, codec.decode(vector.definition, bytes.subarray(0, bytes.length - cut)))
      } catch (error) {
        if (!(error instanceof ProtobufError)) throw error
      }
    })
    fc.assert(property, { numRuns: 3000 })
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineSplitter, LineTooLongError, parseLines } from './index.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (line: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(line)

async function* chunksOf(whole: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const edges = [0, ...cuts.map((cut) => cut % (whole.length + 1)).sort((left, right) => left - right), whole.length]
  for (let index = 1; index < edges.length; index++) yield whole.subarray(edges[index - 1], edges[index])
}

async function collect<Value>(batches: AsyncIterable<Value[]>): Promise<Value[][]> {
  const all: Value[][] = []
  for await (const batch of batches) all.push(batch)
  return all
}

describe('parseLines', () => {
  it('reads the same values wherever the stream is cut, inside characters too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue()),
        fc.array(fc.nat()),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        async (values, cuts, newline, endsWithNewline) => {
          const lines = values.map((value) => JSON.stringify(value)).join(newline) + (endsWithNewline ? newline : '')
          const batches = await collect(parseLines(chunksOf(bytes(lines), cuts), (line) => JSON.parse(text(line)) as unknown))
          expect(batches.flat()).toEqual(values.map((value) => JSON.parse(JSON.stringify(value))))
          expect(batches.every((batch) => batch.length > 0)).toBe(true)
        },
      ),
    )
  })

  it('yields one batch per chunk that completes a line', async () => {
    const source = (async function* () {
      yield bytes('1\n2\n3')
      yield bytes('4')
      yield bytes('5\n\n')
      yield bytes('6')
    })()
    expect(await collect(parseLines(source, text))).toEqual([['1', '2'], ['345'], ['6']])
  })

  it('yields the lines before one that does not parse, then throws what parse threw', async () => {
    const seen: unknown[] = []
    const run = async () => {
      for await (const batch of parseLines(chunksOf(bytes('1\n2\n{\n3\n'), []), (line) => JSON.parse(text(line)) as unknown))
        seen.push(batch)
    }
    await expect(run()).rejects.toThrow(SyntaxError)
    expect(seen).toEqual([[1, 2]])
  })

  it('refuses a line over the bound, complete or not, and takes one at the bound', async () => {
    const read = (whole: string, cuts: number[] = []) => collect(parseLines(chunksOf(bytes(whole), cuts), text, { maxLineBytes: 4 }))
    expect(await read('1234\n1234\n', [2, 7])).toEqual([['1234'], ['1234']])
    await expect(read('12345\n')).rejects.toThrow(new LineTooLongError(4))
    await expect(read('12345\n', [3])).rejects.toThrow(LineTooLongError)
    await expect(read('12345')).rejects.toThrow('Cannot read a line of the stream: it is longer than 4 bytes')
  })

  it('closes the source when the consumer leaves', async () => {
    let isClosed = false
    const source = (async function* () {
      try {
        for (;;) yield bytes('1\n')
      } finally {
        isClosed = true
      }
    })()
    for await (const _ of parseLines(source, text)) break
    expect(isClosed).toBe(true)
  })
})

describe('LineSplitter', () => {
  it('gives views of the chunk, not copies, for lines inside it', () => {
    const chunk = bytes('one\ntwo\n')
    expect(new LineSplitter().push(chunk).every((line) => line.buffer === chunk.buffer)).toBe(true)
  })
})

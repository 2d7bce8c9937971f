import { concatenateBytes } from './bytes.js'

/** Bounds of a line. */
export interface LineOptions {
  /** The longest line, in bytes without its newline. @default 16 MiB */
  readonly maxLineBytes?: number
}

/** A line was longer than allowed; what follows it in the stream is not read. */
export class LineTooLongError extends Error {
  readonly code = 'LINE_TOO_LONG'
  readonly maxLineBytes: number

  constructor(maxLineBytes: number) {
    super(`Cannot read a line of the stream: it is longer than ${maxLineBytes} bytes`)
    this.name = 'LineTooLongError'
    this.maxLineBytes = maxLineBytes
  }
}

const newline = 0x0a
const carriageReturn = 0x0d
const defaultMaxLineBytes = 16 * 1024 * 1024

/**
 * Cuts a stream of bytes into lines. A line may span any number of chunks and a chunk may end inside a character: lines are cut as bytes,
 * and in UTF-8 a newline byte is never part of another character. Blank lines are skipped; `\r\n` ends a line as `\n` does.
 *
 * A line that lies within one chunk is a view of it, not a copy.
 */
export class LineSplitter {
  readonly #maxLineBytes: number
  #partial: Uint8Array[] = []
  #partialBytes = 0

  constructor(options: LineOptions = {}) {
    this.#maxLineBytes = options.maxLineBytes ?? defaultMaxLineBytes
  }

  /**
   * Takes the next chunk and returns the lines that are now complete.
   *
   * @throws {LineTooLongError} the splitter must not be used afterwards.
   */
  push(chunk: Uint8Array): Uint8Array[] {
    const lines: Uint8Array[] = []
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#take(lines, chunk.subarray(start, end))
      start = end + 1
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start))
    return lines
  }

  /** The last line, when the stream ended without a newline after it. */
  end(): Uint8Array | undefined {
    const lines: Uint8Array[] = []
    this.#take(lines, new Uint8Array(0))
    return lines[0]
  }

  #take(lines: Uint8Array[], ending: Uint8Array): void {
    if (this.#partialBytes > 0 || ending.length > this.#maxLineBytes) this.#keep(ending)
    let line = ending
    if (this.#partialBytes > 0) {
      line = concatenateBytes(this.#partial)
      this.#partial = []
      this.#partialBytes = 0
    }
    if (line[line.length - 1] === carriageReturn) line = line.subarray(0, -1)
    if (line.length > 0) lines.push(line)
  }

  #keep(piece: Uint8Array): void {
    this.#partialBytes += piece.length
    if (this.#partialBytes > this.#maxLineBytes) {
      this.#partial = []
      throw new LineTooLongError(this.#maxLineBytes)
    }
    this.#partial.push(piece)
  }
}

/**
 * Parses a stream of lines. Yields the lines that each chunk completes as one batch, so that a consumer awaits once per chunk and not once per
 * line; a chunk that completes none yields nothing. Leaving the iteration closes the source.
 *
 * What `parse` throws ends the iteration; the lines before the bad one in its chunk are yielded first.
 *
 * @param parse gets the bytes of one line, without the newline, which it must not change.
 * @throws {LineTooLongError} when a line is longer than `options.maxLineBytes`.
 */
export async function* parseLines<Value>(
  chunks: AsyncIterable<Uint8Array>,
  parse: (line: Uint8Array) => Value,
  options: LineOptions = {},
): AsyncGenerator<Value[], void, undefined> {
  const splitter = new LineSplitter(options)
  for await (const chunk of chunks) yield* parseBatch(splitter.push(chunk), parse)
  const last = splitter.end()
  if (last !== undefined) yield* parseBatch([last], parse)
}

function* parseBatch<Value>(lines: readonly Uint8Array[], parse: (line: Uint8Array) => Value): Generator<Value[], void, undefined> {
  const batch: Value[] = []
  try {
    for (const line of lines) batch.push(parse(line))
  } catch (error) {
    if (batch.length > 0) yield batch
    throw error
  }
  if (batch.length > 0) yield batch
}

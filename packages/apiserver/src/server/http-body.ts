import type { Readable } from 'node:stream'

/** After so much that is dropped, the peer is cut off. */
const maxDroppedBytes = 64 * 1024 * 1024

/** What {@link readBoundedBody} found. */
export interface BoundedBody {
  /** At most one byte more than allowed, so that too much can be told from enough. */
  readonly bytes: Uint8Array
  readonly isComplete: boolean
}

/** Reads a body, but not more of it than is allowed. @throws when the peer goes before its end. */
export function readBoundedBody(source: Readable, maxBytes: number): Promise<BoundedBody> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let length = 0
    let isComplete = true
    source.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (isComplete) chunks.push(chunk)
      if (length <= maxBytes) return
      if (isComplete) {
        isComplete = false
        resolve({ bytes: Buffer.concat(chunks).subarray(0, maxBytes + 1), isComplete })
      }
      if (length > maxBytes + maxDroppedBytes) source.destroy()
    })
    source.on('end', () => resolve({ bytes: chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks), isComplete }))
    source.on('error', reject)
    source.on('close', () => reject(new Error('the client closed the exchange before the end of its body')))
  })
}

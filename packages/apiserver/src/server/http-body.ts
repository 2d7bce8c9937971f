import type { Readable } from 'node:stream'

/**
 * So much more than allowed is read and dropped, so that the peer, who reads no answer while it writes, gets to see why it is refused. Whoever sends
 * even more is cut off.
 */
const maxDroppedBytes = 64 * 1024 * 1024

/** Reads a body, at most one byte more of it than allowed, so that too much can be told from enough. @throws when the peer goes before its end. */
export function readBoundedBody(source: Readable, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let length = 0
    source.on('data', (chunk: Buffer) => {
      if (length <= maxBytes) chunks.push(chunk)
      length += chunk.length
      if (length > maxBytes + maxDroppedBytes) source.destroy()
    })
    const lost = () => reject(new Error('the client closed the exchange before the end of its body'))
    source.on('end', () => {
      // The usual close, after the answer, is nobody's concern here, and an error is dear.
      source.off('close', lost)
      const whole = chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)
      resolve(whole.subarray(0, maxBytes + 1))
    })
    source.on('error', reject)
    source.on('close', lost)
  })
}

/** DER (ITU-T X.690) that cannot be read. */
export class DerError extends Error {}

/** One element: its tag, its content, and all of its bytes. */
export interface DerElement {
  readonly tag: number
  readonly content: Uint8Array
  readonly bytes: Uint8Array
}

/** The elements that stand one after the other. @throws {DerError} */
export function readElements(bytes: Uint8Array): readonly DerElement[] {
  const elements: DerElement[] = []
  for (let at = 0; at < bytes.length; ) {
    const element = readElement(bytes.subarray(at))
    elements.push(element)
    at += element.bytes.length
  }
  return elements
}

/** The first element. @throws {DerError} when it is not whole. */
export function readElement(bytes: Uint8Array): DerElement {
  const [tag, first] = bytes
  if (tag === undefined || first === undefined) throw new DerError('data truncated')
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  if (lengthBytes > 4 || first === 0x80) throw new DerError('unsupported length')
  let length = first < 0x80 ? first : 0
  for (let index = 0; index < lengthBytes; index++) length = length * 256 + (bytes[2 + index] ?? 0)
  const start = 2 + lengthBytes
  if (start + length > bytes.length) throw new DerError('data truncated')
  return { tag, content: bytes.subarray(start, start + length), bytes: bytes.subarray(0, start + length) }
}

/** An object identifier in its dotted form. */
export function objectIdentifier(content: Uint8Array): string {
  const parts: number[] = []
  let value = 0
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      parts.push(value)
      value = 0
    }
  }
  const [first = 0, ...rest] = parts
  const top = Math.min(2, Math.floor(first / 40))
  return [top, first - top * 40, ...rest].join('.')
}

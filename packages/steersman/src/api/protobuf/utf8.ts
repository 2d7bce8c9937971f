const replacement = '\ufffd'
const replacementBytes = 3

/**
 * The text of bytes in UTF-8 as Go's JSON shows it: each byte that is part of no character becomes U+FFFD of its own. (The decoder of the
 * platform makes one of several.)
 */
export function readUtf8(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end)
  return text.includes(replacement) ? readBytewise(bytes, start, end) : text
}

function readBytewise(bytes: Buffer, start: number, end: number): string {
  const valid = Buffer.allocUnsafe((end - start) * replacementBytes)
  let length = 0
  for (let position = start; position < end; ) {
    const size = characterLength(bytes, position, end)
    if (size === 0) length += valid.write(replacement, length)
    else for (let index = 0; index < size; index++) valid[length++] = bytes[position + index] ?? 0
    position += Math.max(size, 1)
  }
  return valid.toString('utf8', 0, length)
}

/** How many bytes the character has that begins here; 0 when none does. */
function characterLength(bytes: Buffer, position: number, end: number): number {
  const first = bytes[position] ?? 0
  if (first < 0x80) return 1
  const length = first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0
  if (length === 0 || position + length > end) return 0
  for (let index = 1; index < length; index++) if (((bytes[position + index] ?? 0) & 0xc0) !== 0x80) return 0
  const second = bytes[position + 1] ?? 0
  // Too long a form, a surrogate, or beyond the last code point.
  if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f)) return 0
  return (first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f) ? 0 : length
}

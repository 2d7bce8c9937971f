import { JsonSyntaxError, maxJsonDepth, readJson } from './reader.js'
import { endOfString } from './text.js'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const nativeIntegerDigits = 16

/**
 * The value of a JSON text, or of its bytes in UTF-8 (invalid ones are read as U+FFFD).
 *
 * Integers of 64 bits that a number cannot hold exactly are bigint. Objects may have a member `__proto__`, which is a member
 * like any other. Of members with the same name the last one counts.
 *
 * @param maxDepth how deep objects and lists may nest; `Infinity` for a trusted text saves the check. Copying and
 *   serialising are recursive and may end with a RangeError from some thousand levels on.
 * @throws JsonSyntaxError with kube-apiserver's message.
 */
export function parseJson(input: string | Uint8Array, maxDepth = maxJsonDepth): unknown {
  const text = typeof input === 'string' ? input : decoder.decode(input)
  if (hasLongNumber(text) || mayExceedDepth(text, maxDepth)) return readJson(text, maxDepth).value
  try {
    return JSON.parse(text)
  } catch (error) {
    throw rewordedError(text, maxDepth, error)
  }
}

/** The slow reader finds the same mistake and has the server's words for it. */
function rewordedError(text: string, maxDepth: number, cause: unknown): JsonSyntaxError {
  try {
    readJson(text, maxDepth)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error
    throw error
  }
  return new JsonSyntaxError('invalid JSON', 0, { cause })
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39

/**
 * Whether a run of 16 digits may be an integer. Such a run covers one of every 16 characters, so only those are looked at.
 */
function hasLongNumber(text: string): boolean {
  for (let index = nativeIntegerDigits - 1; index < text.length; index += nativeIntegerDigits) {
    if (!isDigit(text.charCodeAt(index))) continue
    let start = index
    while (start > 0 && isDigit(text.charCodeAt(start - 1))) start--
    let end = index + 1
    while (end < text.length && isDigit(text.charCodeAt(end))) end++
    // Digits after a quote, a letter or a point are part of a string or of a fraction.
    if (end - start >= nativeIntegerDigits && (start === 0 || mayPrecedeNumber(text[start - 1] ?? ''))) return true
    // The whole run was looked at: to look at it again every 16 digits would take minutes for a text of megabytes.
    index = end - 1
  }
  return false
}

const mayPrecedeNumber = (char: string) => '-:,[ \n\r\t'.includes(char)

/** Whether brackets nest deeper than allowed. A text too short for that is not looked at. */
function mayExceedDepth(text: string, maxDepth: number): boolean {
  if (text.length <= maxDepth * 2) return false
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x22) index = endOfString(text, index)
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}

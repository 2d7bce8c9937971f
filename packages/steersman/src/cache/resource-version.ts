/**
 * Compares two resourceVersions as the decimal numbers that Kubernetes servers use, of any length.
 *
 * @returns negative, 0 or positive; `undefined` when either is not a decimal number and they differ: then only equality has a meaning.
 */
export function compareResourceVersions(left: string, right: string): number | undefined {
  if (left === right) return 0
  if (!isDecimal(left) || !isDecimal(right)) return undefined
  if (left.length !== right.length) return left.length - right.length
  return left < right ? -1 : 1
}

/** Whether a state at `seen` contains the write that returned `written`. What cannot be compared counts as not yet. */
export function isAtLeast(seen: string | undefined, written: string): boolean {
  if (seen === undefined) return false
  const order = compareResourceVersions(seen, written)
  return order !== undefined && order >= 0
}

/** No sign, no leading zero, no exponent: then length and text decide the order. */
function isDecimal(text: string): boolean {
  if (text.length === 0 || (text.length > 1 && text.charCodeAt(0) === 48)) return false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 48 || code > 57) return false
  }
  return true
}

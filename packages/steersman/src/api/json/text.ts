/** The position of the quote that ends the string; the end of the text if none does. */
export function endOfString(text: string, start: number): number {
  let end = start
  do {
    end = text.indexOf('"', end + 1)
    if (end === -1) return text.length
  } while (isEscaped(text, end))
  return end
}

function isEscaped(text: string, position: number): boolean {
  let start = position
  while (text.charCodeAt(start - 1) === 0x5c) start--
  return (position - start) % 2 === 1
}

/** The first few texts of a list, and how many more there are. */
export function withMore(texts: readonly string[], most: number): string {
  const first = texts.slice(0, most).join(',')
  return texts.length > most ? `${first} + ${texts.length - most} more...` : first
}

/**
 * Leaves the sentences about kinds and fields out of what `kubectl explain` prints: they are those of the package that was installed, in whatever version. Names, types, enums and
 * everything else stay. Other texts come back unchanged.
 */
export function withoutDescriptions(text: string): string {
  if (!/^(?:KIND|FIELD|RESOURCE): /m.test(text) || !/^(?:DESCRIPTION|FIELDS):$/m.test(text)) return text
  let part = ''
  const kept = text.split('\n').filter((line) => {
    part = /^(?<heading>[A-Z]+):/.exec(line)?.groups?.heading ?? part
    if (part === 'DESCRIPTION') return line.startsWith(part)
    return part !== 'FIELDS' || line.startsWith(part) || isField(line)
  })
  return `${kept.join('\n')}\n`
}

/** A field with its type, or the values that it may have. */
function isField(line: string): boolean {
  return /^ +(?:\S+\t+<|enum: )/.test(line)
}

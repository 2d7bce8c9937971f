/** A run of lines that both texts have. */
interface Match {
  readonly start: number
  readonly otherStart: number
  readonly size: number
}

/** A run of lines: the same in both texts, or those of one in place of those of the other. */
interface Change {
  readonly isSame: boolean
  readonly start: number
  readonly end: number
  readonly otherStart: number
  readonly otherEnd: number
}

const context = 3

/**
 * How two values differ as indented JSON, in the way of Python's difflib, which the real server uses: hunks of lines, each line with an end.
 */
export function unifiedDiff(before: object, after: object): string {
  const [lines, others] = [before, after].map((value) => JSON.stringify(value, null, 1).split('\n')) as [string[], string[]]
  return hunksOf(changesOf(lines, others))
    .map((hunk) => hunkText(hunk, lines, others))
    .join('')
}

/** The longest run within two ranges of lines; of several the first. */
function longestMatch(lines: readonly string[], others: readonly string[], range: Omit<Change, 'isSame'>): Match {
  let best: Match = { start: range.start, otherStart: range.otherStart, size: 0 }
  let lengths = new Map<number, number>()
  for (let index = range.start; index < range.end; index++) {
    const next = new Map<number, number>()
    for (let other = range.otherStart; other < range.otherEnd; other++) {
      if (lines[index] !== others[other]) continue
      const size = (lengths.get(other - 1) ?? 0) + 1
      next.set(other, size)
      if (size > best.size) best = { start: index - size + 1, otherStart: other - size + 1, size }
    }
    lengths = next
  }
  return best
}

function matchesIn(lines: readonly string[], others: readonly string[], range: Omit<Change, 'isSame'>): readonly Match[] {
  const match = longestMatch(lines, others, range)
  if (match.size === 0) return []
  const before = { ...range, end: match.start, otherEnd: match.otherStart }
  const after = { ...range, start: match.start + match.size, otherStart: match.otherStart + match.size }
  return [...matchesIn(lines, others, before), match, ...matchesIn(lines, others, after)]
}

function changesOf(lines: readonly string[], others: readonly string[]): readonly Change[] {
  const whole = { start: 0, end: lines.length, otherStart: 0, otherEnd: others.length }
  const changes: Change[] = []
  let [line, other] = [0, 0]
  for (const { start, otherStart, size } of [
    ...matchesIn(lines, others, whole),
    { start: lines.length, otherStart: others.length, size: 0 },
  ]) {
    if (line < start || other < otherStart)
      changes.push({ isSame: false, start: line, end: start, otherStart: other, otherEnd: otherStart })
    ;[line, other] = [start + size, otherStart + size]
    if (size > 0) changes.push({ isSame: true, start, end: line, otherStart, otherEnd: other })
  }
  return changes
}

/** Changes with a few lines around them; those that are near each other are together. */
function hunksOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const hunks: Change[][] = [[]]
  for (const [index, change] of changes.entries()) {
    if (!change.isSame) {
      hunks.at(-1)?.push(change)
      continue
    }
    const [isFirst, isLast] = [index === 0, index === changes.length - 1]
    const length = change.end - change.start
    if (!isFirst && !isLast && length <= 2 * context) hunks.at(-1)?.push(change)
    else {
      const some = Math.min(context, length)
      if (!isFirst) hunks.at(-1)?.push({ ...change, end: change.start + some, otherEnd: change.otherStart + some })
      if (isLast) break
      if (!isFirst) hunks.push([])
      hunks.at(-1)?.push({ ...change, start: change.end - some, otherStart: change.otherEnd - some })
    }
  }
  return hunks.filter((hunk) => hunk.some(({ isSame }) => !isSame))
}

function hunkText(hunk: readonly Change[], lines: readonly string[], others: readonly string[]): string {
  const [first, last] = [hunk[0], hunk.at(-1)]
  if (first === undefined || last === undefined) return ''
  const head = `@@ -${rangeText(first.start, last.end)} +${rangeText(first.otherStart, last.otherEnd)} @@`
  const body = hunk.flatMap(({ isSame, start, end, otherStart, otherEnd }) =>
    isSame
      ? lines.slice(start, end).map((line) => ` ${line}`)
      : [...lines.slice(start, end).map((line) => `-${line}`), ...others.slice(otherStart, otherEnd).map((line) => `+${line}`)],
  )
  return [head, ...body].map((line) => `${line}\n`).join('')
}

function rangeText(start: number, end: number): string {
  const length = end - start
  if (length === 1) return String(start + 1)
  return `${length === 0 ? start : start + 1},${length}`
}

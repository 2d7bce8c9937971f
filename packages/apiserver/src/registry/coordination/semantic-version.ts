/** A version by semver.org: three numbers, and what it is a preview of it. */
export interface SemanticVersion {
  readonly numbers: readonly bigint[]
  readonly preview: readonly string[]
}

const number = '(?:0|[1-9]\\d*)'
const identifier = '(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)'
const pattern = new RegExp(
  `^(${number})\\.(${number})\\.(${number})(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$`,
)
const none: SemanticVersion = { numbers: [0n, 0n, 0n], preview: [] }

/** Reads a version; `undefined` when it is none. */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const match = pattern.exec(text)
  if (match === null) return undefined
  return { numbers: match.slice(1, 4).map(BigInt), preview: match[4]?.split('.') ?? [] }
}

/** Negative when `a` is older. What is undefined counts as 0.0.0. */
export function compareSemanticVersions(a: SemanticVersion = none, b: SemanticVersion = none): number {
  for (const [index, left] of a.numbers.entries()) {
    const right = b.numbers[index] ?? 0n
    if (left !== right) return left < right ? -1 : 1
  }
  if (a.preview.length === 0 || b.preview.length === 0) return Math.sign(b.preview.length - a.preview.length)
  return comparePreviews(a.preview, b.preview)
}

function comparePreviews(a: readonly string[], b: readonly string[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index]
    if (right === undefined) return 1
    if (left === right) continue
    const [isLeftNumber, isRightNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)]
    if (isLeftNumber !== isRightNumber) return isLeftNumber ? -1 : 1
    const isOlder = isLeftNumber ? BigInt(left) < BigInt(right) : left < right
    return isOlder ? -1 : 1
  }
  return a.length < b.length ? -1 : 0
}

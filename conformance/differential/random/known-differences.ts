import type { Difference } from '../compare/index.js'

/** A difference that the recorded scenarios have too, by what it looks like. */
export interface KnownDifference {
  readonly shows: RegExp
  readonly reason: string
}

/** What random requests run into again and again. Each is explained in `accepted.ts` or here. */
export const knownDifferences: readonly KnownDifference[] = [
  { shows: /application\/vnd\.kubernetes\.protobuf/, reason: 'Protobuf is not spoken.' },
  { shows: /application\/apply-patch\+yaml/, reason: 'Server-side apply is not there yet.' },
  { shows: /pod updates may not change fields other than/, reason: 'The real server adds a difference of the two specs.' },
]

export function isKnown({ expected, got }: Difference): boolean {
  const text = `${JSON.stringify(expected)} ${JSON.stringify(got)}`
  return knownDifferences.some(({ shows }) => shows.test(text))
}

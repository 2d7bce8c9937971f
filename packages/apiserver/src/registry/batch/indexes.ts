import { goQuote } from 'steersman/api'

/** Indexes of the pods of a job, as `1,3-5`: how many there are, or what is wrong with the text. */
export function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0
  let last: number | undefined
  let total = 0
  for (const part of text.split(',')) {
    const interval = readInterval(part, completions)
    if (typeof interval === 'string') return interval
    if (last !== undefined && last >= interval.first) return `non-increasing order, previous: ${last}, current: ${interval.first}`
    total += interval.last - interval.first + 1
    last = interval.last
  }
  return total
}

/** What is wrong when indexes are among those that completed and among those that failed. */
export function overlapProblem(completed: string, failed: string, completions: number): string | undefined {
  if (completed === '' || failed === '') return undefined
  const read = (text: string) => text.split(',').map((part) => readInterval(part, completions))
  const failures = read(failed).filter((interval) => typeof interval !== 'string')
  for (const interval of read(completed)) {
    if (typeof interval === 'string') continue
    const other = failures.find(({ first, last }) => interval.first <= last && first <= interval.last)
    if (other !== undefined) {
      return `failedIndexes and completedIndexes overlap at index: ${Math.max(interval.first, other.first)}`
    }
  }
  return undefined
}

interface Interval {
  readonly first: number
  readonly last: number
}

function readInterval(text: string, completions: number): Interval | string {
  const ends = text.split('-')
  if (ends.length > 2) {
    return `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`
  }
  const numbers: number[] = []
  for (const end of ends) {
    if (!/^\+?[0-9]+$/.test(end)) return `cannot convert string to integer for index: ${goQuote(end)}`
    if (Number(end) >= completions) return `too large index: ${goQuote(end)}`
    numbers.push(Number(end))
  }
  const [first = 0, last = first] = numbers
  if (numbers.length === 2 && first >= last) return `non-increasing order, previous: ${first}, current: ${last}`
  return { first, last }
}

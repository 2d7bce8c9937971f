import { goQuote } from 'steersman/api'

interface Bounds {
  readonly min: number
  readonly max: number
  readonly names?: readonly string[]
}

const fields: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
]
const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']
const every = '@every '

/** What is wrong with a schedule in the notation of cron, in the words of the parser that Kubernetes uses; `undefined`: nothing. */
export function scheduleProblem(schedule: string): string | undefined {
  const zone = /^(?:CRON_)?TZ=([^ ]*)( ?)/.exec(schedule)
  if (zone === null) return problemWithoutZone(schedule)
  const [prefix, name = '', space] = zone
  if (space === '') return 'invalid schedule format: runtime error: slice bounds out of range [:-1]'
  if (!isTimeZone(name)) return `provided bad location ${name}: unknown time zone ${name}`
  return problemWithoutZone(schedule.slice(prefix.length).trim())
}

/** Whether there is a time zone of this name. */
export function isTimeZone(name: string): boolean {
  if (name === '' || name === 'Local') return true
  if (/^[+-]/.test(name)) return false
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    // Names are files in the eyes of Go: their case counts.
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase()
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function problemWithoutZone(schedule: string): string | undefined {
  if (schedule === '') return 'empty spec string'
  if (schedule.startsWith('@')) return descriptorProblem(schedule)
  const parts = schedule.split(/\s+/).filter((part) => part !== '')
  if (parts.length !== fields.length) return `expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(' ')}]`
  return firstProblem(parts, (part, index) => fieldProblem(part, fields[index] as Bounds))
}

function descriptorProblem(schedule: string): string | undefined {
  if (descriptors.includes(schedule)) return undefined
  if (!schedule.startsWith(every)) return `unrecognized descriptor: ${schedule}`
  const problem = durationProblem(schedule.slice(every.length))
  return problem === undefined ? undefined : `failed to parse duration ${schedule}: ${problem}`
}

/** What is wrong with a duration such as `1h30m`. */
function durationProblem(text: string): string | undefined {
  const unsigned = text.replace(/^[+-]/, '')
  if (unsigned === '0') return undefined
  let rest = unsigned
  do {
    const [part = '', unit = ''] = /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)([^.0-9]*)/.exec(rest) ?? []
    if (part === '') return `time: invalid duration ${goQuote(text)}`
    if (unit === '') return `time: missing unit in duration ${goQuote(text)}`
    if (!/^(?:ns|[uµμ]s|ms|s|m|h)$/.test(unit)) return `time: unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`
    rest = rest.slice(part.length)
  } while (rest !== '')
  return undefined
}

function fieldProblem(field: string, bounds: Bounds): string | undefined {
  const ranges = field.split(',').filter((range) => range !== '')
  return firstProblem(ranges, (range) => rangeProblem(range, bounds))
}

function rangeProblem(range: string, { min, max, names }: Bounds): string | undefined {
  const [span = '', step, ...moreSteps] = range.split('/')
  const [low = '', high, ...moreEnds] = span.split('-')
  let start: number | string = min
  let end: number | string = max
  if (low !== '*' && low !== '?') {
    start = numberOrName(low, names)
    if (typeof start === 'string') return start
    if (moreEnds.length > 0) return `too many hyphens: ${range}`
    end = high === undefined ? start : numberOrName(high, names)
    if (typeof end === 'string') return end
  }
  let width: number | string = 1
  if (moreSteps.length > 0) return `too many slashes: ${range}`
  if (step !== undefined) {
    width = number(step)
    if (typeof width === 'string') return width
    if (high === undefined) end = max
  }
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${range}`
  if (end > max) return `end of range (${end}) above maximum (${max}): ${range}`
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`
  return width === 0 ? `step of range should be a positive number: ${range}` : undefined
}

/** The number that a text stands for, or what is wrong with it. */
function numberOrName(text: string, names: readonly string[] = []): number | string {
  const index = names.indexOf(text.toLowerCase())
  // Months count from 1, days of the week from 0.
  return index === -1 ? number(text) : names.length === 12 ? index + 1 : index
}

function number(text: string): number | string {
  if (!/^[+-]?[0-9]+$/.test(text)) return `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`
  const value = Number(text)
  return value < 0 ? `negative number (${value}) not allowed: ${text}` : value
}

function firstProblem(parts: readonly string[], problemOf: (part: string, index: number) => string | undefined): string | undefined {
  for (const [index, part] of parts.entries()) {
    const problem = problemOf(part, index)
    if (problem !== undefined) return problem
  }
  return undefined
}

import { type Column, type Goal, isMet, type Measurement, noReference, ratio } from './measurement.js'
import { median, spread } from './statistics.js'

const head = ['what', 'ours', 'reference', 'ratio', 'goal', 'met?']

/** The measurements as lines of text, columns aligned. */
export function table(measurements: readonly Measurement[]): string {
  const rows = [head, ...measurements.map(cells)]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join(' | ')
      .trimEnd(),
  )
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('-|-'))
  return lines.join('\n')
}

function cells(measurement: Measurement): string[] {
  const { what, unit, ours, reference, goal } = measurement
  const times = ratio(measurement)
  return [
    what,
    cell(ours, unit),
    cell(reference, unit),
    times === undefined ? '' : `${short(times)}x`,
    goalText(goal, unit),
    verdict(measurement),
  ]
}

function cell(column: Column, unit: string): string {
  if (typeof column === 'string') return column
  const runs = column.length > 1 ? ` ±${(spread(column) * 100).toFixed(0)}%` : ''
  return `${short(median(column))} ${unit}${runs}`
}

function goalText(goal: Goal | undefined, unit: string): string {
  const parts = []
  if (goal?.below !== undefined) parts.push(`< ${goal.below} ${unit}`)
  if (goal?.atLeast !== undefined) parts.push(`>= ${goal.atLeast} ${unit}`)
  if (goal?.timesBetter !== undefined) parts.push(`>= ${goal.timesBetter}x`)
  return parts.join(', ')
}

function verdict(measurement: Measurement): string {
  if (measurement.goal === undefined || typeof measurement.ours === 'string') return ''
  const met = isMet(measurement)
  if (met === undefined) return measurement.reference === noReference ? '' : 'no reference'
  return met ? 'met' : 'MISSED'
}

/** Three digits that count. */
function short(value: number): string {
  if (!Number.isFinite(value)) return `${value}`
  const decimals = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toFixed(decimals)
}

import { goFloat, goJson } from 'steersman/api'
import type { PrinterColumn } from '../../schema/index.js'
import { readTime } from '../../schema/index.js'
import { ageOf } from './human-duration.js'
import { compileJsonPath, type JsonPath, JsonPathError } from './json-path.js'
import { ageColumn, nameColumn, type TableColumn, type TablePrinter } from './printer.js'

const defaultColumns: readonly PrinterColumn[] = [
  { name: 'Age', type: 'date', description: ageColumn.description, jsonPath: '.metadata.creationTimestamp' },
]

/** The printer of a custom resource: its name, then the columns of its definition, or its age when there are none. */
export function customResourcePrinter(printerColumns: readonly PrinterColumn[]): TablePrinter {
  const custom = printerColumns.length === 0 ? defaultColumns : printerColumns
  const cells = custom.map((one) => ({ type: one.type ?? '', find: compileColumnPath(one.jsonPath ?? '') }))
  return {
    columns: [nameColumn, ...custom.map(columnOf)],
    cells: (object, nowMs) => [
      object.metadata.name,
      ...cells.map(({ type, find }) => {
        const found = find(object)
        // A path that leads to several values shows the first.
        return found === undefined || found.length === 0 ? null : cellOf(type, found[0], nowMs)
      }),
    ],
  }
}

function columnOf(printerColumn: PrinterColumn): TableColumn {
  const { name = '', type = '', format = '', description = '', priority = 0, jsonPath = '' } = printerColumn
  return {
    name,
    type,
    format,
    description: description === '' ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description,
    priority,
  }
}

// The validation of definitions lets paths pass that cannot be parsed; their columns stay empty.
function compileColumnPath(path: string): JsonPath {
  try {
    return compileJsonPath(path)
  } catch (error) {
    if (error instanceof JsonPathError) return () => undefined
    throw error
  }
}

function cellOf(type: string, value: unknown, nowMs: number): unknown {
  switch (type) {
    case 'string':
      return textCell(value)
    case 'integer':
      return integerCell(value)
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      return typeof value === 'string' ? dateCell(value, nowMs) : null
    default:
      return null
  }
}

function textCell(value: unknown): string {
  if (value === null || value === undefined) return '<no value>'
  if (typeof value === 'object') return goJson(value)
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return String(value)
  return goFloat(value)
}

const maxInt64 = 2n ** 63n

function integerCell(value: unknown): number | bigint | null {
  if (typeof value === 'bigint') return value
  if (typeof value !== 'number') return null
  const whole = Math.trunc(value)
  // What does not fit becomes the smallest integer, as it does where the real server runs.
  return Math.abs(whole) < 2 ** 63 ? whole : -maxInt64
}

function dateCell(value: string, nowMs: number): string {
  if (value === '' || value === 'null') return '<unknown>'
  const time = readTime(value, 0)
  return 'error' in time ? '<invalid>' : ageOf(time.text, nowMs)
}

import { readFileSync } from 'node:fs'
import type { UnstructuredObject } from 'steersman/api'
import { deepFreeze } from 'steersman/internal'
import { describe, expect, test } from 'vitest'
import type { PrinterColumn } from '../../schema/index.js'
import type { TableColumn, TableRowCondition } from './printer.js'
import { tableOf, tablePrinter } from './tables.js'

interface GoldenTable {
  readonly apiVersion: string
  readonly kind: string
  readonly columns: readonly Omit<TableColumn, 'description'>[]
  readonly rows: readonly { cells: readonly unknown[]; conditions?: readonly TableRowCondition[]; object: UnstructuredObject }[]
  readonly printerColumns?: readonly PrinterColumn[]
}

/** Tables that a real kube-apiserver 1.37 made, with the objects that it made them from. */
const golden = deepFreeze(JSON.parse(readFileSync(new URL('golden/tables.json', import.meta.url), 'utf8')) as Record<string, GoldenTable>)
const recordedAt = Date.parse('2026-11-30T03:59:06Z')

/** Ages of freshly made objects depend on the second of the recording; a wildcard over an object picks a member at random there. */
function comparable(cells: readonly unknown[], columns: readonly { readonly name: string }[]): readonly unknown[] {
  return cells.map((cell, index) => {
    const name = columns[index]?.name
    if (name === 'Age') return 'age'
    return name === 'Wild' && (cell === '1' || cell === 'z') ? 'any' : typeof cell === 'bigint' ? Number(cell) : cell
  })
}

describe('tablePrinter against the real server', () => {
  for (const [resource, table] of Object.entries(golden)) {
    const [group = ''] = table.apiVersion.includes('/') ? table.apiVersion.split('/') : ['']
    const kind = table.kind.replace(/List$/, '')
    const printer = tablePrinter({ group, kind }, table.printerColumns)

    test(`has the columns of ${resource}`, () => {
      expect(printer.columns.map(({ description: _, ...column }) => column)).toEqual(table.columns)
      expect(printer.columns.every((column) => column.description !== '')).toBe(true)
    })

    test.each(table.rows.map((row) => ({ row, name: row.object.metadata.name })))(`has the cells of ${resource} $name`, ({ row }) => {
      expect(comparable(printer.cells(row.object, recordedAt), table.columns)).toEqual(comparable(row.cells, table.columns))
      expect(printer.conditions?.(row.object)).toEqual(row.conditions)
    })
  }
})

describe('tableOf', () => {
  const printer = tablePrinter({ group: 'example.com', kind: 'Unknown' })
  const object = deepFreeze({ apiVersion: 'v1', kind: 'X', metadata: { name: 'a', creationTimestamp: '2020-01-01T00:00:00Z' }, spec: {} })

  test('carries metadata by default, and what is asked for', () => {
    const metadata = { resourceVersion: '5' }
    const table = tableOf(printer, [object], { nowMs: 0, metadata })
    expect(table).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata })
    expect(table.columnDefinitions?.map((column) => column.name)).toEqual(['Name', 'Created At'])
    expect(table.rows).toEqual([
      {
        cells: ['a', '2020-01-01T00:00:00Z'],
        object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata },
      },
    ])
    expect(tableOf(printer, [object], { nowMs: 0, metadata, includeObject: 'Object' }).rows[0]?.object).toBe(object)
    const bare = tableOf(printer, [object], { nowMs: 0, metadata, includeObject: 'None', withColumns: false })
    expect(bare.columnDefinitions).toBeNull()
    expect(bare.rows[0]?.object).toBeNull()
  })
})

import { readFileSync } from 'node:fs'
import type { AnyResourceType, UnstructuredObject } from 'steersman/api'
import { deepFreeze } from 'steersman/internal'
import { describe, expect, test } from 'vitest'
import type { PrinterColumn } from '../../schema/index.js'
import { customResourceDefinitionKind } from '../apiextensions/custom-resource-definition.js'
import { servedBuiltins } from '../builtin.js'
import { customResourcePrinter } from './custom-resource.js'
import { customResourceDefinitionPrinter } from './custom-resource-definition.js'
import type { TableColumn, TableRowCondition } from './printer.js'
import { plainPrinter } from './printer.js'

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

const builtins = servedBuiltins({ kind: customResourceDefinitionKind(), printer: customResourceDefinitionPrinter }, () => true)

function printerOf(group: string, kind: string) {
  const builtin = builtins.find(({ kind: { type } }) => type.group === group && type.kind === kind)
  return builtin?.printer ?? plainPrinter
}

describe('columns of every built-in resource against the real server', () => {
  interface Facts {
    readonly resources: Readonly<Record<string, readonly { readonly plural: string; readonly columns?: readonly unknown[] }[]>>
  }
  const facts = JSON.parse(readFileSync(new URL('../../../../../hack/apigen/facts.json', import.meta.url), 'utf8')) as Facts

  test.each(builtins.map((builtin) => ({ builtin, name: resourceName(builtin.kind.type) })))('$name', ({ builtin }) => {
    const { group, version, plural } = builtin.kind.type
    const recorded = facts.resources[group === '' ? version : `${group}/${version}`]?.find((resource) => resource.plural === plural)
    const columns = (builtin.printer ?? plainPrinter).columns.map(({ description: _, format, priority, ...column }) => ({
      ...column,
      ...(format === '' ? {} : { format }),
      ...(priority === 0 ? {} : { priority }),
    }))
    expect(columns).toEqual(recorded?.columns)
  })
})

function resourceName({ group, version, plural }: AnyResourceType): string {
  return `${plural}.${version}.${group}`
}

describe('printers against the real server', () => {
  for (const [resource, table] of Object.entries(golden)) {
    const [group = ''] = table.apiVersion.includes('/') ? table.apiVersion.split('/') : ['']
    const kind = table.kind.replace(/List$/, '')
    const printer = table.printerColumns === undefined ? printerOf(group, kind) : customResourcePrinter(table.printerColumns)

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

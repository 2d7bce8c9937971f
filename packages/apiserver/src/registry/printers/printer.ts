/**
 * Tables: how objects are shown by `kubectl get`, computed by the server (`as=Table`).
 *
 * Columns (name, type, format, priority) and cells are those of the real server; descriptions of columns are our own words. Custom resources show the
 * columns of their definition. Pure functions: the time comes as an argument. Deliberately not here: negotiation and the wire (`endpoints`).
 */
import { compareCodePoints, compileLabelSelector, type LabelSelector, SelectorError, type UnstructuredObject } from 'steersman/api'
import { ageOf } from './human-duration.js'

/** A column of a Table (`meta.k8s.io/v1` TableColumnDefinition). */
export interface TableColumn {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  /** 0: always shown; more: only with `-o wide`. */
  readonly priority: number
}

/** A condition of a row; `kubectl` does not count completed pods as resources in use. */
export interface TableRowCondition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
}

/** How objects of one kind are shown in a Table. */
export interface TablePrinter {
  readonly columns: readonly TableColumn[]
  /**
   * The cells of an object's row, one per column. `nowMs`: the time that ages are measured to, in milliseconds since the epoch; `listed`: the whole
   * list, when the row is one of a list.
   */
  cells(object: UnstructuredObject, nowMs: number, listed?: readonly UnstructuredObject[]): readonly unknown[]
  conditions?(object: UnstructuredObject): readonly TableRowCondition[] | undefined
  /** The order of rows. @default that of the list */
  compare?(first: UnstructuredObject, second: UnstructuredObject): number
  /** The object whose metadata the row shows. @default the object itself */
  shown?(object: UnstructuredObject): UnstructuredObject
  /** What stands for the rows when there are none. @default an empty list */
  readonly rowsOfNone?: null
}

/** A column that is shown by default. */
export function column(name: string, type: string, description: string, format = ''): TableColumn {
  return { name, type, format, description, priority: 0 }
}

/** A column that is shown with `-o wide` only. */
export function wideColumn(name: string, type: string, description: string, format = ''): TableColumn {
  return { name, type, format, description, priority: 1 }
}

export const nameColumn: TableColumn = column('Name', 'string', 'The name of the object.', 'name')
export const ageColumn: TableColumn = column('Age', 'string', 'How long ago the object was created.')

/** Kinds without a printer of their own show when they were created. */
export const plainPrinter: TablePrinter = {
  columns: [nameColumn, column('Created At', 'date', 'When the object was created.')],
  cells: (object) => [object.metadata.name, object.metadata.creationTimestamp ?? '<unknown>'],
  rowsOfNone: null,
}

/** The age of an object. */
export function objectAge(object: UnstructuredObject, nowMs: number): string {
  return ageOf(object.metadata.creationTimestamp, nowMs)
}

/** A member of a value of unknown shape, by the names on the way; undefined when something on the way is missing. */
export function at(value: unknown, ...names: readonly (string | number)[]): unknown {
  let current = value
  for (const name of names) {
    if (typeof current !== 'object' || current === null) return undefined
    current = Object.hasOwn(current, name) ? (current as Record<string | number, unknown>)[name] : undefined
  }
  return current ?? undefined
}

/** The text at a place, empty when there is none. */
export function textAt(value: unknown, ...names: readonly (string | number)[]): string {
  const found = at(value, ...names)
  return typeof found === 'string' ? found : ''
}

/** The number at a place, 0 when there is none. */
export function numberAt(value: unknown, ...names: readonly (string | number)[]): number {
  const found = at(value, ...names)
  return typeof found === 'number' ? found : 0
}

/** The list at a place, empty when there is none. */
export function listAt(value: unknown, ...names: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...names)
  return Array.isArray(found) ? found : []
}

/** How many members the map at a place has. */
export function sizeAt(value: unknown, ...names: readonly (string | number)[]): number {
  const found = at(value, ...names)
  return typeof found === 'object' && found !== null ? Object.keys(found).length : 0
}

/** A label selector as text, or `onError` when it is not a valid one. */
export function selectorText(selector: unknown, onError: string): string {
  try {
    return compileLabelSelector(selector as LabelSelector | undefined).toString()
  } catch (error) {
    if (error instanceof SelectorError) return onError
    throw error
  }
}

/** Labels as `a=1,b=2`, sorted by key; `<none>` when there are none. */
export function labelsText(labels: unknown): string {
  if (typeof labels !== 'object' || labels === null) return '<none>'
  const texts = Object.entries(labels).map(([key, value]) => `${key}=${String(value)}`)
  return texts.length === 0 ? '<none>' : texts.sort(compareCodePoints).join(',')
}

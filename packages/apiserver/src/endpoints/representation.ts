import type { Status, UnstructuredObject, WatchEvent } from 'steersman/api'
import type { ListResult, ServedResource, TableColumn, TableConverter } from '../contracts/index.js'
import { internalPackage } from './go-names.js'
import type { AcceptedMedia } from './media-types.js'
import { cannotAccept, cannotConvertToTable } from './respond.js'

/** What a row carries beside its cells. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

/** How one request wants to see objects. */
export interface Presentation {
  readonly media: AcceptedMedia
  readonly includeObject: IncludeObject
  /** For ages. */
  readonly now: () => number
}

/** @throws {StatusError} BadRequest for a value that is none of these. */
export function parseIncludeObject(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject') ?? ''
  if (value === '') return 'Metadata'
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value
  const message = `includeObject: Invalid value: "${value}": must be 'Metadata', 'Object', 'None', or empty`
  throw cannotConvertToTable(message)
}

/** One object as asked for. @throws {StatusError} NotAcceptable when a list was asked for. */
export function presentObject(
  object: UnstructuredObject,
  served: ServedResource,
  table: TableConverter,
  presentation: Presentation,
): unknown {
  const { transformation, transformationVersion } = presentation.media
  if (transformation === undefined) return object
  if (transformation === 'Table') return tableOf(table, { resourceVersion: object.metadata.resourceVersion }, [object], presentation)
  if (transformation === 'PartialObjectMetadata') return partialMetadata(object, transformationVersion)
  throw cannotAccept(`you requested PartialObjectMetadataList, but the requested object is not a list (${goType(served, object.kind)})`)
}

/** A list as asked for. @throws {StatusError} NotAcceptable when a single object was asked for. */
export function presentList(list: ListResult, served: ServedResource, table: TableConverter, presentation: Presentation): unknown {
  const { transformation, transformationVersion } = presentation.media
  const metadata = listMetadata(list)
  if (transformation === undefined) {
    const { group, version, listKind } = served.type
    const ofCustom = served.builtIn ? metadata : { continue: '', ...metadata }
    return { kind: listKind, apiVersion: group === '' ? version : `${group}/${version}`, metadata: ofCustom, items: list.items }
  }
  if (transformation === 'Table') return tableOf(table, metadata, list.items, presentation, list.items)
  if (transformation === 'PartialObjectMetadata') {
    throw cannotAccept(`you requested PartialObjectMetadata, but the requested object is a list (${goType(served, served.type.listKind)})`)
  }
  const items = list.items.map((item) => partialMetadata(item, transformationVersion))
  return { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${transformationVersion}`, metadata, items }
}

/** How Go names the type of an object in memory: refusals show it. */
function goType({ builtIn, type }: ServedResource, kind = type.kind): string {
  if (builtIn) return `*${internalPackage(type.group)}.${kind}`
  return kind === type.kind ? '*unstructured.Unstructured' : '*unstructured.UnstructuredList'
}

function listMetadata(list: ListResult): Readonly<Record<string, unknown>> {
  return {
    ...(list.resourceVersion === '' ? {} : { resourceVersion: list.resourceVersion }),
    ...(list.continue ? { continue: list.continue } : {}),
    ...(list.remainingItemCount ? { remainingItemCount: list.remainingItemCount } : {}),
  }
}

function tableOf(
  converter: TableConverter,
  metadata: Readonly<Record<string, unknown>>,
  objects: readonly UnstructuredObject[],
  presentation: Presentation,
  listed?: readonly UnstructuredObject[],
): Readonly<Record<string, unknown>> {
  const apiVersion = `meta.k8s.io/${presentation.media.transformationVersion}`
  const now = presentation.now()
  const inOrder = converter.compare === undefined ? objects : objects.toSorted(converter.compare)
  const rows = inOrder.map((object) => tableRow(object, converter.cells(object, now, listed), converter, presentation))
  const shown = rows.length === 0 && converter.rowsOfNone === null ? null : rows
  return { kind: 'Table', apiVersion, metadata, columnDefinitions: converter.columns, rows: shown }
}

function tableRow(object: UnstructuredObject, cells: readonly unknown[], converter: TableConverter, presentation: Presentation): object {
  const { includeObject, media } = presentation
  const conditions = converter.conditions?.(object)
  const head = conditions === undefined || conditions.length === 0 ? { cells } : { cells, conditions }
  if (includeObject === 'None') return { ...head, object: null }
  return {
    ...head,
    object: includeObject === 'Object' ? object : partialMetadata(converter.shown?.(object) ?? object, media.transformationVersion),
  }
}

const partials = new WeakMap<UnstructuredObject, Map<string, UnstructuredObject>>()

/** The metadata of an object as an object of its own; the same value each time, so that its bytes can be shared. */
function partialMetadata(object: UnstructuredObject, version: string): UnstructuredObject {
  let versions = partials.get(object)
  if (versions === undefined) {
    versions = new Map()
    partials.set(object, versions)
  }
  let partial = versions.get(version)
  if (partial === undefined) {
    partial = Object.freeze({ kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata })
    versions.set(version, partial)
  }
  return partial
}

/** Turns the batches of a watch into what was asked for. Without a transformation the batches go through untouched. */
export function presentWatch(
  batches: AsyncIterable<readonly WatchEvent<UnstructuredObject>[]>,
  table: TableConverter,
  presentation: Presentation,
): AsyncIterable<readonly unknown[]> {
  const { transformation, transformationVersion } = presentation.media
  if (transformation === undefined) return batches
  if (transformation === 'Table') return mapEvents(batches, tableEvents(table, presentation))
  return mapEvents(batches, (event) =>
    event.type === 'ERROR' ? event : { type: event.type, object: partialMetadata(event.object, transformationVersion) },
  )
}

async function* mapEvents(
  batches: AsyncIterable<readonly WatchEvent<UnstructuredObject>[]>,
  present: (event: WatchEvent<UnstructuredObject>) => unknown,
): AsyncGenerator<readonly unknown[]> {
  for await (const batch of batches) yield batch.map(present)
}

/** Only the first table of a watch defines the columns. */
function tableEvents(converter: TableConverter, presentation: Presentation): (event: WatchEvent<UnstructuredObject>) => unknown {
  let columns: readonly TableColumn[] | null = converter.columns
  return (event) => {
    if (event.type === 'ERROR') return event
    const { type, object } = event
    // A bookmark has a name no more than anything else, but a table has a row for each event.
    const cells = converter.cells(object, presentation.now()).map((cell) => cell ?? '')
    const table = {
      kind: 'Table',
      apiVersion: `meta.k8s.io/${presentation.media.transformationVersion}`,
      metadata: { resourceVersion: object.metadata.resourceVersion },
      columnDefinitions: columns,
      rows: [tableRow(object, cells, converter, presentation)],
    }
    columns = null
    return { type, object: table }
  }
}

/** The columns of what has none of its own, such as a token request. */
export const nameAndAge: TableConverter = {
  columns: [
    { name: 'Name', type: 'string', format: 'name', description: 'Name of the object.', priority: 0 },
    { name: 'Created At', type: 'date', format: '', description: 'When the object was created.', priority: 0 },
  ],
  cells: (object) => [object.metadata?.name ?? '', object.metadata?.creationTimestamp ?? '<unknown>'],
}

/** Whether an answer is a Status and not an object. */
export function isStatusObject(value: UnstructuredObject | Status): value is Status {
  return value.kind === 'Status' && value.apiVersion === 'v1'
}

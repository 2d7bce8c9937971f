import type { UnstructuredObject } from 'steersman/api'
import { ageOf } from './human-duration.js'
import { at, column, numberAt, type TablePrinter, textAt, wideColumn } from './printer.js'

/** Events of both groups: `core/v1` and `events.k8s.io/v1` name the same facts differently. */
export const eventPrinter: TablePrinter = {
  columns: [
    column('Last Seen', 'string', 'How long ago it happened last.'),
    column('Type', 'string', 'Normal or Warning.'),
    column('Reason', 'string', 'Why it happened, in one word.'),
    column('Object', 'string', 'What it happened to.'),
    wideColumn('Subobject', 'string', 'The part of the object.'),
    wideColumn('Source', 'string', 'Who reports it.'),
    column('Message', 'string', 'What happened.'),
    wideColumn('First Seen', 'string', 'How long ago it happened first.'),
    wideColumn('Count', 'string', 'How often it happened.'),
    wideColumn('Name', 'string', 'The name of the event.', 'name'),
  ],
  cells: (event, nowMs) => {
    const involved = at(event, 'involvedObject') ?? at(event, 'regarding')
    const times = timesOf(event, nowMs)
    return [
      times.last,
      textAt(event, 'type'),
      textAt(event, 'reason'),
      targetOf(involved),
      textAt(involved, 'fieldPath'),
      sourceOf(event),
      (textAt(event, 'message') || textAt(event, 'note')).trim(),
      times.first,
      countOf(event),
      event.metadata.name,
    ]
  },
}

function timesOf(event: UnstructuredObject, nowMs: number): { readonly first: string; readonly last: string } {
  const firstTime = at(event, 'firstTimestamp') ?? at(event, 'deprecatedFirstTimestamp') ?? at(event, 'eventTime')
  const first = ageOf(firstTime, nowMs)
  if (at(event, 'series') !== undefined) return { first, last: ageOf(at(event, 'series', 'lastObservedTime'), nowMs) }
  const lastTime = at(event, 'lastTimestamp') ?? at(event, 'deprecatedLastTimestamp')
  return { first, last: lastTime === undefined ? first : ageOf(lastTime, nowMs) }
}

function countOf(event: UnstructuredObject): number {
  if (at(event, 'series') !== undefined) return numberAt(event, 'series', 'count')
  return numberAt(event, 'count') || numberAt(event, 'deprecatedCount') || 1
}

function targetOf(involved: unknown): string {
  const kind = textAt(involved, 'kind').toLowerCase()
  const name = textAt(involved, 'name')
  return name === '' ? kind : `${kind}/${name}`
}

function sourceOf(event: UnstructuredObject): string {
  const source = at(event, 'source') ?? at(event, 'deprecatedSource')
  const component = textAt(source, 'component') || textAt(event, 'reportingComponent') || textAt(event, 'reportingController')
  const instance = textAt(source, 'host') || textAt(event, 'reportingInstance')
  return instance === '' ? component : `${component}, ${instance}`
}

import type { BuiltinKind } from '../builtin-kind.js'
import { eventPrinter } from '../printers/event.js'
import { groupEventKind, toCoreEvent, toGroupEvent } from './event.js'

/** The kinds of this group that have rules of their own. */
export const eventsKinds: readonly BuiltinKind[] = [
  {
    kind: groupEventKind,
    printer: eventPrinter,
    viewOf: { group: '', plural: 'events', toServed: toGroupEvent, toStored: toCoreEvent },
  },
]

import type { UnstructuredObject } from 'steersman/api'
import type { TableConverter } from '../contracts/registry.js'

/** The table of a kind that has no printer of its own: its name and when it was created. */
export const defaultTable: TableConverter = Object.freeze({
  columns: [
    { name: 'Name', type: 'string', format: 'name', description: 'Name of the object', priority: 0 },
    { name: 'Created At', type: 'date', format: '', description: 'When the object was created', priority: 0 },
  ],
  cells: ({ metadata }: UnstructuredObject) => [metadata.name ?? '', metadata.creationTimestamp ?? null],
})

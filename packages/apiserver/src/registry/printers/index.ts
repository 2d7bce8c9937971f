/**
 * Tables: how objects are shown by `kubectl get`, computed by the server (`as=Table`).
 *
 * Columns (name, type, format, priority) and cells are those of the real server for the kinds that have a printer here; descriptions of
 * columns are our own words. Custom resources show the columns of their definition. Pure functions: the time comes as an argument.
 * Deliberately not here: negotiation and the wire (`endpoints`).
 */
export { humanDuration } from './human-duration.js'
export type { JsonPath } from './json-path.js'
export { compileJsonPath, JsonPathError } from './json-path.js'
export type { TableColumn, TablePrinter, TableRowCondition } from './printer.js'
export type { Table, TableOptions, TableRow } from './tables.js'
export { tableOf, tablePrinter } from './tables.js'

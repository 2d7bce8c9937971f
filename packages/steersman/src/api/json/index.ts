/**
 * `api/json`: the only parser and serialiser of JSON.
 *
 * Native and fast unless a text holds an integer of 16 digits or more; then integers of 64 bits beyond 2^53 become
 * bigint and every other number is what Go would read. Errors are worded as kube-apiserver words them. What a parsed
 * value cannot tell any more, two scans of the text tell: which members were written twice, and which whole numbers were
 * written as floating point (`1.0`, `1e3`). Deliberately not here: YAML, which is loaded on demand elsewhere.
 */
export { parseJson } from './parse.js'
export type { JsonScan } from './reader.js'
export { JsonSyntaxError, maxJsonDepth } from './reader.js'
export { findDuplicateKeys, scanJson } from './scan.js'
export { stringifyJson } from './stringify.js'

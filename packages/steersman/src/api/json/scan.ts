import type { JsonScan } from './reader.js'
import { readJson } from './reader.js'

/**
 * Reads a text slowly and tells what its value cannot: duplicate keys and whole numbers written as floating point.
 *
 * @throws JsonSyntaxError
 */
export function scanJson(text: string): JsonScan {
  return readJson(text)
}

/**
 * The members that an object has more than once, as strict decoding reports them: `metadata.name`,
 * `metadata.ownerReferences[0].name`, `metadata.labels.a/b.c`; in the order found, each once.
 *
 * @throws JsonSyntaxError
 */
export function findDuplicateKeys(text: string): readonly string[] {
  return readJson(text).duplicateKeys
}

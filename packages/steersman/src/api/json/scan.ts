import type { JsonScan } from './reader.js'
import { readJson } from './reader.js'
import { endOfString } from './text.js'

/**
 * Reads a text and tells what its value cannot: duplicate keys and whole numbers written as floating point.
 *
 * @throws JsonSyntaxError
 */
export function scanJson(text: string): JsonScan {
  return readJson(text)
}

/**
 * The members that an object has more than once, as strict decoding reports them: `metadata.name`,
 * `metadata.ownerReferences[0].name`, `metadata.labels.a/b.c`; in the order found, each once, at most a hundred.
 *
 * @param value what `parseJson` made of the text, if at hand: then a text without duplicates, the usual one, is told by counting
 * @throws JsonSyntaxError
 */
export function findDuplicateKeys(text: string, value?: unknown): readonly string[] {
  if (value !== undefined && countColons(text) === countMembers(value)) return []
  return readJson(text).duplicateKeys
}

/** Colons outside of strings: one for each member that the text writes. */
function countColons(text: string): number {
  let colons = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x22) index = endOfString(text, index)
    else if (code === 0x3a) colons++
  }
  return colons
}

function countMembers(value: unknown): number {
  let members = 0
  const pending: unknown[] = [value]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const children: readonly unknown[] = Array.isArray(next) ? next : Object.values(next)
    if (!Array.isArray(next)) members += children.length
    for (const child of children) if (typeof child === 'object' && child !== null) pending.push(child)
  }
  return members
}

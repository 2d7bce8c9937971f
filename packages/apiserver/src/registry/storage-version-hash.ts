import { createHash } from 'node:crypto'

/** The hash by which discovery tells how objects are stored: of group, version and kind. */
export function storageVersionHash(group: string, version: string, kind: string): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64')
}

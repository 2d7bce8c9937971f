/**
 * Replaces what differs from run to run by placeholders: ages, times, uids, revisions, generated suffixes, addresses and ports of services, tokens, folders. Tables are laid out anew
 * afterwards, because their columns are as wide as what was in them.
 */
export function normalise(text: string, folder: string): string {
  const replaced = text
    .replaceAll(timingMessage, '')
    .replaceAll(escapeSequence, '')
    .replaceAll(`${folder}/`, '<folder>/')
    .replaceAll(/<folder>\/kubectl-edit-\d+\.yaml/g, '<edited file>')
    .replaceAll(/https:\/\/127\.0\.0\.1:\d+/g, 'https://<server>')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, sameWidth('<uid>'))
    .replaceAll(/(?<=resourceVersion"?: ?"?|Resource Version: +)\d+/g, '<revision>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, sameWidth('<time>'))
    .replaceAll(/(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, '<time>')
    .replaceAll(/\b10\.0\.0\.(?!1\b)\d{1,3}\b/g, sameWidth('<ip>'))
    .replaceAll(/(?<=[:\s])3[0-2]\d{3}(?=\/(?:TCP|UDP))|(?<=nodePort: )\d+/g, sameWidth('<any>'))
    .replaceAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? \+0000(?: UTC)?/g, '<time>')
    .replaceAll(/(?<=<folder>\/(?:LIVE|MERGED)-)\d+/g, '<number>')
    .replaceAll(/(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} +\d+ \d\d:\d\d:\d\d \d{4}/g, '<time>')
    // Cells of Helm's tables.
    .replaceAll(/ +\t/g, '\t')
    .replaceAll(podSuffix, sameWidth('-<hash>-<suffix>'))
    .replaceAll(templateHash, sameWidth('<hash>'))
  return sortCauses(layOutTables(replaced.split('\n')))
    .join('\n')
    .replaceAll(padding, '')
    .replaceAll(/ +$/gm, '')
}

/** What kubectl logs when its own watch had to begin again. */
const timingMessage = /^[IW]\d{4} .*\n/gm

const escapeSequence = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

/** The letters that Kubernetes makes names of: no vowels, no digits that look like letters. */
const letter = '[bcdfghjklmnpqrstvwxz2456789]'
/** Of a pod: `web-7d4b9c8f6-x2vlp`. */
const podSuffix = new RegExp(`(?<=\\b[a-z]+)-${letter}{8,10}-${letter}{5}\\b`, 'g')
/** Of a replica set: `web-7d4b9c8f6`, and of the label. */
const templateHash = new RegExp(`(?<=\\b[a-z]+-|pod-template-hash[=:] ?"?)(?=[a-z]*\\d)${letter}{8,10}\\b`, 'g')

/** Keeps a place in a table as wide as it was until the columns have been found. */
const padding = /\ue000/g
function sameWidth(placeholder: string): (found: string) => string {
  return (found) => placeholder.padEnd(found.length, '\ue000')
}

const age = '(?:\\d+[ydhms])+'
const ageCell = new RegExp(`^${age}$|(?<=\\()${age}(?= ago\\))|^${age}(?= \\(x)|(?<= over )${age}`, 'g')
/** Of lines that stand in no table with a heading of capitals. */
const looseAge = new RegExp(`(?<![: ]) {2,}${age}(?: \\(x\\d+ over ${age}\\))?(?: {2,}|$)`, 'g')

function layOutTables(lines: readonly string[]): string[] {
  const result: string[] = []
  for (let at = 0; at < lines.length; ) {
    const columns = columnsOf(lines[at] ?? '')
    let end = at + 1
    if (columns !== undefined) {
      while (end < lines.length && lines[end] !== '' && isRow(lines[end] ?? '', columns)) end += 1
      result.push(...layOut(lines.slice(at, end).map((line) => cellsOf(line, columns))))
    } else {
      result.push((lines[at] ?? '').replaceAll(looseAge, '   <age>   '))
    }
    at = end
  }
  return result
}

/** Where the columns begin if a line is the heading of a table: words of capitals with at least two blanks between them. */
function columnsOf(line: string): readonly number[] | undefined {
  if (!/^[A-Z][A-Z()\-/]*(?: [A-Z()\-/]+)*(?: {2,}[A-Z][A-Z()\-/]*(?: [A-Z()\-/]+)*)* *$/.test(line)) return undefined
  return Array.from(line.matchAll(/(?<=^| {2})[A-Z]/g), ({ index }) => index)
}

function isRow(line: string, columns: readonly number[]): boolean {
  return columns.every((column) => column === 0 || column >= line.length || line[column - 1] === ' ')
}

function cellsOf(line: string, columns: readonly number[]): string[] {
  return columns.map((column, index) =>
    line
      .slice(column, columns[index + 1])
      .replaceAll(padding, '')
      .trim()
      .replaceAll(ageCell, '<age>'),
  )
}

function layOut(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   '))
}

/** The causes of one refusal come in the order of a Go map, that is, in any. */
function sortCauses(lines: readonly string[]): string[] {
  const isCause = (line: string | undefined) => line?.startsWith('* ') === true
  const result: string[] = []
  for (let at = 0; at < lines.length; ) {
    let end = at + 1
    if (isCause(lines[at])) while (isCause(lines[end])) end += 1
    result.push(...lines.slice(at, end).sort())
    at = end
  }
  return result
}

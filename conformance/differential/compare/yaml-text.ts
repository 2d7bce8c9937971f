import type { Json } from '../language/index.js'

const mostColumns = 160
/** Text that YAML reads as itself, inside `[]` and `{}` too. */
const plainPattern = /^[A-Za-z<][\w<>./@=+$;()-]*(?: [\w<>./@=+$;()-]+)*$/
const reservedPattern = /^(?:true|false|null|yes|no|y|n|on|off|nan|inf)$/i

/** YAML that people can review: what fits on a line is on one line, everything else is broken up. */
export function yamlText(value: Json): string {
  return `${block(value, 0).trimStart()}\n`
}

/** Begins with a line break and its indentation unless it fits behind what is already on the line. */
function block(value: Json, indent: number, taken = 0): string {
  const line = inline(value)
  if (indent > 0 && taken + line.length <= mostColumns) return ` ${line}`
  const start = `\n${' '.repeat(indent)}`
  if (Array.isArray(value) && value.length > 0) {
    return value.map((element) => `${start}-${listElement(element as Json, indent + 2)}`).join('')
  }
  if (value !== null && typeof value === 'object' && Object.keys(value).length > 0) {
    return Object.entries(value)
      .map(([key, member]) => `${start}${scalar(key)}:${block(member as Json, indent + 2, indent + key.length + 2)}`)
      .join('')
  }
  return ` ${line}`
}

/** A member of a list: the first line stands behind the dash. */
function listElement(value: Json, indent: number): string {
  return ` ${block(value, indent, indent).trimStart()}`
}

function inline(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((element) => inline(element as Json)).join(', ')}]`
  if (value !== null && typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, member]) => `${scalar(key)}: ${inline(member as Json)}`)
      .join(', ')}}`
  }
  return typeof value === 'string' ? scalar(value) : JSON.stringify(value)
}

function scalar(text: string): string {
  return plainPattern.test(text) && !reservedPattern.test(text) ? text : JSON.stringify(text)
}

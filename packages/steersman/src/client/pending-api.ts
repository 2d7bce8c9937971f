import type { AnyResourceType } from '../api/index.js'

export const parseJson = (text: string | Uint8Array): unknown =>
  JSON.parse(typeof text === 'string' ? text : new TextDecoder().decode(text))
export const stringifyJson = (value: unknown): string => JSON.stringify(value)
export const apiVersionOf = (type: { group: string; version: string }): string =>
  type.group === '' ? type.version : `${type.group}/${type.version}`
export function resourcePath(type: AnyResourceType, key: { namespace?: string; name?: string; subresource?: string } = {}): string {
  const parts = [type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`]
  if (key.namespace) parts.push('namespaces', encodeURIComponent(key.namespace))
  parts.push(type.plural)
  if (key.name) parts.push(encodeURIComponent(key.name))
  if (key.subresource) parts.push(key.subresource)
  return parts.join('/')
}

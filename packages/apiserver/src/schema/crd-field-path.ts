import { additionalSchema, type RawSchema } from './crd-types.js'

/** The schema that a path leads to and the path in canonical form, or why the path leads nowhere. */
export type FieldPathResult = { readonly schema: RawSchema; readonly path: string } | { readonly problem: string }

/** Follows a path such as `.spec.a['b.c']` through a schema. */
export function findFieldPath(text: string, root: RawSchema, options: { readonly allowArrayNotation?: boolean } = {}): FieldPathResult {
  const tokens = text.match(/'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/g) ?? []
  let schema: RawSchema = root
  let path = ''
  let position = 0
  const next = (): string | undefined => tokens[position++]
  const enter = (name: string): string | undefined => {
    if (schema.properties === undefined && schema.additionalProperties === undefined) return 'does not refer to a valid field'
    const isNamed = schema.properties !== undefined
    const child = isNamed ? schema.properties?.[name] : (additionalSchema(schema) ?? {})
    if (child === undefined) return 'does not refer to a valid field'
    path = isNamed ? (path === '' ? name : `${path}.${name}`) : `${path}[${name}]`
    schema = child
    return undefined
  }
  for (let token = next(); token !== undefined; token = next()) {
    if (token !== '[' && token !== '.') return { problem: `expected [ or . but got: ${token}` }
    if (token === '[' && options.allowArrayNotation === false) return { problem: 'array notation is not allowed' }
    let name = next()
    if (name === undefined) return { problem: 'unexpected end of JSON path' }
    if (token === '[') {
      if (name.length < 2 || !name.startsWith("'") || !name.endsWith("'"))
        return { problem: `expected single quoted string but got ${name}` }
      name = name.slice(1, -1).replace(/\\(.)/g, '$1')
    }
    const problem = enter(name)
    if (problem !== undefined) return { problem }
    if (token !== '[') continue
    const close = next()
    if (close === undefined) return { problem: 'unexpected end of JSON path' }
    if (close !== ']') return { problem: `expected ] but got ${close}` }
  }
  return { schema, path }
}

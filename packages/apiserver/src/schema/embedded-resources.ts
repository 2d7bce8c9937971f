import { type FieldError, fieldError, validateDns1035Label } from 'steersman/api'
import { anyNode, type SchemaNode } from './schema-node.js'
import { isJsonObject, type JsonObject } from './structural-schema.js'

/** Checks the metadata of an embedded resource. `path` leads to the metadata. */
export type MetadataValidator = (metadata: JsonObject, path: string) => readonly FieldError[]

/** Compiles the check of all embedded resources below a node; undefined when there are none. */
export function compileEmbeddedCheck(
  root: SchemaNode,
  validateMetadata: MetadataValidator | undefined,
): ((value: unknown, errors: FieldError[]) => void) | undefined {
  if (!anyNode(root, (node) => node.isEmbeddedResource)) return undefined
  const check = (node: SchemaNode, value: unknown, path: string, errors: FieldError[]): void => {
    if (Array.isArray(value)) {
      const { items } = node
      if (items !== undefined) for (const [index, item] of value.entries()) check(items, item, `${path}[${index}]`, errors)
    } else if (isJsonObject(value)) {
      if (node.isEmbeddedResource) checkResource(value, path, errors, validateMetadata)
      for (const name of Object.keys(value).sort()) {
        const own = node.properties.get(name)
        if (own !== undefined) check(own, value[name], path === '' ? name : `${path}.${name}`, errors)
        else if (node.additional !== undefined) check(node.additional, value[name], `${path}[${name}]`, errors)
      }
    }
  }
  return (value, errors) => check(root, value, '', errors)
}

function checkResource(value: JsonObject, path: string, errors: FieldError[], validateMetadata: MetadataValidator | undefined): void {
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`)
  for (const name of ['apiVersion', 'kind']) if (!Object.hasOwn(value, name)) errors.push(fieldError.required(at(name)))
  const { apiVersion, kind, metadata } = value
  if (apiVersion !== undefined) pushProblem(errors, at('apiVersion'), apiVersion, apiVersionProblem)
  if (kind !== undefined) pushProblem(errors, at('kind'), kind, kindProblem)
  if (isJsonObject(metadata)) errors.push(...(validateMetadata?.(metadata, at('metadata')) ?? []))
}

function pushProblem(errors: FieldError[], path: string, value: unknown, problemOf: (text: string) => string | undefined): void {
  const problem = typeof value !== 'string' ? 'must be a string' : value === '' ? 'must not be empty' : problemOf(value)
  if (problem !== undefined) errors.push(fieldError.invalid(path, value, problem))
}

function apiVersionProblem(text: string): string | undefined {
  return text.split('/').length > 2 ? `unexpected GroupVersion string: ${text}` : undefined
}

function kindProblem(text: string): string | undefined {
  const problems = validateDns1035Label(text.toLowerCase())
  return problems.length === 0 ? undefined : `may have mixed case, but should otherwise match: ${problems.join(',')}`
}

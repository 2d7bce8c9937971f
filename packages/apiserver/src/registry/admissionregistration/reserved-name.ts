import type { FieldError } from 'steersman/api'
import { fieldError, goQuote } from 'steersman/api'

const suffix = '.static.k8s.io'

/** What is wrong with the name of a new object: some names are kept for what files on the server's disk say. */
export function validateReservedName(name: string | undefined): FieldError[] {
  if (!name?.endsWith(suffix)) return []
  const detail = `names ending with ${goQuote(suffix)} are reserved for static manifest-based configurations and cannot be managed via the API`
  return [fieldError.invalid('metadata.name', name, detail)]
}

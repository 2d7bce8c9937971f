import type { AdmissionAttributes } from '../contracts/index.js'

/** How refusals name the object: before it has a name, by what the name will begin with. */
export function objectName({ name, object }: AdmissionAttributes): string {
  return name || object?.metadata.name || object?.metadata.generateName || 'Unknown'
}

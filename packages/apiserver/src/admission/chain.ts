import type { UnstructuredObject } from 'steersman/api'
import type { AdmissionAttributes, AdmissionPlugin } from '../contracts/index.js'

/** Plugins as one: each sees the object as the ones before it left it; the first refusal counts. */
export function admissionChain(plugins: readonly AdmissionPlugin[]): AdmissionPlugin {
  // Each step makes every write wait for a microtask: plugins without one are left out.
  const admitting = plugins.flatMap(({ admit }) => admit ?? [])
  const validating = plugins.flatMap(({ validate }) => validate ?? [])
  return {
    name: 'Chain',
    async admit(attributes: AdmissionAttributes): Promise<UnstructuredObject | undefined> {
      let current = attributes
      for (const admit of admitting) {
        const object = await admit(current)
        if (object !== undefined && object !== current.object) current = { ...current, object }
      }
      return current.object
    },
    async validate(attributes: AdmissionAttributes): Promise<void> {
      for (const validate of validating) await validate(attributes)
    },
  }
}

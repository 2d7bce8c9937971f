import { defineResource, type ResourceOf } from 'steersman'
import { conditions } from 'steersman/zod'
import * as z from 'zod'

/** A custom resource as an author of a controller would define it. */
export const Gadget = defineResource({
  group: 'e2e.steersman.dev',
  version: 'v1',
  kind: 'Gadget',
  scope: 'Namespaced',
  spec: z.object({ size: z.int32().min(0).max(100).default(1), colour: z.string().optional() }),
  status: z.object({ observedGeneration: z.int().optional(), phase: z.string().optional(), conditions: conditions() }),
  selectableFields: ['.spec.colour'],
})
export type Gadget = ResourceOf<typeof Gadget>

/** A resource of a kind that exists nowhere else, for tests that install and remove it. */
export function defineContraption(suffix: string) {
  return defineResource({
    group: 'e2e.steersman.dev',
    version: 'v1',
    kind: `Contraption${suffix}`,
    scope: 'Namespaced',
    spec: z.object({ size: z.int32().default(1) }),
  })
}

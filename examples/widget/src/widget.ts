import { defineResource, type ResourceOf } from 'steersman'
import { conditions } from 'steersman/zod'
import * as z from 'zod'

export const Widget = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  shortNames: ['wd'],
  scope: 'Namespaced',
  spec: z.object({ image: z.string().min(1), replicas: z.int32().min(0).default(1) }),
  status: z.object({
    observedGeneration: z.int().optional(),
    readyReplicas: z.int32().optional(),
    conditions: conditions(),
  }),
  printerColumns: [
    { name: 'Image', type: 'string', jsonPath: '.spec.image' },
    { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
    { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.readyReplicas' } },
})
export type Widget = ResourceOf<typeof Widget>

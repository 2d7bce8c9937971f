/** Prints percentiles of the time from sending a patch of a ConfigMap to the reconcile that reads the change from the cache, one patch after the other. */
import { controllerManagedBy, ignoreNotFound, mergePatch } from 'steersman'
import { ConfigMap } from 'steersman/api/types/core/v1'
import { quantile } from '../statistics.js'
import { endWithParent } from './end-with-parent.js'
import { during, newManager, runtimeFlags } from './runtime-flags.js'

const warmUpEvents = 500

endWithParent()
const flags = runtimeFlags()
const manager = await newManager(flags)
const key = { namespace: flags.namespace, name: 'latency-ours' }
let onStep: (step: string | undefined) => void = () => undefined
controllerManagedBy(manager)
  .for(ConfigMap)
  .complete(async (request, { client }) => {
    const object = await client.get(ConfigMap, request).catch(ignoreNotFound)
    onStep(object?.data?.step)
  })

await during(manager, async (client) => {
  await client.create(ConfigMap, { metadata: key })
  const latencies: number[] = []
  for (let event = 0; event < warmUpEvents + flags.events; event += 1) {
    const step = `${event}`
    const seen = new Promise<number>((resolve) => {
      onStep = (current) => current === step && resolve(performance.now())
    })
    const sentMs = performance.now()
    const [seenMs] = await Promise.all([seen, client.patch(ConfigMap, key, mergePatch({ data: { step } }))])
    if (event >= warmUpEvents) latencies.push(seenMs - sentMs)
  }
  await client.delete(ConfigMap, key)
  return { p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99), maxMs: Math.max(...latencies) }
})

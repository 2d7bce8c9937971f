/** Prints the time from the start of a manager until its cache of pods has synced, and the memory that each takes. */
import { Pod } from 'steersman/api/types/core/v1'
import { endWithParent } from './end-with-parent.js'
import { cpuUs, during, newManager, runtimeFlags } from './runtime-flags.js'

endWithParent()
const flags = runtimeFlags()
const manager = await newManager(flags)
manager.cache.informer(Pod)
const heapBefore = heap()
const [before, cpuBefore] = [performance.now(), cpuUs()]
await during(manager, async (client, signal) => {
  await manager.cache.waitForSync(signal)
  const syncMs = performance.now() - before
  const cpuMs = (cpuUs() - cpuBefore) / 1000
  const bytesPerObject = (heap() - heapBefore) / flags.count
  const { items } = await client.list(Pod, { namespace: flags.namespace })
  if (items.length !== flags.count) throw new Error(`${items.length} pods in the cache: expected ${flags.count}`)
  return { syncMs, cpuMs, bytesPerObject }
})

/** What is alive, in bytes. */
function heap(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

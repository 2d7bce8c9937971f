/** Prints how many cached ConfigMaps are reconciled in a second, one cached get in each, and the processor time that each takes. */
import { controllerManagedBy, type ReconcileRequest, type Source } from 'steersman'
import { ConfigMap } from 'steersman/api/types/core/v1'
import { endWithParent } from './end-with-parent.js'
import { cpuUs, during, newManager, runtimeFlags } from './runtime-flags.js'

const warmUpRounds = 3

endWithParent()
const { count, workers, rounds, ...flags } = runtimeFlags()
const manager = await newManager(flags)

// The initial list is the first round.
let left = count
let endRound: () => void = () => undefined
let roundEnded = newRound()
let enqueue: (request: ReconcileRequest) => void = () => undefined
const source: Source = {
  name: 'rounds',
  start(given) {
    enqueue = given
  },
  waitForSync: async () => undefined,
}
controllerManagedBy(manager)
  .for(ConfigMap)
  .watchesRawSource(source)
  .withOptions({ maxConcurrentReconciles: workers })
  .complete(async (request, { client }) => {
    await client.get(ConfigMap, request)
    left -= 1
    if (left === 0) endRound()
  })

await during(manager, async (client, signal) => {
  await manager.cache.waitForSync(signal)
  const { items } = await client.list(ConfigMap, { namespace: flags.namespace })
  if (items.length !== count) throw new Error(`${items.length} ConfigMaps in the cache: expected ${count}`)
  await roundEnded
  const requests = items.map(({ metadata: { namespace = '', name = '' } }) => ({ namespace, name, cluster: '' }))
  await repeat(requests, warmUpRounds)
  const [before, cpuBefore] = [performance.now(), cpuUs()]
  await repeat(requests, rounds)
  const seconds = (performance.now() - before) / 1000
  return { perSecond: (rounds * count) / seconds, cpuUs: (cpuUs() - cpuBefore) / (rounds * count) }
})

/** Enqueues every key and waits until all were reconciled, again and again. */
async function repeat(requests: readonly ReconcileRequest[], times: number): Promise<void> {
  for (let round = 0; round < times; round += 1) {
    left = requests.length
    roundEnded = newRound()
    for (const request of requests) enqueue(request)
    await roundEnded
  }
}

function newRound(): Promise<void> {
  return new Promise((resolve) => {
    endRound = resolve
  })
}

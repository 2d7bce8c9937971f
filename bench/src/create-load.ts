/** Creates Widgets with 64 clients for a while and prints how many were created in a second, with the slowest percentiles. */
import { Widget } from '@steersman/example-widget/widget'
import { createClient, customResourceDefinition, discardLogger, ignoreAlreadyExists, systemEnvironment } from 'steersman'
import { CustomResourceDefinition } from 'steersman/api/types/apiextensions/v1'
import { createTransport, loadKubeconfig } from 'steersman/client'

const clients = 64
const connections = 8
const warmUpMs = 1000
const measuredMs = 4000

const [, , kubeconfig = ''] = process.argv
const config = await loadKubeconfig({ path: kubeconfig })
const transports = Array.from({ length: connections }, () => createTransport(systemEnvironment, config))
const pool = transports.map((transport) => createClient({ environment: systemEnvironment, transport, logger: discardLogger }))
await pool[0]?.create(CustomResourceDefinition, customResourceDefinition(Widget)).catch(ignoreAlreadyExists)

const startMs = performance.now()
const endMs = startMs + warmUpMs + measuredMs
let sequence = 0
const latencies: number[] = []
await Promise.all(
  Array.from({ length: clients }, async (_, index) => {
    const client = pool[index % connections]
    for (;;) {
      const before = performance.now()
      if (before > endMs) return
      sequence += 1
      await client?.create(Widget, { metadata: { namespace: 'default', name: `w-${sequence}` }, spec: { image: 'widget:1', replicas: 3 } })
      if (before > startMs + warmUpMs) latencies.push(performance.now() - before)
    }
  }),
)
await Promise.all(transports.map((transport) => transport.close()))
latencies.sort((left, right) => left - right)
const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
console.log(JSON.stringify({ perSecond: latencies.length / (measuredMs / 1000), p50Ms: at(0.5), p99Ms: at(0.99) }))

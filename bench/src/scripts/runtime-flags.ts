import { parseArgs } from 'node:util'
import { type Client, discardLogger, Manager } from 'steersman'
import { loadKubeconfig } from 'steersman/client'

/** The flags that `helpers runtime` has too. */
export function runtimeFlags() {
  const text = { type: 'string' } as const
  // As Go's flags, with one hyphen.
  const args = process.argv.slice(2).map((arg) => arg.replace(/^-(?=\w)/, '--'))
  const options = { kubeconfig: text, namespace: text, count: text, workers: text, rounds: text, events: text } as const
  const {
    kubeconfig = '',
    namespace = 'default',
    count = '0',
    workers = '1',
    rounds = '10',
    events = '500',
  } = parseArgs({ args, options }).values
  return { kubeconfig, namespace, count: Number(count), workers: Number(workers), rounds: Number(rounds), events: Number(events) }
}

/** A manager that caches one namespace and says nothing. */
export async function newManager({ kubeconfig, namespace }: { readonly kubeconfig: string; readonly namespace: string }): Promise<Manager> {
  return new Manager({ config: await loadKubeconfig({ path: kubeconfig }), logger: discardLogger, cache: { namespace } })
}

/** Runs the manager while work runs, and prints what the work resolves to. */
export async function during(manager: Manager, work: (client: Client, signal: AbortSignal) => Promise<object>): Promise<void> {
  const abort = new AbortController()
  const ended = manager.start(abort.signal)
  const result = await Promise.race([work(manager.client, abort.signal), ended.then(() => Promise.reject(new Error('the manager ended')))])
  abort.abort()
  await ended
  console.log(JSON.stringify(result))
}

/** Processor time of this process in microseconds. */
export function cpuUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

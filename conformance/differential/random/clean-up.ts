import { createAgent, httpRequest } from '../../src/http-client.js'
import { users } from '../../src/users.js'
import { type Exchange, type Target, type Transcript, valueAt } from '../run/index.js'

/** Removes the cluster-wide objects that a scenario made: they would be in the way of others. */
export async function cleanUp(target: Target, { run, exchanges }: Transcript): Promise<void> {
  const paths = new Set(exchanges.flatMap((exchange) => madePath(exchange, run) ?? []))
  if (paths.size === 0) return
  const agent = createAgent()
  const send = (method: string, path: string, body: string) =>
    httpRequest({
      url: target.url + path,
      method,
      agent,
      body,
      headers: {
        authorization: `Bearer ${users.admin.token}`,
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      },
    })
  for (const path of paths) {
    await send('PATCH', path, '{"metadata":{"finalizers":null}}')
    await send('DELETE', path, '{"apiVersion":"v1","kind":"DeleteOptions","gracePeriodSeconds":0}')
  }
  agent.destroy()
}

function madePath({ request, status, body }: Exchange, run: string): string | undefined {
  const [method, path = ''] = request.split(' ')
  const name = valueAt(body, 'metadata.name')
  if (method !== 'POST' || status !== 201 || typeof name !== 'string' || path.includes('/namespaces/') || path.includes('dryRun'))
    return undefined
  return `${path.split('?', 1)[0]}/${encodeURIComponent(name)}`.replaceAll('{{run}}', run)
}

import { defineArea, named, nodes, pods, services } from '../../language/index.js'
import { container, podOf } from './objects.js'

/** What of a pod only its node knows. */
export const podsOfNodes = defineArea('kinds pods', (scenario) => {
  scenario('what only a node can answer', (s) => {
    const text = { accept: '*/*' }
    const on = (subresource: string, query: Record<string, string> = {}) => ({ ...text, subresource, query })
    s.create(pods, podOf('a', { containers: [container(), container({ name: 'second' })] }), { isQuiet: true })
    s.create(pods, podOf('b', {}), { isQuiet: true })
    s.create(pods, podOf('c', { nodeName: s.unique('nowhere') }), { isQuiet: true })
    s.get(pods, 'a', on('log'))
    s.get(pods, 'a', on('log', { container: 'third' }))
    s.get(pods, 'a', on('log', { container: 'second' }))
    s.get(pods, 'b', on('log'))
    s.get(pods, 'c', on('log'))
    s.get(pods, 'none', on('log'))
    s.get(pods, 'b', on('log', { tailLines: '-1', limitBytes: '0', sinceSeconds: '0', follow: 'true' }))
    s.get(pods, 'b', on('log', { tailLines: 'x' }))
    for (const subresource of ['exec', 'attach']) {
      s.create(pods, named('a'), on(subresource, { command: 'x', stdout: 'true' }))
      s.create(pods, named('b'), on(subresource, { command: 'x', stdout: 'true' }))
      s.get(pods, 'b', on(subresource, { stdout: 'true' }))
      s.get(pods, 'b', on(subresource, { command: 'x' }))
      s.get(pods, 'b', on(subresource, { command: 'x', stdout: 'true', stderr: 'true', tty: 'true', container: 'z' }))
      s.get(pods, 'c', on(subresource, { command: 'x', stdout: 'true' }))
      s.get(pods, 'none', on(subresource, { command: 'x', stdout: 'true' }))
    }
    s.create(pods, named('b'), on('portforward'))
    s.get(pods, 'c', on('portforward', { ports: '80' }))
    s.get(pods, 'none', on('portforward'))
    s.get(pods, 'b', on('proxy'))
    s.get(pods, 'c', on('proxy'))
    s.get(pods, 'none', on('proxy'))
    s.get(pods, 'b:x:y', on('proxy'))
    s.create(
      services,
      {
        ...named('web'),
        spec: {
          ports: [
            { port: 80, name: 'http' },
            { port: 81, name: 'more' },
          ],
        },
      },
      { isQuiet: true },
    )
    s.get(services, 'web', on('proxy'))
    s.get(services, 'web:http', on('proxy'))
    s.get(services, 'web:none', on('proxy'))
    s.get(services, 'none', on('proxy'))
    s.get(nodes, s.unique('nowhere'), on('proxy'))
    s.get(nodes, 'a:b:c', on('proxy'))
    const [bare, closed] = [s.unique('bare'), s.unique('closed')]
    s.create(nodes, named(bare), { isQuiet: true })
    s.create(nodes, named(closed), { isQuiet: true })
    const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }]
    s.patch(
      nodes,
      closed,
      'merge',
      { status: { addresses, daemonEndpoints: { kubeletEndpoint: { Port: 1 } } } },
      { subresource: 'status', isQuiet: true },
    )
    s.create(pods, podOf('d', { nodeName: bare }), { isQuiet: true })
    s.create(pods, podOf('e', { nodeName: closed }), { isQuiet: true })
    for (const name of ['d', 'e']) {
      s.get(pods, name, on('log'))
      s.get(pods, name, on('exec', { command: 'x', stdout: 'true' }))
      s.get(pods, name, on('portforward'))
    }
    s.get(nodes, bare, on('proxy'))
    s.get(nodes, closed, on('proxy'))
    s.delete(nodes, bare, undefined, { isQuiet: true })
    s.delete(nodes, closed, undefined, { isQuiet: true })
  })
})

import type { Environment } from './environment.js'
import { InProcessTransport } from './in-process-transport.js'
import { type Listener, type Network, type RequestHandler, TransportError } from './transport.js'

/**
 * A network inside this process, without sockets, in the time of `environment`: for a program that runs clients and servers side by side.
 *
 * @param environment delivers what reaches the clients.
 */
export function createLocalNetwork(environment: Environment): Network {
  const servers = new Map<string, Server>()
  return {
    connect(url, options) {
      const { origin } = new URL(url)
      const transport: InProcessTransport = new InProcessTransport(
        () => {
          const server = servers.get(origin)
          // Remembered so that closing the listener ends what is open.
          server?.clients.add(transport)
          return server?.handler
        },
        environment,
        options?.user,
        () => servers.get(origin)?.clients.delete(transport),
      )
      return transport
    },
    listen(url, handler) {
      const { origin } = new URL(url)
      if (servers.has(origin)) throw new TransportError('EADDRINUSE', `Cannot listen on ${origin}: the address is in use`)
      const server: Server = { handler, clients: new Set() }
      servers.set(origin, server)
      return new LocalListener(origin, () => {
        if (servers.get(origin) === server) servers.delete(origin)
        for (const client of server.clients) client.reset('ECONNRESET', 'the connection was reset')
        server.clients.clear()
      })
    },
  }
}

interface Server {
  readonly handler: RequestHandler
  readonly clients: Set<InProcessTransport>
}

class LocalListener implements Listener {
  readonly url: string
  readonly #onClose: () => void

  constructor(url: string, onClose: () => void) {
    this.url = url
    this.#onClose = onClose
  }

  async close(): Promise<void> {
    this.#onClose()
  }
}

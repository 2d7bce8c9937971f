import { connect, createServer, type Server, type Socket } from 'node:net'

/** Stands between a client and a server, so that a test can take the server away without stopping it. */
export class TcpProxy {
  readonly #target: { readonly host: string; readonly port: number }
  readonly #pairs = new Set<{ readonly client: Socket; readonly server: Socket }>()
  #listener: Server | undefined
  #port = 0
  #isStalled = false
  #stalledBytes = 0

  /** @param url of the server. */
  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.#target = { host: hostname, port: Number(port) }
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`
  }

  /** How much clients have sent since {@link stallUploads}. */
  get stalledBytes(): number {
    return this.#stalledBytes
  }

  /** Accepts connections, on the same port every time. */
  async open(): Promise<void> {
    const listener = createServer((client) => this.#join(client))
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject)
      listener.listen(this.#port, '127.0.0.1', resolve)
    })
    this.#port = (listener.address() as { readonly port: number }).port
    this.#listener = listener
  }

  /** Cuts every connection and refuses new ones. */
  async close(): Promise<void> {
    const listener = this.#listener
    this.#listener = undefined
    for (const { client, server } of this.#pairs) {
      client.resetAndDestroy()
      server.destroy()
    }
    if (listener !== undefined) await new Promise((resolve) => listener.close(resolve))
  }

  /** What clients send from now on does not arrive; what the server sends does. */
  stallUploads(): void {
    this.#isStalled = true
  }

  #join(client: Socket): void {
    const server = connect(this.#target)
    const pair = { client, server }
    this.#pairs.add(pair)
    const end = (): void => {
      this.#pairs.delete(pair)
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) socket.setNoDelay(true).on('error', end).on('close', end)
    client.on('data', (chunk) => {
      if (this.#isStalled) this.#stalledBytes += chunk.length
      else server.write(chunk)
    })
    server.on('data', (chunk) => client.write(chunk))
  }
}

#!/usr/bin/env node
import { createServer } from 'node:http'
import { GoFlags } from './go-flags.js'

const help = `Stands in for etcd beside the embedded kube-apiserver, which keeps its objects itself: answers /health and stores nothing.

  --listen-client-urls URL   where to answer (default http://127.0.0.1:2379)
  --unsafe-no-fsync          accepted, as all flags of etcd are
`

function main(): void {
  const flags = new GoFlags(process.argv.slice(2))
  if (flags.get('help') !== undefined || flags.get('h') !== undefined) {
    process.stdout.write(help)
    return
  }
  const address = flags.list('listen-client-urls')[0] ?? 'http://127.0.0.1:2379'
  if (!URL.canParse(address)) {
    process.stderr.write(`--listen-client-urls ${address}: expected a URL\n`)
    process.exitCode = 1
    return
  }
  const { hostname, port } = new URL(address)
  const server = createServer((request, response) => {
    const isHealth = request.url?.startsWith('/health')
    response.writeHead(isHealth ? 200 : 404, { 'content-type': 'application/json' }).end(isHealth ? '{"health":"true","reason":""}' : '{}')
  })
  server.on('error', (error) => {
    process.stderr.write(`Cannot listen on ${hostname}:${port}: ${error.message}\n`)
    process.exit(1)
  })
  server.listen(Number(port), hostname)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0))
}

main()

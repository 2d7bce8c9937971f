#!/usr/bin/env node
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ControlPlaneOptions, startControlPlane } from '../server/index.js'
import { GoFlags } from './go-flags.js'

const help = `Serves the embedded Kubernetes API with the flags of kube-apiserver, until it gets SIGTERM or SIGINT. Objects are kept in memory.

  --bind-address string            address to listen on (default "0.0.0.0")
  --secure-port int                port to listen on (default 6443)
  --cert-dir string                holds apiserver.crt and apiserver.key (default "/var/run/kubernetes")
  --tls-cert-file string           the certificate, if it is elsewhere
  --tls-private-key-file string    its key
  --client-ca-file string          authority of client certificates: common name is the user, organizations are the groups
  --authorization-mode strings     RBAC or AlwaysAllow (default AlwaysAllow)

All other flags are accepted and have no effect. STEERSMAN_CONTROLLERS names built-in controllers to run: all, or names with commas between them (default none).
STEERSMAN_NODES says how many nodes are simulated (default 0).
`

async function main(args: readonly string[]): Promise<void> {
  const flags = new GoFlags(args)
  if (flags.get('help') !== undefined || flags.get('h') !== undefined) {
    process.stdout.write(help)
    return
  }
  const stopRequested = untilSignal()
  const controlPlane = await startControlPlane(await optionsOf(flags))
  await stopRequested
  await controlPlane.stop()
}

/** @throws {Error} when a file that a flag names cannot be read. */
async function optionsOf(flags: GoFlags): Promise<ControlPlaneOptions> {
  const folder = flags.get('cert-dir') ?? '/var/run/kubernetes'
  const read = (path: string) => readFile(path, 'utf8')
  const [certificate, privateKey, clientAuthority] = await Promise.all([
    read(flags.get('tls-cert-file') ?? join(folder, 'apiserver.crt')),
    read(flags.get('tls-private-key-file') ?? join(folder, 'apiserver.key')),
    flags.get('client-ca-file') === undefined ? '' : read(flags.get('client-ca-file') ?? ''),
  ])
  const { STEERSMAN_CONTROLLERS: controllers = 'none', STEERSMAN_NODES: nodes = '0' } = process.env
  return {
    host: flags.get('bind-address') ?? '0.0.0.0',
    port: Number(flags.get('secure-port') ?? 6443),
    certificates: { certificate, privateKey, clientAuthority },
    controllers: controllers === 'all' || controllers === 'none' ? controllers : controllers.split(','),
    nodes: Number(nodes),
  }
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

main(process.argv.slice(2)).then(() => process.exit(0), fail)

#!/usr/bin/env node
import { type ControlPlaneOptions, startControlPlane } from '../server/index.js'
import { readFlagFile, readNamedFile, readServingFiles } from './flag-files.js'
import { GoFlags } from './go-flags.js'
import { parseRuntimeConfig } from './runtime-config.js'
import { parseTokenFile } from './token-file.js'

const help = `Serves the embedded Kubernetes API with the flags of kube-apiserver, until it gets SIGTERM or SIGINT. Objects are kept in memory.

  --bind-address string            address to listen on (default "0.0.0.0")
  --secure-port int                port to listen on (default 6443)
  --cert-dir string                holds apiserver.crt and apiserver.key (default "/var/run/kubernetes")
  --tls-cert-file string           the certificate, if it is elsewhere
  --tls-private-key-file string    its key
  --client-ca-file string          authority of client certificates: common name is the user, organizations are the groups
  --authorization-mode strings     RBAC or AlwaysAllow (default AlwaysAllow); Node has no effect beside RBAC
  --runtime-config mapStringString which built-in APIs are served: api/all=true, group/version=false
  --token-auth-file string         bearer tokens: lines of token,user,uid,"group1,group2"
  --service-account-issuer string, --service-account-signing-key-file string, --service-account-key-file strings, --api-audiences strings
                                   who issues tokens of service accounts, with which EC key, and which further keys are good

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

/** @throws {FlagFileError} when a file that a flag names cannot be used. @throws {RangeError} for a mode of authorization or an API that does not exist. */
async function optionsOf(flags: GoFlags): Promise<ControlPlaneOptions> {
  const controllers = process.env.STEERSMAN_CONTROLLERS || 'none'
  const nodes = process.env.STEERSMAN_NODES || '0'
  const port = flags.get('secure-port') ?? '6443'
  if (!/^\d+$/.test(port) || Number(port) > 65_535)
    throw new RangeError(`--secure-port ${port}: expected a whole number between 0 and 65535`)
  const [certificates, tokens, serviceAccounts] = await Promise.all([
    readServingFiles(flags),
    readNamedFile(flags, 'token-auth-file'),
    serviceAccountOptions(flags),
  ])
  return {
    host: flags.get('bind-address') ?? '0.0.0.0',
    port: Number(port),
    certificates,
    tokens: parseTokenFile(tokens ?? ''),
    serviceAccounts,
    authorization: authorizationMode(flags.list('authorization-mode')),
    controllers: controllers === 'all' || controllers === 'none' ? controllers : controllers.split(','),
    nodes: Number(nodes),
    runtimeConfig: parseRuntimeConfig(flags.list('runtime-config').join(',')),
  }
}

async function serviceAccountOptions(flags: GoFlags): Promise<NonNullable<ControlPlaneOptions['serviceAccounts']>> {
  const issuer = flags.get('service-account-issuer')
  const audiences = flags.list('api-audiences')
  const signingKey = await readNamedFile(flags, 'service-account-signing-key-file')
  const keyFile = 'service-account-key-file'
  const verificationKeys = await Promise.all(flags.all(keyFile).map((path) => readFlagFile(keyFile, path)))
  return {
    ...(issuer === undefined ? {} : { issuer }),
    ...(audiences.length === 0 ? {} : { audiences }),
    ...(signingKey === undefined ? {} : { signingKey }),
    verificationKeys,
  }
}

function authorizationMode(modes: readonly string[]): 'rbac' | 'always-allow' {
  const unknown = modes.find((mode) => !['RBAC', 'AlwaysAllow', 'Node'].includes(mode))
  if (unknown !== undefined) throw new RangeError(`--authorization-mode ${unknown}: expected RBAC, AlwaysAllow or Node`)
  return modes.length === 0 || modes.includes('AlwaysAllow') ? 'always-allow' : 'rbac'
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

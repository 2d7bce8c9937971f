#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { type ControllerSelection, type ControlPlaneOptions, startControlPlane } from '../server/index.js'
import { parseRuntimeConfig } from './runtime-config.js'

const help = `Serves an embedded Kubernetes control plane until it gets SIGTERM or SIGINT.

Usage: steersman-control-plane [flags]

  --kubeconfig FILE      write a kubeconfig for an administrator to FILE, readable by its owner only
  --port N               listen on this port of 127.0.0.1; 0: one that is free (default 0)
  --nodes N              simulate N nodes (default 1)
  --controllers LIST     built-in controllers to run: all, none, or names with commas between them (default all)
  --storage memory       where objects are kept (default memory)
  --runtime-config LIST  built-in APIs to serve or not: api/all=true, group/version=false, group/version/plural=true with commas between them
  --help                 print this

Prints one line when it is ready. Exit codes: 0 stopped by a signal, 1 cannot start, 2 wrong flags.
`

/** The command line cannot be understood. */
class UsageError extends Error {}

async function main(args: readonly string[]): Promise<void> {
  const options = parseFlags(args)
  if (options === undefined) {
    process.stdout.write(help)
    return
  }
  const stopRequested = untilSignal()
  const controlPlane = await startControlPlane(options)
  const kubeconfig = options.kubeconfigPath === undefined ? '' : `, kubeconfig ${options.kubeconfigPath}`
  process.stdout.write(`Control plane is ready at ${controlPlane.url}${kubeconfig}\n`)
  await stopRequested
  await controlPlane.stop()
}

/** `undefined`: only help is wanted. @throws {UsageError} */
function parseFlags(args: readonly string[]): ControlPlaneOptions | undefined {
  const flags = readFlags(args)
  if (flags.help === true) return undefined
  const { kubeconfig, storage = 'memory', controllers = 'all' } = flags
  if (storage !== 'memory') throw new UsageError(`--storage ${storage}: expected memory`)
  if (kubeconfig === '') throw new UsageError('--kubeconfig: expected the name of a file')
  return {
    port: wholeNumber('--port', flags.port ?? '0', 65_535),
    nodes: wholeNumber('--nodes', flags.nodes ?? '1', 10_000),
    controllers: parseControllers(controllers),
    storage,
    runtimeConfig: parseRuntimeConfig(flags['runtime-config'] ?? ''),
    ...(kubeconfig === undefined ? {} : { kubeconfigPath: kubeconfig }),
  }
}

function readFlags(args: readonly string[]) {
  const text = { type: 'string' } as const
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        kubeconfig: text,
        port: text,
        nodes: text,
        controllers: text,
        storage: text,
        'runtime-config': text,
        help: { type: 'boolean', short: 'h' },
      },
    })
    return values
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split(/\.?\n|\. /, 1)[0] ?? '') : String(error), { cause: error })
  }
}

function wholeNumber(flag: string, text: string, max: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > max) throw new UsageError(`${flag} ${text}: expected a whole number between 0 and ${max}`)
  return value
}

function parseControllers(text: string): ControllerSelection {
  if (text === 'all' || text === 'none') return text
  const names = text.split(',').map((name) => name.trim())
  if (names.includes('')) throw new UsageError(`--controllers ${text}: expected all, none, or names with commas between them`)
  return names
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
}

/** What went wrong is said in one line; a mistake on the command line and a name that nothing has are the caller's. */
function fail(error: unknown): never {
  const isUsage = error instanceof UsageError || error instanceof RangeError
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}${isUsage ? '; try --help' : ''}\n`)
  process.exit(isUsage ? 2 : 1)
}

main(process.argv.slice(2)).then(() => process.exit(0), fail)

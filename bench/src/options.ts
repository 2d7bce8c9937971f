import { parseArgs } from 'node:util'

/** What the command line asks for. */
export interface BenchOptions {
  /** Names of benches. @default all */
  readonly only: readonly string[] | undefined
  readonly isQuick: boolean
  readonly isFull: boolean
  /** File for the measurements as JSON. */
  readonly json: string | undefined
  readonly wantsHelp: boolean
}

/** The command line cannot be understood. */
export class UsageError extends Error {}

/** @throws {UsageError} naming what is wrong and what is expected. */
export function parseOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  benches: readonly string[],
): BenchOptions {
  const values = readArguments(args)
  const only = values.only?.split(',').map((name) => name.trim())
  const unknown = only?.find((name) => !benches.includes(name))
  if (unknown !== undefined) throw new UsageError(`--only: there is no bench "${unknown}"; expected ${benches.join(', ')}`)
  if (values.quick && values.full) throw new UsageError('--quick and --full: expected one of them')
  return {
    only,
    isQuick: values.quick ?? false,
    isFull: values.full ?? false,
    json: values.json ?? (env.BENCH_JSON || undefined),
    wantsHelp: values.help ?? false,
  }
}

function readArguments(args: readonly string[]) {
  const [flag, text] = [{ type: 'boolean' } as const, { type: 'string' } as const]
  try {
    const options = { only: text, json: text, quick: flag, full: flag, help: { ...flag, short: 'h' } } as const
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    // What follows the first sentence is advice about positional arguments.
    throw new UsageError((error instanceof Error ? error.message : String(error)).split('. ', 1)[0], { cause: error })
  }
}

export function helpText(benches: readonly { readonly name: string; readonly about: string }[]): string {
  const width = Math.max(...benches.map(({ name }) => name.length))
  return `Measures what the goals name, ours beside the reference (kube-apiserver with etcd, Go controller-runtime), and prints a table.

Usage: npm run bench -- [options]

  --only=A,B    only these benches
  --quick       fewer and shorter runs: a look, not a result
  --full        caches of 100,000 objects
  --json=FILE   write the measurements to FILE; so does the environment variable BENCH_JSON
  --help        print this

The reference and the load client are there once npm run build:control-plane has run; without them the reference column says so.

Benches:
${benches.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`).join('\n')}
`
}

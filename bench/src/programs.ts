import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a program prints as its result: one object of JSON. */
export type Result<Name extends string> = Readonly<Record<Name, number>>

/** Runs a command of the helpers in Go. */
export function runHelper<Name extends string>(helpers: string, args: readonly string[]): Promise<Result<Name>> {
  return run(helpers, ['--end-with-stdin', ...args])
}

/** Runs a script of `scripts/` in a process of its own. */
export function runScript<Name extends string>(name: string, args: readonly string[] = []): Promise<Result<Name>> {
  return run(process.execPath, ['--expose-gc', fileURLToPath(new URL(`./scripts/${name}.js`, import.meta.url)), ...args])
}

/** The program ends with this process: its standard input closes then. @throws {Error} when it fails. */
async function run<Name extends string>(command: string, args: readonly string[]): Promise<Result<Name>> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  if (code !== 0)
    throw new Error(
      `${basename(command)} ${args
        .slice(1, 4)
        .map((arg) => basename(arg))
        .join(' ')} ended with ${code ?? signal}`,
    )
  return JSON.parse(Buffer.concat(chunks).toString()) as Result<Name>
}

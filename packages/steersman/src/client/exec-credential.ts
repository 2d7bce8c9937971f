import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { ExecConfig } from './client-config.js'
import { ClientConfigError } from './client-config.js'

/** What a credential plugin printed. */
export interface ExecCredential {
  readonly token?: string
  readonly certificate?: { readonly cert: string; readonly key: string }
  /** Milliseconds since the epoch. Absent: valid as long as the process lives, or until a 401. */
  readonly expiresAt?: number
}

/** A plugin that prints more than this is broken. */
const maxOutputBytes = 1024 * 1024
/** Long enough for a person to log in through a browser. */
const timeoutMs = 5 * 60_000

/** How the program is run: with the process's environment, and how long it may take. */
export interface ExecPluginOptions {
  readonly signal?: AbortSignal
  /** Calls back after so many milliseconds and returns how to take that back. */
  readonly timer: (milliseconds: number, callback: () => void) => { cancel(): void }
  /** @default that of this process */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * Runs a credential plugin once. Its standard error is this process's, because it may ask the person something.
 *
 * @throws {ClientConfigError} `EXEC_PLUGIN_FAILED`. Nothing of what the program printed is in the message: it may be a secret.
 */
export async function runExecPlugin(config: ExecConfig, options: ExecPluginOptions): Promise<ExecCredential> {
  const interactive = isInteractive(config)
  const info = { apiVersion: config.apiVersion, kind: 'ExecCredential', spec: await spec(config, interactive) }
  const env: Record<string, string | undefined> = { ...(options.env ?? process.env) }
  for (const { name, value } of config.env ?? []) env[name] = value
  env.KUBERNETES_EXEC_INFO = JSON.stringify(info)
  const { spawn } = await import('node:child_process')
  const child = spawn(config.command, [...(config.args ?? [])], {
    env,
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    ...(options.signal && { signal: options.signal }),
  })
  return parseOutput(config, await outputOf(config, child, options))
}

function isInteractive(config: ExecConfig): boolean {
  const isTerminal = process.stdin.isTTY === true
  if (config.interactiveMode === 'Always' && !isTerminal) {
    throw failure(config, 'it needs a terminal (interactiveMode Always), and standard input is not one')
  }
  return config.interactiveMode !== 'Never' && isTerminal
}

async function spec(config: ExecConfig, interactive: boolean): Promise<Record<string, unknown>> {
  if (!config.provideClusterInfo) return { interactive }
  const { 'certificate-authority': file, ...cluster } = config.cluster ?? {}
  if (typeof file !== 'string') return { interactive, cluster }
  const data = await readFile(file, 'base64').catch((cause: Error) => {
    throw failure(config, `cannot read certificate authority ${file} for KUBERNETES_EXEC_INFO`, cause)
  })
  return { interactive, cluster: { ...cluster, 'certificate-authority-data': data } }
}

function outputOf(config: ExecConfig, child: ChildProcess, options: ExecPluginOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const giveUp = (detail: string) => {
      child.kill('SIGKILL')
      settle(() => reject(failure(config, detail)))
    }
    const timer = options.timer(timeoutMs, () => giveUp(`it did not finish within ${timeoutMs} ms`))
    const settle = (act: () => void) => {
      timer.cancel()
      act()
    }
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxOutputBytes) giveUp(`it printed more than ${maxOutputBytes} bytes`)
      else chunks.push(chunk)
    })
    child.once('error', (error) => settle(() => reject(options.signal?.aborted ? options.signal.reason : startFailure(config, error))))
    child.once('close', (code, signal) => {
      if (code === 0) return settle(() => resolve(Buffer.concat(chunks).toString('utf8')))
      const how = code === null ? `it was ended by ${signal}` : `it exited with code ${code}; its messages are on standard error`
      settle(() => reject(failure(config, how)))
    })
  })
}

function startFailure(config: ExecConfig, error: Error): ClientConfigError {
  const code = 'code' in error ? String(error.code) : 'unknown error'
  if (code !== 'ENOENT') return failure(config, code, error)
  const hint = config.installHint ? `\n\n${config.installHint}` : ''
  return failure(config, `executable not found; expected it ${config.command.includes('/') ? 'there' : 'in PATH'}${hint}`, error)
}

function parseOutput(config: ExecConfig, output: string): ExecCredential {
  const answer = record(parse(config, output))
  if (answer.kind !== 'ExecCredential') throw failure(config, 'it did not print an object of kind ExecCredential')
  if (answer.apiVersion !== config.apiVersion) {
    throw failure(config, `it answered in apiVersion "${answer.apiVersion}"; expected "${config.apiVersion}" as configured`)
  }
  const status = record(answer.status)
  const token = text(status.token)
  const cert = text(status.clientCertificateData)
  const key = text(status.clientKeyData)
  if ((cert === undefined) !== (key === undefined)) throw failure(config, 'it printed only one of clientCertificateData and clientKeyData')
  if (token === undefined && cert === undefined) throw failure(config, 'it printed neither a token nor a client certificate in status')
  const expiresAt = expiry(config, status.expirationTimestamp)
  return {
    ...(token !== undefined && { token }),
    ...(cert !== undefined && key !== undefined && { certificate: { cert, key } }),
    ...(expiresAt !== undefined && { expiresAt }),
  }
}

function parse(config: ExecConfig, output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    // No cause: the parser's message quotes the output.
    throw failure(config, 'it did not print JSON; expected an ExecCredential')
  }
}

function expiry(config: ExecConfig, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isNaN(time)) throw failure(config, 'its status.expirationTimestamp is not an RFC 3339 time')
  return time
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function failure(config: ExecConfig, detail: string, cause?: Error): ClientConfigError {
  const message = `Cannot get credentials from exec plugin "${config.command}": ${detail}`
  return new ClientConfigError('EXEC_PLUGIN_FAILED', message, cause && { cause })
}

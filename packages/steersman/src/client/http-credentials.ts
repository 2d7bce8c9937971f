import { readFile } from 'node:fs/promises'
import type { Environment, Timer } from '../environment/index.js'
import type { ClientConfig, Pem } from './client-config.js'
import { ClientConfigError } from './client-config.js'
import type { ExecCredential } from './exec-credential.js'

/** What one request presents. The same object is handed out until something changes, so identity tells whether it did. */
export interface Credentials {
  readonly authorization?: string
  readonly tls: TlsMaterial
}

/** What one connection presents and trusts. The same object until a file or certificate changes. */
export interface TlsMaterial {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

/** Files are read again after this long: Kubernetes renews mounted tokens well before they expire. */
const rereadAfterMs = 60_000
/** A credential that is about to expire would do so on the way. */
const expiryLeewayMs = 10_000

/**
 * Keeps the credentials of one client current: token and certificate files are read again at most every 60 s, credential plugins
 * run again before what they gave expires, and both at once when the server no longer accepts what it was given.
 */
export class CredentialSource {
  readonly #environment: Environment
  readonly #config: ClientConfig
  readonly #usesExec: boolean
  readonly #isStatic: boolean
  readonly #stop = new AbortController()
  #current: Credentials | undefined
  #readAtMs = 0
  #execCredential: ExecCredential | undefined
  #loading: Promise<Credentials> | undefined

  constructor(environment: Environment, config: ClientConfig) {
    this.#environment = environment
    this.#config = config
    const { token, tokenFile, username, password, tls, exec } = config
    this.#usesExec = exec !== undefined && !(token ?? tokenFile ?? username ?? password ?? tls?.certificate)
    this.#isStatic =
      !this.#usesExec && !tokenFile && ![tls?.certificateAuthority, tls?.certificate, tls?.key].some((pem) => pem && 'file' in pem)
  }

  /**
   * What to present now. Concurrent callers share one reading and one run of the plugin.
   *
   * @throws {ClientConfigError} when a file cannot be read or the plugin fails.
   */
  current(): Credentials | Promise<Credentials> {
    const current = this.#current
    if (current === undefined) return this.#load()
    if (this.#isFresh()) return current
    // A file may be gone for a moment while it is replaced; what it held before is most likely still good.
    return this.#usesExec ? this.#load() : this.#load().catch(() => current)
  }

  /**
   * The server answered 401 to `rejected`.
   *
   * @returns whether there are other credentials now, so that asking again makes sense.
   */
  async refresh(rejected: Credentials): Promise<boolean> {
    if (this.#isStatic) return false
    if (this.#current === rejected) {
      this.#execCredential = undefined
      await this.#load()
    }
    return this.#current !== rejected
  }

  /** Ends a plugin that is running. */
  close(): void {
    this.#stop.abort(new ClientConfigError('EXEC_PLUGIN_FAILED', 'Cannot get credentials: the transport was closed'))
  }

  #isFresh(): boolean {
    if (this.#isStatic) return true
    if (this.#environment.monotonicMs() - this.#readAtMs >= rereadAfterMs) return false
    return !this.#usesExec || this.#execIsValid()
  }

  #execIsValid(): boolean {
    const credential = this.#execCredential
    return (
      credential !== undefined && (credential.expiresAt === undefined || this.#environment.now() < credential.expiresAt - expiryLeewayMs)
    )
  }

  #load(): Promise<Credentials> {
    this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #read(): Promise<Credentials> {
    if (this.#usesExec && !this.#execIsValid()) this.#execCredential = await this.#runPlugin()
    const next: Credentials = { ...optional('authorization', await this.#authorization()), tls: await this.#tls() }
    this.#readAtMs = this.#environment.monotonicMs()
    const current = this.#current
    const tls = current && sameTls(current.tls, next.tls) ? current.tls : next.tls
    if (current?.tls !== tls || current.authorization !== next.authorization) this.#current = { ...next, tls }
    return this.#current as Credentials
  }

  async #runPlugin(): Promise<ExecCredential> {
    const exec = this.#config.exec
    if (exec === undefined) throw new TypeError('Cannot run a credential plugin: none is configured')
    const { runExecPlugin } = await import('./exec-credential.js')
    const timer = (milliseconds: number, callback: () => void): Timer => this.#environment.timer(milliseconds, callback)
    return this.#environment.hold(runExecPlugin(exec, { signal: this.#stop.signal, timer }))
  }

  async #authorization(): Promise<string | undefined> {
    const { token, tokenFile, username, password } = this.#config
    if (tokenFile) return `Bearer ${await readToken(tokenFile, token)}`
    if (token) return `Bearer ${token}`
    if (username ?? password) return `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}`
    return this.#execCredential?.token && `Bearer ${this.#execCredential.token}`
  }

  async #tls(): Promise<TlsMaterial> {
    const tls = this.#config.tls ?? {}
    const exec = this.#execCredential?.certificate
    return {
      ...optional('ca', await readPem(tls.certificateAuthority, 'certificate authority')),
      ...optional('cert', exec?.cert ?? (await readPem(tls.certificate, 'client certificate'))),
      ...optional('key', exec?.key ?? (await readPem(tls.key, 'client key'))),
    }
  }
}

async function readToken(file: string, fallback: string | undefined): Promise<string> {
  try {
    const token = (await readFile(file, 'utf8')).trim()
    if (token !== '') return token
  } catch (cause) {
    if (!fallback) throw new ClientConfigError('CONFIG_UNREADABLE', `Cannot read token file ${file}: ${codeOf(cause)}`, { cause })
  }
  if (fallback) return fallback
  throw new ClientConfigError('CONFIG_INVALID', `Cannot read token file ${file}: it is empty, expected a bearer token`)
}

async function readPem(pem: Pem | undefined, what: string): Promise<string | undefined> {
  if (pem === undefined) return undefined
  if ('data' in pem) return pem.data
  let text: string
  try {
    text = await readFile(pem.file, 'utf8')
  } catch (cause) {
    throw new ClientConfigError('CONFIG_UNREADABLE', `Cannot read ${what} ${pem.file}: ${codeOf(cause)}`, { cause })
  }
  if (text.includes('-----BEGIN ')) return text
  throw new ClientConfigError('CONFIG_INVALID', `Cannot read ${what} ${pem.file}: expected PEM text`)
}

function sameTls(left: TlsMaterial, right: TlsMaterial): boolean {
  return left.ca === right.ca && left.cert === right.cert && left.key === right.key
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [Key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}

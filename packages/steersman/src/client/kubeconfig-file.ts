import { ClientConfigError } from './client-config.js'

/** One kubeconfig file, checked. Keys are names; of a cluster, user or context only what this client reads is kept. */
export interface KubeconfigFile {
  readonly path: string
  readonly currentContext: string
  readonly clusters: ReadonlyMap<string, KubeconfigCluster>
  readonly users: ReadonlyMap<string, KubeconfigUser>
  readonly contexts: ReadonlyMap<string, KubeconfigContext>
}

/** A cluster of a kubeconfig. `…Data` fields are decoded to PEM text. */
export interface KubeconfigCluster {
  readonly server?: string
  readonly tlsServerName?: string
  readonly insecureSkipTlsVerify?: boolean
  readonly certificateAuthority?: string
  readonly certificateAuthorityData?: string
  readonly proxyUrl?: string
  readonly disableCompression?: boolean
  readonly extensions?: ReadonlyMap<string, unknown>
}

/** A user of a kubeconfig. `…Data` fields are decoded to PEM text. */
export interface KubeconfigUser {
  readonly clientCertificate?: string
  readonly clientCertificateData?: string
  readonly clientKey?: string
  readonly clientKeyData?: string
  readonly token?: string
  readonly tokenFile?: string
  readonly as?: string
  readonly asUid?: string
  readonly asGroups?: readonly string[]
  readonly asUserExtra?: Readonly<Record<string, readonly string[]>>
  readonly username?: string
  readonly password?: string
  readonly authProvider?: boolean
  readonly exec?: {
    readonly apiVersion?: string
    readonly command?: string
    readonly args?: readonly string[]
    readonly env?: readonly { readonly name: string; readonly value: string }[]
    readonly installHint?: string
    readonly provideClusterInfo?: boolean
    readonly interactiveMode?: string
  }
}

export interface KubeconfigContext {
  readonly cluster: string
  readonly user: string
  readonly namespace?: string
}

/**
 * Reads kubeconfig YAML (or JSON).
 *
 * @throws {ClientConfigError} naming file and field, never a value: values may be secrets.
 */
export async function parseKubeconfig(text: string, path: string): Promise<KubeconfigFile> {
  const root = new Node(await parseYaml(text, path), path, '')
  const kind = root.string('kind')
  if (kind !== undefined && kind !== 'Config') throw root.wrong('kind', `"${kind}"`, '"Config"')
  return {
    path,
    currentContext: root.string('current-context') ?? '',
    clusters: root.named('clusters', 'cluster', cluster),
    users: root.named('users', 'user', user),
    contexts: root.named('contexts', 'context', (node) => ({
      cluster: node.string('cluster') ?? '',
      user: node.string('user') ?? '',
      ...optional('namespace', node.string('namespace') || undefined),
    })),
  }
}

async function parseYaml(text: string, path: string): Promise<unknown> {
  const yaml = await import('js-yaml')
  try {
    return text.trim() === '' ? {} : (yaml.load(text) ?? {})
  } catch (error) {
    if (!(error instanceof yaml.YAMLException)) throw error
    // The parser's message quotes the file, which may hold secrets: only reason and place are passed on, and no cause.
    const place = error.mark ? ` at line ${error.mark.line + 1}, column ${error.mark.column + 1}` : ''
    throw new ClientConfigError(
      'CONFIG_INVALID',
      `Cannot read kubeconfig ${path}: not valid YAML${place}; expected a kubeconfig (kind Config)`,
    )
  }
}

function cluster(node: Node): KubeconfigCluster {
  return {
    ...optional('server', node.string('server')),
    ...optional('tlsServerName', node.string('tls-server-name')),
    ...optional('insecureSkipTlsVerify', node.boolean('insecure-skip-tls-verify')),
    ...optional('certificateAuthority', node.string('certificate-authority')),
    ...optional('certificateAuthorityData', node.pem('certificate-authority-data')),
    ...optional('proxyUrl', node.string('proxy-url')),
    ...optional('disableCompression', node.boolean('disable-compression')),
    ...optional('extensions', node.has('extensions') ? node.named('extensions', 'extension', (extension) => extension.value) : undefined),
  }
}

function user(node: Node): KubeconfigUser {
  const exec = node.child('exec')
  return {
    ...optional('clientCertificate', node.string('client-certificate')),
    ...optional('clientCertificateData', node.pem('client-certificate-data')),
    ...optional('clientKey', node.string('client-key')),
    ...optional('clientKeyData', node.pem('client-key-data')),
    ...optional('token', node.string('token')),
    ...optional('tokenFile', node.string('tokenFile')),
    ...optional('as', node.string('as')),
    ...optional('asUid', node.string('as-uid')),
    ...optional('asGroups', node.strings('as-groups')),
    ...optional('asUserExtra', extra(node.child('as-user-extra'))),
    ...optional('username', node.string('username')),
    ...optional('password', node.string('password')),
    ...optional('authProvider', node.has('auth-provider') ? true : undefined),
    ...optional('exec', exec && execOf(exec)),
  }
}

function execOf(node: Node): NonNullable<KubeconfigUser['exec']> {
  return {
    ...optional('apiVersion', node.string('apiVersion')),
    ...optional('command', node.string('command')),
    ...optional('args', node.strings('args')),
    ...optional(
      'env',
      node.items('env')?.map((item) => ({ name: item.required('name'), value: item.string('value') ?? '' })),
    ),
    ...optional('installHint', node.string('installHint')),
    ...optional('provideClusterInfo', node.boolean('provideClusterInfo')),
    ...optional('interactiveMode', node.string('interactiveMode')),
  }
}

function extra(node: Node | undefined): Record<string, readonly string[]> | undefined {
  if (!node) return undefined
  return Object.fromEntries(Object.keys(node.value).map((key) => [key, node.strings(key) ?? []]))
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [Key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value }
}

/** A mapping in the file, with its place for messages. Null counts as absent, as in Go. */
class Node {
  readonly value: Readonly<Record<string, unknown>>
  readonly #path: string
  readonly #field: string

  constructor(value: unknown, path: string, field: string) {
    this.#path = path
    this.#field = field
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.wrong('', describe(value), 'a mapping')
    this.value = value as Record<string, unknown>
  }

  has(name: string): boolean {
    return this.value[name] !== undefined && this.value[name] !== null
  }

  string(name: string): string | undefined {
    return this.#typed(name, 'string') as string | undefined
  }

  boolean(name: string): boolean | undefined {
    return this.#typed(name, 'boolean') as boolean | undefined
  }

  required(name: string): string {
    const value = this.string(name)
    if (!value) throw this.wrong(name, value === undefined ? 'missing' : 'empty', 'a string')
    return value
  }

  child(name: string): Node | undefined {
    return this.has(name) ? new Node(this.value[name], this.#path, this.#at(name)) : undefined
  }

  items(name: string): Node[] | undefined {
    return this.#list(name)?.map((item, index) => new Node(item, this.#path, `${this.#at(name)}[${index}]`))
  }

  strings(name: string): string[] | undefined {
    return this.#list(name)?.map((item, index) => {
      if (typeof item !== 'string') throw this.wrong(`${name}[${index}]`, describe(item), 'a string')
      return item
    })
  }

  /** A list of `{ name, [member] }` by name. */
  named<Value>(name: string, member: string, read: (node: Node) => Value): Map<string, Value> {
    const result = new Map<string, Value>()
    for (const item of this.items(name) ?? []) {
      const key = item.string('name') ?? ''
      if (result.has(key)) throw this.wrong(name, `two entries named "${key}"`, 'different names')
      result.set(key, read(item.child(member) ?? new Node({}, this.#path, `${item.#field}.${member}`)))
    }
    return result
  }

  /** Base64 of PEM text. */
  pem(name: string): string | undefined {
    const value = this.string(name)
    if (!value) return undefined
    const compact = value.replace(/\s+/g, '')
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) throw this.wrong(name, 'not base64', 'base64 of PEM text')
    const text = Buffer.from(compact, 'base64').toString('utf8')
    if (!text.includes('-----BEGIN ')) throw this.wrong(name, 'base64 of something else', 'base64 of PEM text')
    return text
  }

  /** `found` must not quote a value of the file. */
  wrong(name: string, found: string, expected: string): ClientConfigError {
    const field = name === '' ? this.#field || 'the document' : this.#at(name)
    return new ClientConfigError('CONFIG_INVALID', `Cannot read kubeconfig ${this.#path}: ${field} is ${found}; expected ${expected}`)
  }

  #typed(name: string, type: 'string' | 'boolean'): unknown {
    const value = this.value[name]
    if (value === undefined || value === null) return undefined
    if (typeof value !== type) throw this.wrong(name, describe(value), `a ${type}`)
    return value
  }

  #list(name: string): readonly unknown[] | undefined {
    const value = this.value[name]
    if (value === undefined || value === null) return undefined
    if (!Array.isArray(value)) throw this.wrong(name, describe(value), 'a list')
    return value
  }

  #at(name: string): string {
    return this.#field === '' ? name : `${this.#field}.${name}`
  }
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return 'empty'
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'a mapping' : `a ${typeof value}`
}

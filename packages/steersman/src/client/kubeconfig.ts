import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import type { ClientConfig, ClientConfigErrorCode, ClientTlsConfig, ExecConfig, Impersonation, Pem } from './client-config.js'
import { ClientConfigError } from './client-config.js'
import type { KubeconfigCluster, KubeconfigFile, KubeconfigUser } from './kubeconfig-file.js'
import { parseKubeconfig } from './kubeconfig-file.js'

/** Which kubeconfig to load and what to take from it. */
export interface KubeconfigOptions {
  /** One file, which must exist. Absent: the list in `KUBECONFIG`, else `$HOME/.kube/config`; missing files of these are skipped. */
  readonly path?: string
  /** @default the file's `current-context` */
  readonly context?: string
  /** Environment variables. @default those of this process */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** See `configuration.ts`. */
export async function loadKubeconfig(options: KubeconfigOptions = {}): Promise<ClientConfig> {
  const paths = kubeconfigPaths(options)
  const files: KubeconfigFile[] = []
  const missing: string[] = []
  for (const path of paths) {
    const text = await readKubeconfig(path, options.path !== undefined)
    if (text === undefined) missing.push(path)
    else files.push(await parseKubeconfig(text, path))
  }
  if (files.length === 0) {
    throw new ClientConfigError('CONFIG_NOT_FOUND', `Cannot load a kubeconfig: no such file: ${missing.join(', ')}`)
  }
  return clientConfigOf(files, options.context)
}

/** Where kubeconfig text came from and what to take from it. */
export interface KubeconfigTextOptions {
  /** The file it came from: relative paths in it start at its folder. @default `kubeconfig` in the working directory */
  readonly path?: string
  /** @default the text's `current-context` */
  readonly context?: string
}

/** See `configuration.ts`. */
export async function clientConfigFromKubeconfig(text: string, options: KubeconfigTextOptions = {}): Promise<ClientConfig> {
  return clientConfigOf([await parseKubeconfig(text, options.path ?? join(process.cwd(), 'kubeconfig'))], options.context)
}

/** The files that {@link loadKubeconfig} reads, in order. */
export function kubeconfigPaths(options: KubeconfigOptions = {}): readonly string[] {
  if (options.path !== undefined) return [resolve(options.path)]
  const env = options.env ?? process.env
  const list = (env.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '')
  if (list.length > 0) return [...new Set(list.map((path) => resolve(path)))]
  return [join(env.HOME || homedir(), '.kube', 'config')]
}

async function readKubeconfig(path: string, mustExist: boolean): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const code = errorCode(cause)
    if (code === 'ENOENT' && !mustExist) return undefined
    const why = code === 'ENOENT' ? 'no such file' : code === 'EISDIR' ? 'it is a folder, expected a file' : code
    throw new ClientConfigError('CONFIG_UNREADABLE', `Cannot read kubeconfig ${path}: ${why}`, { cause })
  }
}

function clientConfigOf(files: readonly KubeconfigFile[], wantedContext: string | undefined): ClientConfig {
  const where = files.map((file) => file.path).join(', ')
  const contextName = wantedContext || files.find((file) => file.currentContext !== '')?.currentContext
  if (!contextName) {
    throw invalid(`no current-context is set in ${where}; expected one of ${names(files.flatMap((file) => [...file.contexts.keys()]))}`)
  }
  const context = first(files, (file) => file.contexts.get(contextName))
  if (!context) {
    throw invalid(
      `context "${contextName}" does not exist in ${where}; there is ${names(files.flatMap((file) => [...file.contexts.keys()]))}`,
    )
  }
  const cluster = first(files, (file) => file.clusters.get(context.value.cluster))
  if (!cluster) throw invalid(`context "${contextName}" in ${context.path} names cluster "${context.value.cluster}", which does not exist`)
  const user = first(files, (file) => file.users.get(context.value.user))
  if (!user) throw invalid(`context "${contextName}" in ${context.path} names user "${context.value.user}", which does not exist`)
  return {
    ...clusterConfig(cluster, context.value.cluster),
    ...userConfig(user, context.value.user, cluster),
    ...(context.value.namespace !== undefined && { namespace: context.value.namespace }),
    source: `context "${contextName}" of ${context.path}`,
    tls: { ...clusterTls(cluster), ...clientCertificate(user, context.value.user) },
  }
}

interface Found<Value> {
  readonly path: string
  readonly value: Value
}

function first<Value>(files: readonly KubeconfigFile[], pick: (file: KubeconfigFile) => Value | undefined): Found<Value> | undefined {
  for (const file of files) {
    const value = pick(file)
    if (value !== undefined) return { path: file.path, value }
  }
  return undefined
}

function clusterConfig({ path, value }: Found<KubeconfigCluster>, name: string): { server: string; disableCompression?: boolean } {
  if (!value.server) throw invalid(`cluster "${name}" in ${path} has no server; expected a URL such as https://host:6443`)
  if (value.proxyUrl) {
    throw fail(
      'CONFIG_UNSUPPORTED',
      `cluster "${name}" in ${path} sets proxy-url; proxies are not supported, expected a server that is reached directly`,
    )
  }
  return { server: serverUrl(value.server, `cluster "${name}" in ${path}`), ...(value.disableCompression && { disableCompression: true }) }
}

/** Like client-go: a server without a scheme is `http`, and a trailing slash means nothing. */
function serverUrl(server: string, where: string): string {
  const text = server.includes('://') ? server : `http://${server}`
  if (!URL.canParse(text) || !/^https?:\/\/./.test(text)) {
    throw invalid(`server of ${where} is "${redactUrl(server)}"; expected a URL such as https://host:6443`)
  }
  return text.replace(/\/+$/, '')
}

function redactUrl(text: string): string {
  return text.replace(/\/\/[^/@]*@/, '//***@')
}

function clusterTls({ path, value }: Found<KubeconfigCluster>): ClientTlsConfig {
  const certificateAuthority = pem(value.certificateAuthorityData, value.certificateAuthority, path)
  return {
    ...(certificateAuthority && { certificateAuthority }),
    ...(value.tlsServerName && { serverName: value.tlsServerName }),
    ...(value.insecureSkipTlsVerify && { insecureSkipVerify: true }),
  }
}

function clientCertificate({ path, value }: Found<KubeconfigUser>, name: string): ClientTlsConfig {
  const certificate = pem(value.clientCertificateData, value.clientCertificate, path)
  const key = pem(value.clientKeyData, value.clientKey, path)
  if (certificate && !key) throw invalid(`user "${name}" in ${path} has a client certificate but neither client-key nor client-key-data`)
  if (key && !certificate)
    throw invalid(`user "${name}" in ${path} has a client key but neither client-certificate nor client-certificate-data`)
  return certificate && key ? { certificate, key } : {}
}

/** Data wins over a file; a file is relative to the folder of the kubeconfig that names it. */
function pem(data: string | undefined, file: string | undefined, path: string): Pem | undefined {
  if (data !== undefined) return { data }
  return file ? { file: absolute(file, path) } : undefined
}

function userConfig({ path, value }: Found<KubeconfigUser>, name: string, cluster: Found<KubeconfigCluster>): Partial<ClientConfig> {
  const who = `user "${name}" in ${path}`
  if (value.authProvider) {
    throw fail('CONFIG_UNSUPPORTED', `${who} uses auth-provider, which Kubernetes removed in 1.26; expected an exec plugin`)
  }
  const hasToken = Boolean(value.token ?? value.tokenFile)
  const hasBasic = Boolean(value.username ?? value.password)
  if (value.token && hasBasic) throw invalid(`${who} has both a token and a username or password; expected only one`)
  if (!value.as && (value.asUid ?? value.asGroups ?? value.asUserExtra)) {
    throw invalid(`${who} impersonates a uid, groups or extra without a user; expected "as"`)
  }
  return {
    ...(value.token && { token: value.token }),
    ...(value.tokenFile && { tokenFile: absolute(value.tokenFile, path) }),
    ...(!hasToken && hasBasic && { username: value.username ?? '', password: value.password ?? '' }),
    ...(value.exec && { exec: execConfig(value.exec, who, path, cluster) }),
    ...(value.as && { impersonate: impersonation(value.as, value) }),
  }
}

function impersonation(user: string, value: KubeconfigUser): Impersonation {
  return {
    user,
    ...(value.asUid && { uid: value.asUid }),
    ...(value.asGroups && { groups: value.asGroups }),
    ...(value.asUserExtra && { extra: value.asUserExtra }),
  }
}

const execVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'] as const

function execConfig(exec: NonNullable<KubeconfigUser['exec']>, who: string, path: string, cluster: Found<KubeconfigCluster>): ExecConfig {
  const apiVersion = execVersions.find((version) => version === exec.apiVersion)
  if (!apiVersion) throw invalid(`exec.apiVersion of ${who} is "${exec.apiVersion ?? ''}"; expected ${execVersions.join(' or ')}`)
  if (!exec.command) throw invalid(`exec of ${who} has no command; expected the program that prints credentials`)
  const modes = ['Never', 'IfAvailable', 'Always'] as const
  const interactiveMode = modes.find((mode) => mode === exec.interactiveMode)
  // Version v1 made the field required; v1beta1 defaults it.
  if (!interactiveMode && (exec.interactiveMode || apiVersion === 'client.authentication.k8s.io/v1')) {
    throw invalid(`exec.interactiveMode of ${who} is "${exec.interactiveMode ?? ''}"; expected ${modes.join(', ')}`)
  }
  return {
    apiVersion,
    command: exec.command.includes(sep) ? absolute(exec.command, path) : exec.command,
    interactiveMode: interactiveMode ?? 'IfAvailable',
    ...(exec.args && { args: exec.args }),
    ...(exec.env && { env: exec.env }),
    ...(exec.installHint && { installHint: exec.installHint }),
    ...(exec.provideClusterInfo && { provideClusterInfo: true, cluster: execCluster(cluster) }),
  }
}

/** `spec.cluster` of an ExecCredential. A CA file is named here and read when the plugin runs. */
function execCluster({ path, value }: Found<KubeconfigCluster>): Record<string, unknown> {
  const data = value.certificateAuthorityData
  return {
    server: value.server,
    ...(value.tlsServerName && { 'tls-server-name': value.tlsServerName }),
    ...(value.insecureSkipTlsVerify && { 'insecure-skip-tls-verify': true }),
    ...(data !== undefined && { 'certificate-authority-data': Buffer.from(data).toString('base64') }),
    ...(data === undefined && value.certificateAuthority && { 'certificate-authority': absolute(value.certificateAuthority, path) }),
    ...(value.disableCompression && { 'disable-compression': true }),
    // The cluster's own extension for credential plugins; the name is fixed by client-go.
    config: value.extensions?.get('client.authentication.k8s.io/exec') ?? null,
  }
}

function absolute(file: string, kubeconfig: string): string {
  return isAbsolute(file) ? file : join(dirname(kubeconfig), file)
}

function names(list: readonly string[]): string {
  return list.length === 0 ? 'none' : [...new Set(list)].map((name) => `"${name}"`).join(', ')
}

function invalid(detail: string): ClientConfigError {
  return fail('CONFIG_INVALID', detail)
}

function fail(code: ClientConfigErrorCode, detail: string): ClientConfigError {
  return new ClientConfigError(code, `Cannot use kubeconfig: ${detail}`)
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}

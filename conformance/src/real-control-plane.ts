import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientConfig } from 'steersman/client'
import { CertificateAuthority } from 'steersman/internal'
import { RealControlPlaneError, realBinary } from './control-plane-binaries.js'
import { freePorts, waitFor } from './free-ports.js'
import { httpRequest } from './http-client.js'
import { type Program, type SupervisedProcess, Supervisor } from './supervisor.js'
import { users } from './users.js'

/** Options of {@link startRealControlPlane}. */
export interface RealControlPlaneOptions {
  /**
   * Also run kube-controller-manager. Without it the admission plugin `ServiceAccount` is off, as nobody would make the accounts that pods need.
   *
   * @default false
   */
  readonly controllerManager?: boolean
  /** More flags of kube-apiserver: `--runtime-config=api/all=true`. */
  readonly flags?: readonly string[]
}

/** A running real control plane with data of its own. */
export interface RealControlPlane {
  /** `https://127.0.0.1:port`. */
  readonly url: string
  /** Bearer token of an administrator, a member of `system:masters`. */
  readonly token: string
  /** PEM certificate of the authority that signed the server's certificate. */
  readonly authority: string
  /** Text of a kubeconfig for the administrator. */
  readonly kubeconfig: string
  /** Path of a file that holds `kubeconfig`; gone after `stop`. */
  readonly kubeconfigPath: string
  readonly clientConfig: ClientConfig
  /** Processes by the name of their program: `etcd`, `kube-apiserver`. */
  readonly processes: ReadonlyMap<string, SupervisedProcess>
  /** Ends everything and removes the data, within two seconds. May be called again. */
  stop(): Promise<void>
}

const readyWithinMs = 60_000
const dayMs = 86_400_000

/**
 * Starts etcd and kube-apiserver, and kube-controller-manager if asked for, with fresh data on free ports. Resolves when it is ready: after about three seconds.
 * Everything ends when this process does, even if it crashes.
 *
 * @throws {RealControlPlaneError} `NOT_BUILT`, or `NOT_READY` with the end of the log of what did not come up.
 */
export async function startRealControlPlane(options: RealControlPlaneOptions = {}): Promise<RealControlPlane> {
  const [etcd, apiserver] = [await realBinary('etcd'), await realBinary('kube-apiserver')]
  const controllerManager = options.controllerManager ? await realBinary('kube-controller-manager') : undefined
  const folder = mkdtempSync(join(tmpdir(), 'steersman-real-'))
  const [etcdPort, peerPort, port, managerPort] = await freePorts(4)
  const url = `https://127.0.0.1:${port}`
  const authority = writeCredentials(folder, url)
  const etcdUrl = `http://127.0.0.1:${etcdPort}`
  const supervisor = new Supervisor(folder, [
    { name: 'etcd', command: etcd, args: etcdFlags(etcdUrl, `http://127.0.0.1:${peerPort}`) },
    {
      name: 'kube-apiserver',
      command: apiserver,
      args: [...apiserverFlags(etcdUrl, port as number, controllerManager !== undefined), ...(options.flags ?? [])],
    },
  ])
  const { token } = users.admin
  const get = async (path: string) =>
    (await httpRequest({ url: `${url}${path}`, method: 'GET', headers: { authorization: `Bearer ${token}` } })).status
  try {
    await waitUntilReady(supervisor, folder, async () => (await get('/readyz')) === 200)
    if (controllerManager !== undefined) {
      supervisor.start(managerProgram(controllerManager, managerPort as number))
      await waitUntilReady(supervisor, folder, async () => (await get('/api/v1/namespaces/default/serviceaccounts/default')) === 200)
    }
  } catch (error) {
    await supervisor.stop()
    throw error
  }
  return {
    url,
    token,
    authority,
    kubeconfig: readFileSync(join(folder, 'kubeconfig'), 'utf8'),
    kubeconfigPath: join(folder, 'kubeconfig'),
    clientConfig: { server: url, token, tls: { certificateAuthority: { data: authority } } },
    processes: supervisor.processes,
    stop: () => supervisor.stop(),
  }
}

function etcdFlags(clientUrl: string, peerUrl: string): string[] {
  return [
    '--data-dir=etcd',
    `--listen-client-urls=${clientUrl}`,
    `--advertise-client-urls=${clientUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
  ]
}

function apiserverFlags(etcdUrl: string, port: number, hasControllers: boolean): string[] {
  return [
    `--etcd-servers=${etcdUrl}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    '--cert-dir=certificates',
    '--tls-cert-file=server.crt',
    '--tls-private-key-file=server.key',
    '--client-ca-file=ca.crt',
    '--token-auth-file=tokens.csv',
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-account-key-file=accounts.pub',
    '--service-account-signing-key-file=accounts.key',
    '--allow-privileged=true',
    ...(hasControllers ? [] : ['--disable-admission-plugins=ServiceAccount']),
  ]
}

function managerProgram(command: string, port: number): Program {
  const args = [
    '--kubeconfig=kubeconfig',
    '--service-account-private-key-file=accounts.key',
    '--root-ca-file=ca.crt',
    '--cluster-signing-cert-file=ca.crt',
    '--cluster-signing-key-file=ca.key',
    '--leader-elect=false',
    '--use-service-account-credentials=false',
    '--controllers=*',
    '--cert-dir=certificates',
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
  ]
  return { name: 'kube-controller-manager', command, args }
}

/** Writes certificates, tokens, keys and a kubeconfig. Returns the authority's certificate. */
function writeCredentials(folder: string, url: string): string {
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text, { mode: 0o600 })
  const validity = { notBefore: Date.now() - dayMs, notAfter: Date.now() + 365 * dayMs }
  const ca = new CertificateAuthority({ commonName: 'steersman-conformance', randomBytes, ...validity })
  const server = ca.issueServerCertificate({
    commonName: 'kube-apiserver',
    dnsNames: ['localhost', 'kubernetes.default.svc'],
    ipAddresses: ['127.0.0.1', '10.0.0.1'],
    ...validity,
  })
  write('ca.crt', ca.pair.certificate)
  write('ca.key', ca.pair.privateKey)
  write('server.crt', server.certificate)
  write('server.key', server.privateKey)
  const accounts = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  write('accounts.key', accounts.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string)
  write('accounts.pub', accounts.publicKey.export({ type: 'spki', format: 'pem' }) as string)
  write(
    'tokens.csv',
    Object.values(users)
      .map(({ token, name, uid, groups }) => `${token},${name},${uid},"${groups.join(',')}"\n`)
      .join(''),
  )
  write('kubeconfig', kubeconfigText(url, ca.pair.certificate))
  return ca.pair.certificate
}

function kubeconfigText(url: string, authority: string): string {
  return `apiVersion: v1
kind: Config
clusters: [{ name: real, cluster: { server: "${url}", certificate-authority-data: ${Buffer.from(authority).toString('base64')} } }]
users: [{ name: admin, user: { token: ${users.admin.token} } }]
contexts: [{ name: real, context: { cluster: real, user: admin } }]
current-context: real
`
}

async function waitUntilReady(supervisor: Supervisor, folder: string, isReady: () => Promise<boolean>): Promise<void> {
  const ready = await waitFor(readyWithinMs, async () => supervisor.exited !== undefined || (await isReady().catch(() => false)))
  if (ready && supervisor.exited === undefined) return
  const name = supervisor.exited ?? 'kube-apiserver'
  const log = readFileSync(join(folder, `${name}.log`), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(-8)
    .join('\n')
  throw new RealControlPlaneError(
    'NOT_READY',
    `Cannot start the real control plane: ${name} ${supervisor.exited ? 'ended' : 'was not ready in time'}:\n${log}`,
  )
}

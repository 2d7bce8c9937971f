import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startControlPlane } from '@steersman/apiserver'
import { type ClientConfig, createHttpTransport, createTransport, loadClientConfig } from 'steersman/client'
import { type Environment, systemEnvironment, type Transport, type TransportUser } from 'steersman/environment'

/** A Kubernetes API that the suites run against. */
export interface TestCluster {
  readonly name: string
  readonly environment: Environment
  /** How a program reaches it; `undefined` when it does not listen. */
  readonly clientConfig: ClientConfig | undefined
  /** A kubeconfig of an administrator; `undefined` when it does not listen. */
  readonly kubeconfigPath: string | undefined
  /** @param user who asks: {@link stranger}, or by default an administrator. Whoever takes a transport closes it. */
  transport(user?: TransportUser): Transport
  stop(): Promise<void>
}

/** How to get a {@link TestCluster}, and what is known of it before it runs. */
export interface ClusterKind {
  readonly name: string
  /** Whether it listens: child processes, proxies and wrong credentials need that. */
  readonly isServed: boolean
  /** Whether others use it too, so that tests clean up after themselves. */
  readonly isShared?: boolean
  start(): Promise<TestCluster>
}

/** A user who may do nothing. */
export const stranger: TransportUser = { name: 'stranger', groups: ['strangers'] }

const strangersToken = 'token-of-the-stranger'

/** The embedded control plane, without sockets. */
export const embeddedInProcess: ClusterKind = {
  name: 'embedded, in process',
  isServed: false,
  async start() {
    const plane = await startControlPlane({ controllers: 'none' })
    return {
      name: this.name,
      environment: systemEnvironment,
      clientConfig: undefined,
      kubeconfigPath: undefined,
      transport: (user) => plane.transport(user),
      stop: () => plane.stop(),
    }
  },
}

/** The embedded control plane over HTTPS. */
export function embeddedOverHttps(protocol: 'auto' | 'http1'): ClusterKind {
  return {
    name: `embedded, HTTP/${protocol === 'auto' ? '2' : '1.1'}`,
    isServed: true,
    async start() {
      const folder = mkdtempSync(join(tmpdir(), 'steersman-runtime-'))
      const kubeconfigPath = join(folder, 'kubeconfig')
      const tokens = new Map([[strangersToken, stranger]])
      const plane = await startControlPlane({ controllers: 'none', port: 0, kubeconfigPath, tokens })
      const config = plane.clientConfig
      if (config === undefined) throw new Error('Cannot run the suite: the control plane has no client configuration')
      return {
        name: this.name,
        environment: systemEnvironment,
        clientConfig: config,
        kubeconfigPath,
        transport: (user) =>
          createHttpTransport({
            environment: systemEnvironment,
            protocol,
            config: user === undefined ? config : { ...withoutCredentials(config), token: strangersToken },
          }),
        stop: async () => {
          await plane.stop()
          rmSync(folder, { recursive: true, force: true })
        },
      }
    },
  }
}

/** A real kube-apiserver that runs already, without controllers: `STEERSMAN_REAL_KUBECONFIG` names the kubeconfig of an administrator. */
export const realControlPlane: ClusterKind = {
  name: 'kube-apiserver',
  isServed: true,
  isShared: true,
  async start() {
    const kubeconfigPath = process.env.STEERSMAN_REAL_KUBECONFIG
    if (!kubeconfigPath) throw new Error('Cannot find a real control plane: set STEERSMAN_REAL_KUBECONFIG to the kubeconfig of one')
    const config = await loadClientConfig({ kubeconfig: kubeconfigPath })
    return {
      name: this.name,
      environment: systemEnvironment,
      clientConfig: config,
      kubeconfigPath,
      transport: (user) =>
        createTransport(
          systemEnvironment,
          user === undefined ? config : { ...config, impersonate: { user: user.name, ...groupsOf(user) } },
        ),
      stop: async () => {},
    }
  },
}

function groupsOf({ groups }: TransportUser): { readonly groups?: readonly string[] } {
  return groups === undefined ? {} : { groups }
}

/** The same server, without saying who asks. */
export function withoutCredentials({ server, tls }: ClientConfig): ClientConfig {
  const { certificateAuthority, insecureSkipVerify } = tls ?? {}
  return {
    server,
    tls: {
      ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
      ...(insecureSkipVerify === undefined ? {} : { insecureSkipVerify }),
    },
  }
}

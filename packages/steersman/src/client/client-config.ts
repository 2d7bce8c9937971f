import type { TransportUser } from '../environment/index.js'

/**
 * How to reach one API server and as whom: plain data, as in Go's `rest.Config`.
 *
 * It may hold secrets. Never log it whole; messages of this room name files and fields, not values.
 */
export interface ClientConfig {
  /** `https://host:port`, with a path in front of every request's path if it has one. */
  readonly server: string
  /** The namespace that a program without another idea works in. @default `default` */
  readonly namespace?: string
  /** Where this came from, for people: `context "dev" of /home/me/.kube/config`. */
  readonly source?: string
  readonly tls?: ClientTlsConfig
  /** Bearer token. With `tokenFile` it is used only while the file cannot be read. */
  readonly token?: string
  /** File that holds a bearer token; read again at most every 60 s, and after a 401. */
  readonly tokenFile?: string
  /** Basic authentication, for servers behind a proxy that understands it. */
  readonly username?: string
  readonly password?: string
  /** A program that prints credentials. Used only when no token, password or client certificate is given. */
  readonly exec?: ExecConfig
  readonly impersonate?: Impersonation
  /** Do not ask for gzip. It is never asked for from a server on this host. @default false */
  readonly disableCompression?: boolean
  /** Who asks, when the server is reached through a network inside this process, which needs no credentials. */
  readonly user?: TransportUser
}

/** PEM text, or the file that holds it. Files are read again at most every 60 s. */
export type Pem = { readonly data: string } | { readonly file: string }

/** What secures the connection. */
export interface ClientTlsConfig {
  /** Certificate authorities that may sign the server's certificate. Absent: those that Node.js trusts. */
  readonly certificateAuthority?: Pem
  /** The name expected in the server's certificate, if not the host of the URL. */
  readonly serverName?: string
  /** Accept any server certificate. @default false */
  readonly insecureSkipVerify?: boolean
  /** Client certificate; needs `key`. */
  readonly certificate?: Pem
  readonly key?: Pem
}

/** Acting as somebody else; the server asks whether the authenticated user may. */
export interface Impersonation {
  readonly user: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** A credential plugin (`client.authentication.k8s.io`). */
export interface ExecConfig {
  readonly apiVersion: 'client.authentication.k8s.io/v1' | 'client.authentication.k8s.io/v1beta1'
  /** Absolute path, or a name looked up in PATH. */
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value: string }[]
  /** What a person should do when the program is missing. */
  readonly installHint?: string
  /** Tell the program about the cluster, in KUBERNETES_EXEC_INFO. @default false */
  readonly provideClusterInfo?: boolean
  /** What `provideClusterInfo` tells: an `ExecCredential`'s `spec.cluster`. */
  readonly cluster?: Readonly<Record<string, unknown>>
  /** Whether the program gets standard input. @default `IfAvailable` */
  readonly interactiveMode?: 'Never' | 'IfAvailable' | 'Always'
}

/** Stable codes of {@link ClientConfigError}. */
export type ClientConfigErrorCode =
  /** No configuration anywhere. */
  | 'CONFIG_NOT_FOUND'
  /** A file that was named is missing or cannot be read. */
  | 'CONFIG_UNREADABLE'
  /** A file is there but does not say what it should. */
  | 'CONFIG_INVALID'
  /** A feature that this client does not have. */
  | 'CONFIG_UNSUPPORTED'
  /** A credential plugin is missing, failed, or answered nonsense. */
  | 'EXEC_PLUGIN_FAILED'

/** The configuration of a client is missing or wrong. The message says what, where, and what was expected; it holds no secret. */
export class ClientConfigError extends Error {
  readonly code: ClientConfigErrorCode

  constructor(code: ClientConfigErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ClientConfigError'
    this.code = code
  }
}

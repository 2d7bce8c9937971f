import type { TransportUser } from 'steersman/environment'

/** Who makes a request, after authentication. */
export interface UserInfo extends TransportUser {
  readonly groups: readonly string[]
}

/** What a request asks for, parsed from method, path and query. */
export interface RequestInfo {
  readonly isResourceRequest: boolean
  readonly path: string
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; for other paths the method in lower case. */
  readonly verb: string
  readonly group: string
  readonly version: string
  /** Plural. */
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}

/** Decides who a request comes from. */
export interface Authenticator {
  /** Tells about a token in a review; no audiences: those of this server. Absent: tokens are not known. */
  reviewToken?(token: string, audiences: readonly string[]): Promise<TokenVerdict>
  /** `undefined`: no credentials that this authenticator knows. @throws {StatusError} Unauthorized for wrong ones. */
  authenticate(credentials: Credentials): Promise<UserInfo | undefined>
}

/** What a connection and a request present. */
export interface Credentials {
  readonly bearerToken?: string
  /** Subject of a client certificate that the configured authority signed, and the hash of the certificate. */
  readonly certificate?: { readonly commonName: string; readonly organizations: readonly string[]; readonly sha256?: string }
}

/** Decides whether a user may do what the request asks. */
export interface Authorizer {
  authorize(user: UserInfo, request: RequestInfo): Promise<{ readonly allowed: boolean; readonly reason?: string }>
}

/** What is known of a token. */
export interface TokenVerdict {
  /** Whom it belongs to; `undefined`: it is not good. */
  readonly user?: UserInfo
  /** Which of the audiences asked for it is good for. */
  readonly audiences?: readonly string[]
  /** Why it is not good. */
  readonly error?: string
}

import type { Credentials } from '../contracts/index.js'

/** What a connection says of its peer, beside the headers of each request. */
export interface ConnectionCredentials extends Pick<Credentials, 'certificate'> {
  /** Whether the peer presented a certificate that the authority did not sign or that is not valid now. */
  readonly hasWrongCertificate?: boolean
}

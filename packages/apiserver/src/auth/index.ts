/**
 * Room `auth`: who makes a request, and whether they may.
 *
 * Authenticators turn credentials (the subject of a client certificate, a bearer token, a token of a service account) into a user; authorizers
 * decide over what the user asks: by roles and bindings (RBAC), by membership of `system:masters` alone, or not at all. Reviews answer questions
 * about both; admission plugins see to it that nobody gives what they do not have. `createAccessControl` puts them together.
 *
 * Promises: a secret is compared in constant time; wrong credentials are refused and never taken for none; a token of an account ends with the
 * account and with what it is bound to; a role counts from the moment its write is answered, and no request reads roles from the storage.
 *
 * The interfaces live in `contracts`; impersonation is a part of the pipeline in `endpoints`, because it asks the authorizer. Deliberately not
 * here: authorizers and authenticators by webhook, OpenID Connect, the node authorizer.
 */
export type { AccessControl, AccessControlOptions, AuthorizationMode } from './access-control.js'
export { createAccessControl } from './access-control.js'
export { certificateAuthenticator, firstAuthenticator, tokenAuthenticator } from './authenticators.js'
export { alwaysAllowAuthorizer, authenticatedGroup, mastersGroup, mastersOnlyAuthorizer } from './authorizers.js'
export { serviceAccountGroups, serviceAccountOf } from './service-account-name.js'
export type { JsonWebKey, TokenSignerOptions } from './tokens/jwt-signer.js'
export { JwtSigner } from './tokens/jwt-signer.js'

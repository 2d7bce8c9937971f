/**
 * Room `auth`: who makes a request, and whether they may.
 *
 * Authenticators turn credentials (the subject of a client certificate, a bearer token) into a user; authorizers decide over what the user asks.
 * The interfaces live in `contracts`; impersonation is a part of the pipeline in `endpoints`, because it asks the authorizer.
 *
 * Promises: a secret is compared in constant time; wrong credentials are refused and never taken for none; nothing is allowed by default but
 * health, version and, for known users, discovery.
 *
 * Deliberately not here yet: roles and bindings (RBAC) and tokens of service accounts; they come behind the same interfaces.
 */
export { certificateAuthenticator, firstAuthenticator, tokenAuthenticator } from './authenticators.js'
export { alwaysAllowAuthorizer, defaultAuthorizer, mastersGroup } from './authorizers.js'

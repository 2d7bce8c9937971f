/**
 * Room `endpoints`: from a request to an answer, without a network and without a database.
 *
 * One function answers everything: it reads what the request asks for, finds out who asks and whether they may, and hands over to one file per
 * verb. Around them stands what every verb shares: media types, reading and checking bodies (JSON, YAML, protobuf), options, impersonation, the forms
 * in which objects are shown (Table, PartialObjectMetadata), discovery, OpenAPI, OpenID and health.
 *
 * Promises: codes, reasons and messages are kube-apiserver's; a refusal is always a Status, made in one place; nothing that a client sends makes
 * the handler throw; bodies are bounded to 3 MiB; an aborted request ends whatever it started.
 *
 * Deliberately not here: encoding to JSON (the adapter in room `server` shares bytes between requests; protobuf is written here), storage, and the
 * meaning of resources (room `registry`). Server-side apply is answered with 415, as are strategic merge patches and protobuf bodies of custom
 * resources.
 */
export { maxBodyBytes } from './body.js'
export type { ConnectionCredentials } from './connection-credentials.js'
export type { HandlerOptions } from './context.js'
export type { ApiHandler } from './handle.js'
export { createRequestHandler } from './handle.js'
export { anonymous } from './identify.js'
export type { OpenApi } from './openapi.js'
export type { ApiResponseBody } from './respond.js'
export type { VersionInfo } from './version.js'
export { version } from './version.js'

/**
 * The refusals of an API server, one function each, with the reasons, codes and messages of kube-apiserver.
 */
import type { FieldError } from './field-error.js'
import { fieldErrorsText, fieldErrorToCause } from './field-error.js'
import { goQuote } from './go-format.js'
import type { Status, StatusCause, StatusDetails } from './status.js'

/** A resource by group and plural. Every resource descriptor is one. */
export interface GroupResource {
  /** Empty for the core group. */
  readonly group: string
  readonly plural: string
}

/** The message of a conflict over the resource version. */
export const objectModifiedMessage = 'the object has been modified; please apply your changes to the latest version and try again'

/** `deployments.apps`, or `pods` for the core group: how messages name a resource. */
export function groupResourceName(resource: GroupResource): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`
}

function failure(code: number, reason: string, message: string, details?: StatusDetails): Status {
  const head = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason } as const
  return details === undefined ? { ...head, code } : { ...head, details, code }
}

/** Details as Go writes them: in this order, empty members absent. */
function detailsOf(details: StatusDetails): StatusDetails {
  return {
    ...(details.name ? { name: details.name } : {}),
    ...(details.group ? { group: details.group } : {}),
    ...(details.kind ? { kind: details.kind } : {}),
    ...(details.uid ? { uid: details.uid } : {}),
    ...(details.causes !== undefined && details.causes.length > 0 ? { causes: details.causes } : {}),
    ...(details.retryAfterSeconds ? { retryAfterSeconds: details.retryAfterSeconds } : {}),
  }
}

const resourceDetails = (resource: GroupResource, name: string, extra?: StatusDetails): StatusDetails =>
  detailsOf({ name, group: resource.group, kind: resource.plural, ...extra })

/** 404: no object of that name. */
export function notFound(resource: GroupResource, name: string): Status {
  return failure(404, 'NotFound', `${groupResourceName(resource)} ${goQuote(name)} not found`, resourceDetails(resource, name))
}

/** 409: an object of that name exists. */
export function alreadyExists(resource: GroupResource, name: string): Status {
  return failure(409, 'AlreadyExists', `${groupResourceName(resource)} ${goQuote(name)} already exists`, resourceDetails(resource, name))
}

/** 409: an object of that name exists and is being deleted. */
export function beingDeleted(resource: GroupResource, name: string): Status {
  const status = alreadyExists(resource, name)
  return { ...status, message: `object is being deleted: ${status.message}` }
}

/** 409: none of the names that the server made up was free. */
export function generateNameConflict(resource: GroupResource, name: string, retryAfterSeconds = 1): Status {
  const message = `${groupResourceName(resource)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`
  return failure(409, 'AlreadyExists', message, resourceDetails(resource, name, { retryAfterSeconds }))
}

/** 409: the object is not in the state that the request needs. */
export function conflict(resource: GroupResource, name: string, message: string = objectModifiedMessage): Status {
  const text = `Operation cannot be fulfilled on ${groupResourceName(resource)} ${goQuote(name)}: ${message}`
  return failure(409, 'Conflict', text, resourceDetails(resource, name))
}

/** What a precondition asked for and what was found. */
export interface FailedPrecondition {
  readonly what: 'UID' | 'ResourceVersion'
  readonly wanted: string
  readonly actual: string
}

/** 409: an update's precondition does not hold. `storageKey` is the object's key in the server's storage, which the message names. */
export function preconditionFailed(resource: GroupResource, name: string, failed: FailedPrecondition, storageKey: string): Status {
  const { what, wanted, actual } = failed
  const reason = `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${actual}`
  const message = `StorageError: invalid object, Code: 4, Key: ${storageKey}, ResourceVersion: 0, AdditionalErrorMsg: ${reason}`
  return conflict(resource, name, message)
}

/** 409: a delete's precondition does not hold. This message and its details name the kind, not the plural. */
export function deletePreconditionFailed(
  type: { readonly group: string; readonly kind: string },
  name: string,
  failed: FailedPrecondition,
): Status {
  const { what, wanted, actual } = failed
  const guess = what === 'UID' ? 'deleted and then recreated' : 'modified'
  const message = `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${actual}). The object might have been ${guess}`
  return conflict({ group: type.group, plural: type.kind }, name, message)
}

/** 409: other field managers own the fields. The message names them all. */
export function applyConflict(message: string, causes: readonly StatusCause[]): Status {
  return failure(409, 'Conflict', message, detailsOf({ causes }))
}

/** 422: the object is not valid. The details carry one cause for each field error. */
export function invalid(kind: string, group: string, name: string, errors: readonly FieldError[]): Status {
  const qualifiedKind = group === '' ? kind : `${kind}.${group}`
  const head = `${qualifiedKind} ${goQuote(name)} is invalid`
  const message = errors.length === 0 ? head : `${head}: ${fieldErrorsText(errors)}`
  return failure(422, 'Invalid', message, detailsOf({ name, group, kind, causes: errors.map(fieldErrorToCause) }))
}

/** 400: the request cannot be understood. */
export function badRequest(message: string): Status {
  return failure(400, 'BadRequest', message)
}

/** 400: the body does not fit the type strictly; `problems` such as `unknown field "spec.foo"`. */
export function strictDecodingError(problems: readonly string[]): Status {
  return badRequest(`strict decoding error: ${problems.join(', ')}`)
}

/** 403: the user may not do this, or something that guards the resource says no. */
export function forbidden(resource: GroupResource, name: string, reason: string, causes?: readonly StatusCause[]): Status {
  const subject = groupResourceName(resource)
  const message =
    subject === ''
      ? `forbidden: ${reason}`
      : name === ''
        ? `${subject} is forbidden: ${reason}`
        : `${subject} ${goQuote(name)} is forbidden: ${reason}`
  return failure(403, 'Forbidden', message, resourceDetails(resource, name, causes === undefined ? undefined : { causes }))
}

/** 403: a create in a namespace that is being deleted. */
export function namespaceTerminating(resource: GroupResource, name: string, namespace: string): Status {
  return forbidden(resource, name, `unable to create new content in namespace ${namespace} because it is being terminated`, [
    { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' },
  ])
}

/** 401: credentials are missing or not good. */
export function unauthorized(message = 'Unauthorized'): Status {
  return failure(401, 'Unauthorized', message)
}

/** 405: the resource does not support the action (`create`, `patch`, …). */
export function methodNotAllowed(resource: GroupResource, action: string): Status {
  const message = `${action} is not supported on resources of kind "${groupResourceName(resource)}"`
  return failure(405, 'MethodNotAllowed', message, resourceDetails(resource, ''))
}

/** 410: the thing is gone. New code answers `expired`. */
export function gone(message: string): Status {
  return failure(410, 'Gone', message)
}

/** 410: the resource version or continue token is too old. `continueToken` allows an inconsistent list to go on. */
export function expired(message: string, continueToken?: string): Status {
  const status = failure(410, 'Expired', message)
  return continueToken === undefined ? status : { ...status, metadata: { continue: continueToken } }
}

/** 504: the server gave up. The message is prefixed with `Timeout: `. */
export function timeout(message: string, retryAfterSeconds = 0): Status {
  return failure(504, 'Timeout', `Timeout: ${message}`, detailsOf({ retryAfterSeconds }))
}

/** 504: the resource version asked for is newer than everything the server has. */
export function tooLargeResourceVersion(requested: string | number | bigint, current: string | number | bigint): Status {
  const message = `Timeout: Too large resource version: ${requested}, current: ${current}`
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }]
  return failure(504, 'Timeout', message, { causes, retryAfterSeconds: 1 })
}

/** 500: the operation could not complete now. */
export function serverTimeout(resource: GroupResource, operation: string, retryAfterSeconds: number): Status {
  const message = `The ${operation} operation against ${groupResourceName(resource)} could not be completed at this time, please try again.`
  return failure(500, 'ServerTimeout', message, resourceDetails(resource, operation, { retryAfterSeconds }))
}

/** 429: come back later. */
export function tooManyRequests(message: string, retryAfterSeconds: number, causes?: readonly StatusCause[]): Status {
  return failure(429, 'TooManyRequests', message, detailsOf({ retryAfterSeconds, ...(causes === undefined ? {} : { causes }) }))
}

/** 429: an eviction that the disruption budget does not allow now. */
export function evictionBlocked(budget: string, desiredHealthy: number, currentHealthy: number): Status {
  const message = `The disruption budget ${budget} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
  return tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 0, [{ reason: 'DisruptionBudget', message }])
}

/** 413: the body, or what it asks for, is too large. The message is prefixed with `Request entity too large: `. */
export function requestEntityTooLarge(message: string): Status {
  return failure(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`)
}

/** 413: the body has more bytes than the server reads. */
export function bodyTooLarge(limitBytes: number): Status {
  return requestEntityTooLarge(`limit is ${limitBytes}`)
}

/** 415: the server reads only the media types `accepted`. */
export function unsupportedMediaType(accepted: readonly string[]): Status {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`
  return failure(415, 'UnsupportedMediaType', message)
}

/** 406: the server writes only the media types `accepted`. */
export function notAcceptable(accepted: readonly string[]): Status {
  return failure(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`)
}

/** 500: the server failed. The message is prefixed with `Internal error occurred: `. */
export function internalError(message: string): Status {
  return failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] })
}

/** 503: a server behind this one cannot be reached, or this one is not ready. */
export function serviceUnavailable(message: string): Status {
  return failure(503, 'ServiceUnavailable', message)
}

/** What is known about an answer that carries no Status. */
export interface GenericResponse {
  /** HTTP method. */
  readonly method?: string
  readonly resource?: GroupResource
  readonly name?: string
  /** The body, or what is known of it. */
  readonly serverMessage?: string
  readonly retryAfterSeconds?: number
  /** Whether the body was not what an API server writes; it then becomes a cause. */
  readonly unexpected?: boolean
}

const genericAnswers: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  400: ['BadRequest', 'the server rejected our request for an unknown reason'],
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  409: ['Conflict', 'the server reported a conflict'],
  422: ['Invalid', 'the server rejected our request due to an error in our request'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: ['Timeout', 'the server was unable to return a response in the time allotted, but may still be processing the request'],
}

/**
 * The Status for an HTTP code without a Status of its own, as clients make it of a foreign answer and the API server of
 * a failed JSON patch (422) or a method without a route (405).
 */
export function genericResponse(code: number, facts: GenericResponse = {}): Status {
  const { method = '', resource, name = '', serverMessage = '', retryAfterSeconds = 0 } = facts
  let [reason, message] = genericReason(code, method, serverMessage)
  if (resource !== undefined && groupResourceName(resource) !== '') {
    message = `${message} (${[method.toLowerCase(), groupResourceName(resource), name].filter((word, index) => index < 2 || word !== '').join(' ')})`
  }
  const causes = facts.unexpected ? [{ reason: 'UnexpectedServerResponse', message: serverMessage }] : []
  const details = detailsOf({ name, group: resource?.group ?? '', kind: resource?.plural ?? '', causes, retryAfterSeconds })
  return failure(code, reason, message, details)
}

function genericReason(code: number, method: string, serverMessage: string): readonly [reason: string, message: string] {
  if (code === 409 && method.toUpperCase() === 'POST') return ['AlreadyExists', 'the server reported a conflict']
  if (code === 403) return ['Forbidden', serverMessage]
  if (code === 415) return ['UnsupportedMediaType', serverMessage]
  if (code === 406) {
    const silent = serverMessage === '' || serverMessage === 'unknown'
    return ['NotAcceptable', silent ? 'the server was unable to respond with a content type that the client supports' : serverMessage]
  }
  const known = genericAnswers[code]
  if (known !== undefined) return known
  if (code >= 500) return ['InternalError', `an error on the server (${goQuote(serverMessage)}) has prevented the request from succeeding`]
  return ['', `the server responded with the status code ${code} but did not return more information`]
}

/** Success: the answer to a delete that removed the object. It has no code. */
export function deleted(resource: GroupResource, name: string, uid: string): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: resourceDetails(resource, name, { uid }) }
}

import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import type { Container, HTTPGetAction, Lifecycle, Probe } from 'steersman/api/types/core/v1'
import { validateNonNegative } from './number-errors.js'
import { portErrors, validatePortNumberOrName } from './port-errors.js'

/** What is wrong with what a container does at its begin and its end, and with how it is asked about its health. */
export function validateHandlers(container: Container, graceSeconds: number | undefined, path: FieldPath): FieldError[] {
  return [
    ...validateLifecycle(container.lifecycle, graceSeconds, path.child('lifecycle')),
    ...validateProbe(container.livenessProbe, path.child('livenessProbe'), true),
    ...validateProbe(container.readinessProbe, path.child('readinessProbe'), false),
    ...forbidGrace(container.readinessProbe, path.child('readinessProbe', 'terminationGracePeriodSeconds')),
    ...validateProbe(container.startupProbe, path.child('startupProbe'), true),
  ]
}

const seconds = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'] as const

function validateProbe(probe: Probe | undefined, path: FieldPath, succeedsOnce: boolean): FieldError[] {
  if (probe === undefined) return []
  const errors = validateHandler(probe as HandlerFields, undefined, path)
  for (const field of seconds) errors.push(...validateNonNegative(probe[field], path.child(field)))
  const grace = probe.terminationGracePeriodSeconds
  if (grace !== undefined && grace <= 0) {
    errors.push(fieldError.invalid(path.child('terminationGracePeriodSeconds'), grace, 'must be greater than 0'))
  }
  if (succeedsOnce && probe.successThreshold !== 1) {
    errors.push(fieldError.invalid(path.child('successThreshold'), probe.successThreshold, 'must be 1'))
  }
  return errors
}

/** Nothing ends because it is not ready. */
function forbidGrace(probe: Probe | undefined, path: FieldPath): FieldError[] {
  const grace = probe?.terminationGracePeriodSeconds
  return grace === undefined ? [] : [fieldError.invalid(path, grace, 'must not be set for readinessProbes')]
}

function validateLifecycle(lifecycle: Lifecycle | undefined, graceSeconds: number | undefined, path: FieldPath): FieldError[] {
  return (['postStart', 'preStop'] as const).flatMap((field) =>
    lifecycle?.[field] === undefined ? [] : validateHandler(lifecycle[field] as HandlerFields, graceSeconds, path.child(field)),
  )
}

interface HandlerFields {
  readonly exec?: { readonly command?: readonly string[] }
  readonly httpGet?: HTTPGetAction
  readonly tcpSocket?: { readonly port?: number | string }
  readonly grpc?: { readonly port?: number }
  readonly sleep?: { readonly seconds?: number }
}

function validateHandler(handler: HandlerFields, graceSeconds: number | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  let found = 0
  for (const type of ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const) {
    if (handler[type] === undefined) continue
    if (++found > 1) errors.push(fieldError.forbidden(path.child(type), 'may not specify more than 1 handler type'))
    else errors.push(...validateAction(handler, type, graceSeconds, path.child(type)))
  }
  if (found === 0) errors.push(fieldError.required(path, 'must specify a handler type'))
  return errors
}

function validateAction(
  handler: HandlerFields,
  type: keyof HandlerFields,
  graceSeconds: number | undefined,
  path: FieldPath,
): FieldError[] {
  switch (type) {
    case 'exec':
      return (handler.exec?.command ?? []).length === 0 ? [fieldError.required(path.child('command'))] : []
    case 'httpGet':
      return validateRequest(handler.httpGet, path)
    case 'tcpSocket':
      return validatePortNumberOrName(handler.tcpSocket?.port, path.child('port'))
    case 'grpc':
      return portErrors(handler.grpc?.port ?? 0, path.child('port'))
    default: {
      const pause = handler.sleep?.seconds ?? 0
      if (graceSeconds === undefined || (pause >= 0 && pause <= graceSeconds)) return []
      return [fieldError.invalid(path, pause, `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`)]
    }
  }
}

const headerDetail =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')"

function validateRequest(action: HTTPGetAction | undefined, path: FieldPath): FieldError[] {
  const { path: target, port, scheme, httpHeaders = [] } = action ?? {}
  const errors = target ? [] : [fieldError.required(path.child('path'))]
  errors.push(...validatePortNumberOrName(port, path.child('port')))
  if (scheme !== 'HTTP' && scheme !== 'HTTPS') errors.push(fieldError.notSupported(path.child('scheme'), scheme, ['HTTP', 'HTTPS']))
  for (const { name = '' } of httpHeaders) {
    if (!/^[-A-Za-z0-9]+$/.test(name)) errors.push(fieldError.invalid(path.child('httpHeaders'), name, headerDetail))
  }
  return errors
}

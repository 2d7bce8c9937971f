import { describe, expect, test } from 'vitest'
import * as api from './index.js'
import { StatusError } from './index.js'

const pods = { group: '', plural: 'pods' }
const statusError = (status: api.Status) => new StatusError(status)

describe('predicates', () => {
  const table: readonly [keyof typeof api, api.Status][] = [
    ['isNotFound', api.notFound(pods, 'x')],
    ['isAlreadyExists', api.alreadyExists(pods, 'x')],
    ['isConflict', api.conflict(pods, 'x')],
    ['isInvalid', api.invalid('Pod', '', 'x', [])],
    ['isForbidden', api.forbidden(pods, 'x', 'no')],
    ['isUnauthorized', api.unauthorized()],
    ['isExpired', api.expired('old')],
    ['isExpired', api.gone('old')],
    ['isTimeout', api.timeout('slow')],
    ['isServerTimeout', api.serverTimeout(pods, 'list', 0)],
    ['isBadRequest', api.badRequest('what')],
    ['isMethodNotAllowed', api.methodNotAllowed(pods, 'create')],
    ['isNotAcceptable', api.notAcceptable(['application/json'])],
    ['isUnsupportedMediaType', api.unsupportedMediaType(['application/json'])],
    ['isInternalError', api.internalError('oops')],
    ['isServiceUnavailable', api.serviceUnavailable('down')],
    ['isTooManyRequests', api.tooManyRequests('slow down', 1)],
    ['isRequestEntityTooLarge', api.bodyTooLarge(1)],
  ]
  const predicates = [...new Set(table.map(([name]) => name))]

  test.each(table)('%s is true of its own refusal and of no other', (name, status) => {
    for (const other of predicates) {
      // biome-ignore lint/performance/noDynamicNamespaceImportAccess: the table names the predicates.
      const predicate = api[other] as (error: unknown) => boolean
      expect([other, predicate(statusError(status))]).toEqual([other, other === name])
    }
  })

  test('isNotFound knows an error of another copy of the package, a wrapped one and a bare Status', () => {
    const status = api.notFound(pods, 'x')
    const foreign = Object.assign(new Error('not found'), { status })
    expect(api.isNotFound(foreign)).toBe(true)
    expect(api.isNotFound(new Error('reconcile failed', { cause: foreign }))).toBe(true)
    expect(api.isNotFound(status)).toBe(true)
  })

  test('isNotFound is false for what is not a Status', () => {
    const circular: { cause?: unknown } = {}
    circular.cause = circular
    for (const value of [undefined, null, 'NotFound', 404, new Error('NotFound'), { reason: 'NotFound' }, circular]) {
      expect(api.isNotFound(value)).toBe(false)
    }
  })

  test('isNotFound takes the code when the reason is foreign, the reason when it is known', () => {
    const status = api.notFound(pods, 'x')
    expect(api.isNotFound({ ...status, reason: '' })).toBe(true)
    expect(api.isNotFound({ ...status, reason: 'SomethingElse' })).toBe(true)
    expect(api.isNotFound({ ...status, reason: 'Forbidden' })).toBe(false)
  })

  test('isNamespaceTerminating and isTooLargeResourceVersion read the causes', () => {
    expect(api.isNamespaceTerminating(api.namespaceTerminating(pods, 'x', 'n'))).toBe(true)
    expect(api.isNamespaceTerminating(api.forbidden(pods, 'x', 'no'))).toBe(false)
    expect(api.isTooLargeResourceVersion(api.tooLargeResourceVersion(9, 1))).toBe(true)
  })
})

describe('ignoreNotFound', () => {
  test('ignoreNotFound turns a missing object into undefined', async () => {
    await expect(Promise.reject(statusError(api.notFound(pods, 'x'))).catch(api.ignoreNotFound)).resolves.toBeUndefined()
    expect(api.ignoreAlreadyExists(api.alreadyExists(pods, 'x'))).toBeUndefined()
    expect(api.ignoreConflict(api.conflict(pods, 'x'))).toBeUndefined()
  })

  test('ignoreNotFound rethrows every other error untouched', () => {
    const error = statusError(api.conflict(pods, 'x'))
    expect(() => api.ignoreNotFound(error)).toThrow(error)
    expect(() => api.ignoreAlreadyExists(error)).toThrow(error)
    expect(() => api.ignoreConflict('text')).toThrow('text')
  })
})

test('retryAfterSeconds tells the wait that the server asks for', () => {
  expect(api.retryAfterSeconds(statusError(api.tooManyRequests('x', 7)))).toBe(7)
  expect(api.retryAfterSeconds(statusError(api.serverTimeout(pods, 'list', 0)))).toBe(0)
  expect(api.retryAfterSeconds(statusError(api.conflict(pods, 'x')))).toBeUndefined()
  expect(api.retryAfterSeconds(new Error('x'))).toBeUndefined()
})

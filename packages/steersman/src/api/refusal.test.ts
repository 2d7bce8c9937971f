import { expect, test } from 'vitest'
import * as api from './index.js'

// Expected values: answers of kube-apiserver 1.37.2, and k8s.io/apimachinery v0.37.2 pkg/api/errors where a request cannot provoke one.
const pods = { group: '', plural: 'pods' }
const configmaps = { group: '', plural: 'configmaps' }
const deployments = { group: 'apps', plural: 'deployments' }
const widgets = { group: 'example.com', plural: 'widgets' }
const head = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' }

const answers: readonly [string, api.Status, object][] = [
  [
    'notFound in the core group',
    api.notFound(pods, 'x'),
    { ...head, message: 'pods "x" not found', reason: 'NotFound', details: { name: 'x', kind: 'pods' }, code: 404 },
  ],
  [
    'notFound in a named group',
    api.notFound(deployments, 'x'),
    {
      ...head,
      message: 'deployments.apps "x" not found',
      reason: 'NotFound',
      details: { name: 'x', group: 'apps', kind: 'deployments' },
      code: 404,
    },
  ],
  [
    'alreadyExists',
    api.alreadyExists(configmaps, 'c'),
    { ...head, message: 'configmaps "c" already exists', reason: 'AlreadyExists', details: { name: 'c', kind: 'configmaps' }, code: 409 },
  ],
  [
    'beingDeleted',
    api.beingDeleted(configmaps, 'c'),
    {
      ...head,
      message: 'object is being deleted: configmaps "c" already exists',
      reason: 'AlreadyExists',
      details: { name: 'c', kind: 'configmaps' },
      code: 409,
    },
  ],
  [
    'generateNameConflict',
    api.generateNameConflict(pods, 'p-abcde'),
    {
      ...head,
      message: 'pods "p-abcde" already exists, the server was not able to generate a unique name for the object',
      reason: 'AlreadyExists',
      details: { name: 'p-abcde', kind: 'pods', retryAfterSeconds: 1 },
      code: 409,
    },
  ],
  [
    'conflict',
    api.conflict(configmaps, 'c'),
    {
      ...head,
      message:
        'Operation cannot be fulfilled on configmaps "c": the object has been modified; please apply your changes to the latest version and try again',
      reason: 'Conflict',
      details: { name: 'c', kind: 'configmaps' },
      code: 409,
    },
  ],
  [
    'preconditionFailed',
    api.preconditionFailed(configmaps, 'd', { what: 'UID', wanted: 'abc', actual: 'b6561f3a' }, '/registry/configmaps/room-api/d'),
    {
      ...head,
      message:
        'Operation cannot be fulfilled on configmaps "d": StorageError: invalid object, Code: 4, Key: /registry/configmaps/room-api/d, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: abc, UID in object meta: b6561f3a',
      reason: 'Conflict',
      details: { name: 'd', kind: 'configmaps' },
      code: 409,
    },
  ],
  [
    'deletePreconditionFailed',
    api.deletePreconditionFailed({ group: '', kind: 'ConfigMap' }, 'd', { what: 'UID', wanted: 'abc', actual: 'b6561f3a' }),
    {
      ...head,
      message:
        'Operation cannot be fulfilled on ConfigMap "d": the UID in the precondition (abc) does not match the UID in record (b6561f3a). The object might have been deleted and then recreated',
      reason: 'Conflict',
      details: { name: 'd', kind: 'ConfigMap' },
      code: 409,
    },
  ],
  [
    'deletePreconditionFailed over the resource version',
    api.deletePreconditionFailed({ group: '', kind: 'ConfigMap' }, 'd', { what: 'ResourceVersion', wanted: '1', actual: '460' }),
    {
      ...head,
      message:
        'Operation cannot be fulfilled on ConfigMap "d": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (460). The object might have been modified',
      reason: 'Conflict',
      details: { name: 'd', kind: 'ConfigMap' },
      code: 409,
    },
  ],
  [
    'invalid with one error',
    api.invalid('ConfigMap', '', '', [api.fieldError.required('metadata.name', 'name or generateName is required')]),
    {
      ...head,
      message: 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
      reason: 'Invalid',
      details: {
        kind: 'ConfigMap',
        causes: [{ reason: 'FieldValueRequired', message: 'Required value: name or generateName is required', field: 'metadata.name' }],
      },
      code: 422,
    },
  ],
  [
    'invalid with two errors in a named group',
    api.invalid('Widget', 'example.com', 'w', [api.fieldError.required('spec.a'), api.fieldError.invalid('spec.b', 3, 'too odd')]),
    {
      ...head,
      message: 'Widget.example.com "w" is invalid: [spec.a: Required value, spec.b: Invalid value: 3: too odd]',
      reason: 'Invalid',
      details: {
        name: 'w',
        group: 'example.com',
        kind: 'Widget',
        causes: [
          { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.a' },
          { reason: 'FieldValueInvalid', message: 'Invalid value: 3: too odd', field: 'spec.b' },
        ],
      },
      code: 422,
    },
  ],
  [
    'badRequest',
    api.badRequest('the name of the object (d) does not match the name on the URL (c)'),
    { ...head, message: 'the name of the object (d) does not match the name on the URL (c)', reason: 'BadRequest', code: 400 },
  ],
  ['unauthorized', api.unauthorized(), { ...head, message: 'Unauthorized', reason: 'Unauthorized', code: 401 }],
  [
    'forbidden with a name',
    api.forbidden(pods, 'x', 'User "u" cannot get resource "pods" in API group "" in the namespace "n"'),
    {
      ...head,
      message: 'pods "x" is forbidden: User "u" cannot get resource "pods" in API group "" in the namespace "n"',
      reason: 'Forbidden',
      details: { name: 'x', kind: 'pods' },
      code: 403,
    },
  ],
  [
    'forbidden without a name',
    api.forbidden(widgets, '', 'no'),
    {
      ...head,
      message: 'widgets.example.com is forbidden: no',
      reason: 'Forbidden',
      details: { group: 'example.com', kind: 'widgets' },
      code: 403,
    },
  ],
  [
    'forbidden without a resource',
    api.forbidden({ group: '', plural: '' }, '', 'User "u" cannot get path "/metrics"'),
    { ...head, message: 'forbidden: User "u" cannot get path "/metrics"', reason: 'Forbidden', details: {}, code: 403 },
  ],
  [
    'unsupportedMediaType',
    api.unsupportedMediaType(['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']),
    {
      ...head,
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      reason: 'UnsupportedMediaType',
      code: 415,
    },
  ],
  [
    'tooLargeResourceVersion',
    api.tooLargeResourceVersion(99999999, 314),
    {
      ...head,
      message: 'Timeout: Too large resource version: 99999999, current: 314',
      reason: 'Timeout',
      details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 },
      code: 504,
    },
  ],
  [
    'genericResponse for a failed JSON patch',
    api.genericResponse(422),
    {
      ...head,
      message: 'the server rejected our request due to an error in our request',
      reason: 'Invalid',
      details: {},
      code: 422,
    },
  ],
  [
    'genericResponse for a method without a route',
    api.genericResponse(405),
    {
      ...head,
      message: 'the server does not allow this method on the requested resource',
      reason: 'MethodNotAllowed',
      details: {},
      code: 405,
    },
  ],
  [
    'genericResponse with a resource',
    api.genericResponse(502, { method: 'GET', resource: deployments, name: 'x', serverMessage: 'bad gateway', unexpected: true }),
    {
      ...head,
      message: 'an error on the server ("bad gateway") has prevented the request from succeeding (get deployments.apps x)',
      reason: 'InternalError',
      details: {
        name: 'x',
        group: 'apps',
        kind: 'deployments',
        causes: [{ reason: 'UnexpectedServerResponse', message: 'bad gateway' }],
      },
      code: 502,
    },
  ],
  [
    'requestEntityTooLarge',
    api.bodyTooLarge(3145728),
    { ...head, message: 'Request entity too large: limit is 3145728', reason: 'RequestEntityTooLarge', code: 413 },
  ],
  [
    'internalError',
    api.internalError('boom'),
    {
      ...head,
      message: 'Internal error occurred: boom',
      reason: 'InternalError',
      details: { causes: [{ message: 'boom' }] },
      code: 500,
    },
  ],
  [
    'tooManyRequests',
    api.tooManyRequests('slow down', 1),
    { ...head, message: 'slow down', reason: 'TooManyRequests', details: { retryAfterSeconds: 1 }, code: 429 },
  ],
  [
    'methodNotAllowed',
    api.methodNotAllowed(widgets, 'create'),
    {
      ...head,
      message: 'create is not supported on resources of kind "widgets.example.com"',
      reason: 'MethodNotAllowed',
      details: { group: 'example.com', kind: 'widgets' },
      code: 405,
    },
  ],
  [
    'serverTimeout',
    api.serverTimeout(pods, 'list', 2),
    {
      ...head,
      message: 'The list operation against pods could not be completed at this time, please try again.',
      reason: 'ServerTimeout',
      details: { name: 'list', kind: 'pods', retryAfterSeconds: 2 },
      code: 500,
    },
  ],
  [
    'deleted',
    api.deleted(configmaps, 'd', 'b6561f3a'),
    { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: { name: 'd', kind: 'configmaps', uid: 'b6561f3a' } },
  ],
  [
    'expired with a token to go on',
    api.expired('too old', 'abc'),
    { ...head, metadata: { continue: 'abc' }, message: 'too old', reason: 'Expired', code: 410 },
  ],
]

test.each(answers)('%s is the answer of kube-apiserver, members in its order', (_, actual, expected) => {
  expect(JSON.stringify(actual)).toBe(JSON.stringify(expected))
})

test('namespaceTerminating names the namespace in its cause', () => {
  expect(api.namespaceTerminating(pods, 'p', 'gone')).toMatchObject({
    message: 'pods "p" is forbidden: unable to create new content in namespace gone because it is being terminated',
    details: {
      causes: [{ reason: 'NamespaceTerminating', message: 'namespace gone is being terminated', field: 'metadata.namespace' }],
    },
  })
})

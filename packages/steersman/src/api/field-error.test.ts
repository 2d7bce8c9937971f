import { describe, expect, test } from 'vitest'
import { fieldError, fieldErrorBody, fieldErrorsText, fieldErrorText, fieldErrorToCause, fieldPath } from './field-error.js'

test('FieldPath writes members, items and keys as kube-apiserver does', () => {
  expect(String(fieldPath('spec', 'template').child('containers').index(0).child('ports').index(1).child('name'))).toBe(
    'spec.template.containers[0].ports[1].name',
  )
  expect(String(fieldPath('metadata').child('labels').key('a/b.c'))).toBe('metadata.labels[a/b.c]')
})

describe('fieldErrorBody', () => {
  // Expected values: k8s.io/apimachinery v0.37.2 field.Error.ErrorBody().
  test.each([
    [fieldError.required('a'), 'Required value'],
    [fieldError.required('a', 'say it'), 'Required value: say it'],
    [fieldError.forbidden('a', 'never'), 'Forbidden: never'],
    [fieldError.invalid('a', 'x"y', 'odd'), 'Invalid value: "x\\"y": odd'],
    [fieldError.invalid('a', 11, 'odd'), 'Invalid value: 11: odd'],
    [fieldError.invalid('a', 9007199254740993n, 'odd'), 'Invalid value: 9007199254740993: odd'],
    [fieldError.invalid('a', 1.5, ''), 'Invalid value: 1.5'],
    [fieldError.invalid('a', true, 'odd'), 'Invalid value: true: odd'],
    [fieldError.invalid('a', null, 'odd'), 'Invalid value: null: odd'],
    [fieldError.invalid('a', { b: 1, a: ['x'] }, 'odd'), 'Invalid value: {"a":["x"],"b":1}: odd'],
    [fieldError.typeInvalid('a', 'x', 'not a number'), 'Invalid value: "x": not a number'],
    [fieldError.duplicate('a', { name: 'a' }), 'Duplicate value: {"name":"a"}'],
    [fieldError.notFound('a', 'x'), 'Not found: "x"'],
    [fieldError.notSupported('a', 'x', ['A', 'B"']), 'Unsupported value: "x": supported values: "A", "B\\""'],
    [fieldError.notSupported('a', 'x', []), 'Unsupported value: "x"'],
    [fieldError.tooLong('a', 5), 'Too long: may not be more than 5 bytes'],
    [fieldError.tooLong('a', 1), 'Too long: may not be more than 1 byte'],
    [fieldError.tooLong('a', -1), 'Too long: value is too long'],
    [fieldError.tooLongCharacters('a', 5), 'Too long: may not be more than 5 characters'],
    [fieldError.tooMany('a', 3, 2), 'Too many: 3: must have at most 2 items'],
    [fieldError.tooMany('a', 2, 1), 'Too many: 2: must have at most 1 item'],
    [fieldError.tooMany('a', -1, -1), 'Too many: has too many items'],
    [fieldError.internal('a', 'boom'), 'Internal error: boom'],
  ])('fieldErrorBody of case %#: $1', (error, text) => {
    expect(fieldErrorBody(error)).toBe(text)
    expect(fieldErrorText(error)).toBe(`a: ${text}`)
  })
})

test('fieldErrorsText puts several in brackets and says repeated ones once', () => {
  const a = fieldError.required('a')
  const b = fieldError.required(undefined, 'x')
  expect(fieldErrorsText([a])).toBe('a: Required value')
  expect(fieldErrorsText([a, a])).toBe('a: Required value')
  expect(fieldErrorsText([a, b, a])).toBe('[a: Required value, <nil>: Required value: x]')
})

test('fieldErrorToCause carries type, text and field', () => {
  expect(fieldErrorToCause(fieldError.invalid(fieldPath('spec', 'n'), 3, 'odd'))).toEqual({
    reason: 'FieldValueInvalid',
    message: 'Invalid value: 3: odd',
    field: 'spec.n',
  })
})

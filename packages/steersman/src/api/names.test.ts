import { describe, expect, test } from 'vitest'
import {
  generateName,
  randomNameSuffix,
  safeEncodeName,
  validateConfigMapKey,
  validateDns1035Label,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateEnvironmentVariableName,
  validateLabelValue,
  validateNamePrefix,
  validatePathSegmentName,
  validatePortName,
  validatePortNumber,
  validateQualifiedName,
} from './names.js'

// Expected values: k8s.io/apimachinery v0.37.2 pkg/util/validation, pkg/api/validate/content, and answers of kube-apiserver 1.37.2.
const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const labelRule =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const dns1035Rule =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
const keyRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const configKeyRule =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"

describe('validators', () => {
  test.each([
    [validateDns1123Subdomain, 'a.b-c.1', []],
    [validateDns1123Subdomain, 'C', [subdomainRule]],
    [validateDns1123Subdomain, '', [subdomainRule]],
    [validateDns1123Subdomain, 'a'.repeat(253), []],
    [validateDns1123Subdomain, 'a'.repeat(254), ['must be no more than 253 characters']],
    [validateDns1123Subdomain, 'a\n', [subdomainRule]],
    [validateDns1123Label, 'a-1', []],
    [validateDns1123Label, 'a.b', ['must not contain dots']],
    [validateDns1123Label, '-a', [labelRule]],
    [validateDns1123Label, 'A'.repeat(64), ['must be no more than 63 characters', labelRule]],
    [validateDns1035Label, '1a', [dns1035Rule]],
    [validateDns1035Label, 'a1', []],
    [validateQualifiedName, 'example.com/My_name.x', []],
    [validateQualifiedName, 'a b', [`name part ${keyRule}`]],
    [validateQualifiedName, '', ['name part must be non-empty', `name part ${keyRule}`]],
    [validateQualifiedName, '/a', ['prefix part must be non-empty']],
    [validateQualifiedName, 'A/a', [`prefix part ${subdomainRule}`]],
    [validateQualifiedName, `${'a'.repeat(254)}/a`, ['prefix part must be no more than 253 bytes']],
    [validateQualifiedName, 'a'.repeat(64), ['name part must be no more than 63 bytes']],
    [
      validateQualifiedName,
      'x/y/z',
      [`a valid label key ${keyRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
    ],
    [validateLabelValue, '', []],
    [validateLabelValue, 'x y', [valueRule]],
    [validateLabelValue, 'a'.repeat(64), ['must be no more than 63 bytes']],
    [validateLabelValue, 'é'.repeat(32), ['must be no more than 63 bytes', valueRule]],
    [validatePathSegmentName, 'system:node', []],
    [validatePathSegmentName, '.', ["may not be '.'"]],
    [validatePathSegmentName, '..', ["may not be '..'"]],
    [validatePathSegmentName, 'a/b%', ["may not contain '/'", "may not contain '%'"]],
    [validateConfigMapKey, 'a/b', [configKeyRule]],
    [validateConfigMapKey, '..', ["must not be '..'"]],
    [validateConfigMapKey, '..x', ["must not start with '..'"]],
    [validateEnvironmentVariableName, 'A_b.c-1', []],
    [validatePortName, 'http', []],
    [
      validatePortName,
      '-12--',
      ['must contain at least one letter (a-z)', 'must not contain consecutive hyphens', 'must not begin or end with a hyphen'],
    ],
  ])('%o says of %j: %j', (validate, value, problems) => {
    expect(validate(value)).toEqual(problems)
  })

  test('validateNamePrefix allows a dash at the end', () => {
    expect(validateNamePrefix('web-', validateDns1123Subdomain)).toEqual([])
    expect(validateNamePrefix('-', validateDns1123Subdomain)).toEqual([subdomainRule])
    expect(validateNamePrefix('Web-', validateDns1123Subdomain)).toEqual([subdomainRule])
  })

  test('validatePortNumber', () => {
    expect(validatePortNumber(0)).toEqual(['must be between 1 and 65535, inclusive'])
    expect(validatePortNumber(65535)).toEqual([])
  })
})

describe('generated names', () => {
  test('randomNameSuffix takes its characters from the given randomness', () => {
    expect(randomNameSuffix(() => 0)).toBe('bbbbb')
    expect(randomNameSuffix(() => 0.9999999999)).toBe('99999')
    expect(randomNameSuffix(() => 0, 10)).toHaveLength(10)
  })

  test('generateName cuts the base so that the name is a DNS label', () => {
    expect(generateName('web-', () => 0)).toBe('web-bbbbb')
    expect(generateName('a'.repeat(80), () => 0)).toBe(`${'a'.repeat(58)}bbbbb`)
  })

  test('safeEncodeName writes a digest as kube-controller-manager does', () => {
    // rand.SafeEncodeString of k8s.io/apimachinery v0.37.2.
    expect(safeEncodeName('1234567890')).toBe('56789bcdf4')
  })
})

import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, validateDns1035Label, validateDns1123Subdomain, validateQualifiedName } from 'steersman/api'
import type { ServerStorageVersion, StorageVersionCondition, StorageVersionStatus } from 'steersman/api/types/apiserverinternal/v1alpha1'
import { StorageVersion } from 'steersman/api/types/apiserverinternal/v1alpha1'
import { defineKind } from '../strategy.js'

const path = fieldPath('status')

/** Which versions servers write. Servers keep them; this one has no need to. */
export const storageVersionKind = defineKind(StorageVersion, {
  validateName: validateStorageVersionName,
  default(version) {
    version.spec ??= {}
  },
  validateUpdate: () => [],
  allowUnconditionalUpdate: false,
  status: { initial: () => ({}), ignoresMetadata: true, validateUpdate: ({ status }) => validateStatus(status) },
})

function validateStorageVersionName(name: string): readonly string[] {
  const dot = name.lastIndexOf('.')
  if (dot < 0) return ['name must be in the form of <group>.<resource>']
  return [
    ...validateDns1123Subdomain(name.slice(0, dot)).map((problem) => `the group segment ${problem}`),
    ...validateDns1035Label(name.slice(dot + 1)).map((problem) => `the resource segment ${problem}`),
  ]
}

function validateStatus({
  storageVersions = [],
  commonEncodingVersion,
  conditions = [],
}: Partial<StorageVersionStatus> = {}): FieldError[] {
  const at = path.child('storageVersions')
  const ids = storageVersions.map(({ apiServerID = '' }) => apiServerID)
  return [
    ...storageVersions.flatMap((version, index) => [
      ...(ids.indexOf(ids[index] ?? '') < index ? [fieldError.duplicate(at.index(index).child('apiServerID'), ids[index])] : []),
      ...validateServerVersion(version, at.index(index)),
    ]),
    ...validateCommonVersion(storageVersions, commonEncodingVersion),
    ...validateVersionConditions(conditions),
  ]
}

function validateServerVersion(version: ServerStorageVersion, at: FieldPath): FieldError[] {
  const { apiServerID: id = '', encodingVersion = '', decodableVersions = [], servedVersions = [] } = version
  const errors = validateDns1123Subdomain(id).map((detail) => fieldError.invalid(at.child('apiServerID'), id, detail))
  const checkVersion = (text: string, where: FieldPath) => {
    const problems = apiVersionProblems(text)
    if (problems.length > 0) errors.push(fieldError.invalid(where, text, problems.join(',')))
  }
  checkVersion(encodingVersion, at.child('encodingVersion'))
  for (const [index, decodable] of decodableVersions.entries()) checkVersion(decodable, at.child('decodableVersions').index(index))
  if (!decodableVersions.includes(encodingVersion)) {
    const detail = `decodableVersions must include encodingVersion ${encodingVersion}`
    errors.push(fieldError.invalid(at.child('decodableVersions'), version.decodableVersions ?? null, detail))
  }
  for (const [index, served] of servedVersions.entries()) {
    const where = at.child('servedVersions').index(index)
    checkVersion(served, where)
    if (decodableVersions.includes(served)) continue
    const detail = `individual served version : ${served} must be included in decodableVersions : [${decodableVersions.join(' ')}]`
    errors.push(fieldError.invalid(where, served, detail))
  }
  return errors
}

function validateCommonVersion(versions: readonly ServerStorageVersion[], said: string | undefined): FieldError[] {
  const at = path.child('commonEncodingVersion')
  const [first, ...others] = versions.map(({ encodingVersion = '' }) => encodingVersion)
  const common = others.every((version) => version === first) ? first : undefined
  if (common === said) return []
  if (common === undefined) {
    const detail =
      'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet'
    return [fieldError.invalid(at, said, detail)]
  }
  if (said === undefined) return [fieldError.invalid(at, null, `the common encoding version is ${common}`)]
  return [fieldError.invalid(at, said, `the actual common encoding version is ${common}`)]
}

function validateVersionConditions(conditions: readonly StorageVersionCondition[]): FieldError[] {
  const types = conditions.map(({ type = '' }) => type)
  return conditions.flatMap(({ type = '', status = '', reason, message }, index) => {
    // The list itself is not named.
    const at = path.index(index)
    const errors: FieldError[] = []
    const earlier = types.lastIndexOf(type, index - 1)
    if (index > 0 && earlier >= 0) {
      const detail = `the type of the condition is not unique, it also appears in conditions[${earlier}]`
      errors.push(fieldError.invalid(at.child('type'), type, detail))
    }
    errors.push(...validateQualifiedName(type).map((detail) => fieldError.invalid(at.child('type'), type, detail)))
    errors.push(...validateQualifiedName(status).map((detail) => fieldError.invalid(at.child('status'), status, detail)))
    if (!reason) errors.push(fieldError.required(at.child('reason')))
    if (!message) errors.push(fieldError.required(at.child('message')))
    return errors
  })
}

const wrongApiVersion =
  "an apiVersion is a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')"

function apiVersionProblems(text: string): readonly string[] {
  const parts = text.split('/')
  if (parts.length > 2) return [wrongApiVersion]
  const [version = '', group] = parts.reverse()
  const of = (part: string, problems: readonly string[]) => problems.map((problem) => `${part} part: ${problem}`)
  const groupProblems = group === '' ? ['must be non-empty'] : group === undefined ? [] : validateDns1123Subdomain(group)
  return [...of('group', groupProblems), ...of('version', version === '' ? ['must be non-empty'] : validateDns1035Label(version))]
}

import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, JsonSyntaxError, parseJson, validateConfigMapKey, validateDns1123Subdomain } from 'steersman/api'
import { Secret } from 'steersman/api/types/core/v1'
import { validateImmutable } from '../metadata.js'
import { dataBytes, maxDataBytes, validateImmutableData } from '../shared/data.js'
import { unsupportedField } from '../shared/fields.js'
import { defineKind } from '../strategy.js'

const dataPath = fieldPath('data')

/** Secrets. */
export const secretKind = defineKind(Secret, {
  validateName: validateDns1123Subdomain,
  default(secret) {
    secret.type ||= 'Opaque'
    if (secret.stringData === undefined) return
    const data: Record<string, string> = { ...secret.data }
    for (const [key, value] of Object.entries(secret.stringData)) data[key] = Buffer.from(value).toString('base64')
    delete secret.stringData
    if (Object.keys(data).length > 0) secret.data = data
  },
  prepareForUpdate(secret, old) {
    secret.type ||= old.type ?? 'Opaque'
  },
  warn: warnOfKeyPair,
  validate: validateSecret,
  validateUpdate: (secret, old) => [
    ...validateImmutable(secret.type, old.type, fieldPath('type')),
    ...validateImmutableData(secret, old, ['data']),
    ...validateSecret(secret),
  ],
  selectableFields: { type: ({ type }) => type },
  unknownField: unsupportedField,
})

/** Tells what a server could not load. Whether key and certificate belong together is not looked at. */
function warnOfKeyPair({ type, data = {} }: Secret, warn: (text: string) => void): void {
  if (type !== 'kubernetes.io/tls') return
  for (const [key, name] of [
    ['tls.crt', 'certificate'],
    ['tls.key', 'key'],
  ] as const) {
    if (data[key] === undefined || Buffer.from(data[key], 'base64').includes('-----BEGIN ')) continue
    warn(`tls: failed to find any PEM data in ${name} input`)
    return
  }
}

const accountAnnotation = 'kubernetes.io/service-account.name'

function validateSecret(secret: Secret): FieldError[] {
  const { data = {}, type } = secret
  const errors = Object.keys(data).flatMap((key) =>
    validateConfigMapKey(key).map((detail) => fieldError.invalid(dataPath.key(key), key, detail)),
  )
  if (dataBytes(data, true) > maxDataBytes) errors.push(fieldError.tooLong(dataPath, maxDataBytes))
  const missing = (...keys: readonly string[]) => keys.filter((key) => !Object.hasOwn(data, key))
  const require = (keys: readonly string[]) => errors.push(...keys.map((key) => fieldError.required(dataPath.key(key))))
  switch (type) {
    case 'kubernetes.io/service-account-token':
      if (!secret.metadata.annotations?.[accountAnnotation]) {
        errors.push(fieldError.required(fieldPath('metadata', 'annotations').key(accountAnnotation)))
      }
      break
    case 'kubernetes.io/dockercfg':
      errors.push(...validateJson(data, '.dockercfg'))
      break
    case 'kubernetes.io/dockerconfigjson':
      errors.push(...validateJson(data, '.dockerconfigjson'))
      break
    case 'kubernetes.io/basic-auth':
      if (missing('username', 'password').length === 2) require(['username', 'password'])
      break
    case 'kubernetes.io/ssh-auth':
      if (!data['ssh-privatekey']) require(['ssh-privatekey'])
      break
    case 'kubernetes.io/tls':
      require(missing('tls.crt', 'tls.key'))
      break
  }
  return errors
}

function validateJson(data: Readonly<Record<string, string>>, key: string): FieldError[] {
  const value = data[key]
  if (value === undefined) return [fieldError.required(dataPath.key(key))]
  try {
    parseJson(Buffer.from(value, 'base64'))
    return []
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    return [fieldError.invalid(dataPath.key(key), '<secret contents redacted>', error.message)]
  }
}

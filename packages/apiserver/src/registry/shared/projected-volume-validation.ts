import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import type {
  ClusterTrustBundleProjection,
  PodCertificateProjection,
  ProjectedVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from 'steersman/api/types/core/v1'
import { isKubernetesSigner, validateSignerName } from '../certificates/signer-name.js'
import { modeErrors, validateDownwardFile, validateKeys } from './file-items.js'
import { validateLabelSelector } from './label-selector.js'
import { subdomainErrors } from './name-errors.js'
import { filePathErrors } from './relative-path.js'

/** Tells of each path that is taken twice. `value`: what the refusal shows. */
type Take = (file: string, value?: string) => FieldError[]

/** What is wrong with a volume that gathers files from many places. */
export function validateProjected({ defaultMode, sources }: ProjectedVolumeSource, path: FieldPath): FieldError[] {
  const taken = new Set<string>()
  const take: Take = (file, value = file) => {
    if (taken.has(file)) return [fieldError.invalid(path, value, 'conflicting duplicate paths')]
    taken.add(file)
    return []
  }
  return [
    ...modeErrors(defaultMode, path.child('defaultMode')),
    ...(sources ?? []).flatMap((source, index) => validateProjection(source, take, path, path.child('sources').index(index))),
  ]
}

function validateProjection(source: VolumeProjection, take: Take, volumePath: FieldPath, path: FieldPath): FieldError[] {
  const { downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = source
  const errors: FieldError[] = []
  for (const field of ['secret', 'configMap'] as const) {
    const projection = source[field]
    if (projection === undefined) continue
    if (!projection.name) errors.push(fieldError.required(path.child(field, 'name')))
    for (const [index, item] of (projection.items ?? []).entries()) {
      // Errors come item by item: those of the item, then whether its path is taken.
      const itemErrors = validateKeys([item], path.child(field, 'items'))
      const from = String(path.child(field, 'items').index(0))
      const to = String(path.child(field, 'items').index(index))
      errors.push(...itemErrors.map((error) => ({ ...error, field: error.field.replace(from, to) })))
      if (item.path) errors.push(...take(item.path, projection.name ?? ''))
    }
  }
  for (const file of downwardAPI?.items ?? []) {
    errors.push(...validateDownwardFile(file, path.child('downwardAPI')), ...(file.path ? take(file.path) : []))
  }
  if (serviceAccountToken !== undefined) {
    errors.push(...validateToken(serviceAccountToken, volumePath, path.child('serviceAccountToken')))
  }
  if (clusterTrustBundle !== undefined) errors.push(...validateBundle(clusterTrustBundle, take, path.child('clusterTrustBundle')))
  if (podCertificate !== undefined) errors.push(...validateCertificate(podCertificate, take, path.child('podCertificate')))
  if (Object.values(source).filter((projection) => projection !== undefined).length > 1) {
    errors.push(fieldError.forbidden(path, 'may not specify more than 1 volume type per source'))
  }
  return errors
}

const leastTokenSeconds = 600

function validateToken(
  { expirationSeconds = 0, path: file = '' }: ServiceAccountTokenProjection,
  volumePath: FieldPath,
  path: FieldPath,
): FieldError[] {
  const at = path.child('expirationSeconds')
  const errors: FieldError[] = []
  if (expirationSeconds < leastTokenSeconds) {
    errors.push(fieldError.invalid(at, expirationSeconds, 'may not specify a duration less than 10 minutes'))
  }
  if (expirationSeconds > 2 ** 32)
    errors.push(fieldError.invalid(at, expirationSeconds, 'may not specify a duration larger than 2^32 seconds'))
  const fileAt = volumePath.child('path')
  return [...errors, ...(file === '' ? [fieldError.required(fileAt)] : filePathErrors(file, fileAt))]
}

function validateBundle(bundle: ClusterTrustBundleProjection, take: Take, path: FieldPath): FieldError[] {
  const { name, signerName, labelSelector, path: file = '' } = bundle
  const errors: FieldError[] = []
  if (name !== undefined && signerName !== undefined) {
    errors.push(fieldError.invalid(path, undefined, 'only one of name and signerName may be used'))
  } else if (name !== undefined) {
    errors.push(...validateBundleName(name, path.child('name')))
    if (labelSelector !== undefined) {
      errors.push(fieldError.invalid(path.child('labelSelector'), labelSelector, 'labelSelector must be unset if name is specified'))
    }
  } else if (signerName !== undefined) {
    const at = path.child('signerName')
    if (signerName === '') errors.push(fieldError.required(at, 'must be a valid signer name'))
    errors.push(...validateSignerName(signerName, at), ...validateLabelSelector(labelSelector ?? {}, path.child('labelSelector')))
  } else errors.push(fieldError.required(path, 'either name or signerName must be specified'))
  if (file === '') errors.push(fieldError.required(path.child('path')))
  return [...errors, ...filePathErrors(file, path.child('path')), ...take(file)]
}

/** The name of a bundle of a signer begins with the signer's. */
function validateBundleName(name: string, path: FieldPath): FieldError[] {
  const errors = name === '' ? [fieldError.required(path, 'must be a valid object name')] : []
  const own = name.slice(name.lastIndexOf(':') + 1)
  return [
    ...errors,
    ...subdomainErrors(own, path).map(({ detail }) => fieldError.invalid(path, name, `not a valid clustertrustbundlename: ${detail}`)),
  ]
}

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519']
const leastCertificateSeconds = 3600
const mostCertificateSeconds = 7_862_400
const mostKubernetesSeconds = 86_400

function validateCertificate(certificate: PodCertificateProjection, take: Take, path: FieldPath): FieldError[] {
  const { signerName = '', keyType, maxExpirationSeconds: most } = certificate
  const errors = validateSignerName(signerName, path.child('signerName'))
  if (!keyTypes.includes(keyType ?? '')) errors.push(fieldError.notSupported(path.child('keyType'), keyType ?? '', keyTypes))
  const at = path.child('maxExpirationSeconds')
  const limit = isKubernetesSigner(signerName) ? mostKubernetesSeconds : mostCertificateSeconds
  if (most !== undefined && most < leastCertificateSeconds) {
    errors.push(fieldError.invalid(at, most, `if provided, maxExpirationSeconds must be >= ${leastCertificateSeconds}`))
  }
  if (most !== undefined && most > limit) errors.push(fieldError.invalid(at, most, `if provided, maxExpirationSeconds must be <= ${limit}`))
  const files = (['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const).filter((field) => certificate[field])
  for (const field of files) {
    const file = certificate[field] ?? ''
    errors.push(...filePathErrors(file, path.child(field)), ...take(file))
  }
  if (files.length === 0) {
    errors.push(fieldError.required(path, 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath'))
  }
  return errors
}

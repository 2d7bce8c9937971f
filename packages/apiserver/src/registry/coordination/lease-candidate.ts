import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, validateConfigMapKey, validateQualifiedName } from 'steersman/api'
import type { LeaseCandidateSpec } from 'steersman/api/types/coordination/v1beta1'
import { LeaseCandidate } from 'steersman/api/types/coordination/v1beta1'
import { validateImmutable } from '../metadata.js'
import { defineKind } from '../strategy.js'
import { compareSemanticVersions, parseSemanticVersion } from './semantic-version.js'

const path = fieldPath('spec')
const oldest = 'OldestEmulationVersion'

/** Candidates for leases whose holder the server elects. They are kept, and nobody is elected. */
export const leaseCandidateKind = defineKind(LeaseCandidate, {
  validateName: validateConfigMapKey,
  validate: ({ spec }) => validateSpec(spec),
  validateUpdate: ({ spec }, old) => [
    ...validateSpec(spec),
    ...validateImmutable(spec?.leaseName, old.spec?.leaseName, path.child('leaseName')),
  ],
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
})

function validateSpec(spec: Partial<LeaseCandidateSpec> = {}): FieldError[] {
  const { leaseName = '', emulationVersion = '', binaryVersion = '', strategy = '' } = spec
  const errors: FieldError[] = []
  const notAVersion = 'must be a valid semantic version'
  if (leaseName === '') errors.push(fieldError.required(path.child('leaseName')))
  const emulated = parseSemanticVersion(emulationVersion)
  const binary = parseSemanticVersion(binaryVersion)
  if (emulationVersion !== '' && emulated === undefined) {
    errors.push(fieldError.invalid(path.child('emulationVersion'), emulationVersion, notAVersion))
  }
  if (binaryVersion === '') errors.push(fieldError.required(path.child('binaryVersion')))
  else if (binary === undefined) errors.push(fieldError.invalid(path.child('binaryVersion'), binaryVersion, notAVersion))
  // What cannot be read counts as the oldest version of all.
  if (binaryVersion !== '' && emulationVersion !== '' && compareSemanticVersions(binary, emulated) < 0) {
    errors.push(fieldError.invalid(path.child('binaryVersion'), binaryVersion, 'must be greater than or equal to `emulationVersion`'))
  }
  if (strategy === '') return [...errors, fieldError.required(path.child('strategy'))]
  if (strategy === oldest && compareSemanticVersions(emulated, undefined) === 0) {
    const detail = `must be specified when \`strategy\` is '${oldest}'`
    errors.push(fieldError.required(path.child('emulationVersion'), detail))
  }
  return [...errors, ...validateStrategy(strategy)]
}

function validateStrategy(strategy: string): FieldError[] {
  // The name of the field occurs twice.
  const at = path.child('strategy', 'strategy')
  if (!strategy.includes('/')) return strategy === oldest ? [] : [fieldError.notSupported(at, strategy, [oldest])]
  return validateQualifiedName(strategy).map((detail) => fieldError.invalid(at, strategy, detail))
}

import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain, validateQualifiedName } from 'steersman/api'
import type { TopologySelectorTerm } from 'steersman/api/types/core/v1'
import { StorageClass } from 'steersman/api/types/storage/v1'
import { deepEqual } from 'steersman/internal'
import { validateChoice } from '../shared/choice.js'
import { validateDeclaredImmutable } from '../shared/declared.js'
import { deprecatedNodeLabel } from '../shared/node-labels.js'
import { defineKind } from '../strategy.js'
import { provisionerErrors, validateParameters } from './parameters.js'

const provisionerPath = fieldPath('provisioner')
const topologiesPath = fieldPath('allowedTopologies')
const immutableFields = ['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode'] as const

/** Storage classes. */
export const storageClassKind = defineKind(StorageClass, {
  validateName: validateDns1123Subdomain,
  default(storageClass) {
    storageClass.reclaimPolicy ??= 'Delete'
    storageClass.volumeBindingMode ??= 'Immediate'
  },
  validate: validateStorageClass,
  validateUpdate: (storageClass, old) => [
    ...validateStorageClass(storageClass),
    ...immutableFields.flatMap((field) => validateDeclaredImmutable(storageClass[field], old[field], fieldPath(field))),
  ],
  warn({ allowedTopologies = [] }, warn) {
    for (const [index, { matchLabelExpressions = [] }] of allowedTopologies.entries()) {
      for (const [position, { key }] of matchLabelExpressions.entries()) {
        const text = deprecatedNodeLabel(key)
        if (text !== undefined) warn(`allowedTopologies[${index}].matchLabelExpressions[${position}].key: ${text}`)
      }
    }
  },
  deletion: { returnsObject: true },
})

function validateStorageClass({
  provisioner,
  parameters,
  reclaimPolicy,
  volumeBindingMode,
  allowedTopologies,
}: StorageClass): FieldError[] {
  return [
    ...provisionerErrors(provisioner, provisionerPath),
    ...validateParameters(parameters, fieldPath('parameters')),
    ...validateChoice(reclaimPolicy || undefined, ['Delete', 'Retain'], fieldPath('reclaimPolicy')),
    ...validateChoice(volumeBindingMode, ['Immediate', 'WaitForFirstConsumer'], fieldPath('volumeBindingMode')),
    ...validateTopologies(allowedTopologies ?? []),
    // Declared, and so found after all else.
    ...(provisioner ? [] : [fieldError.required(provisionerPath)]),
  ]
}

type Topology = Readonly<Record<string, readonly string[]>>

function validateTopologies(terms: readonly TopologySelectorTerm[]): FieldError[] {
  // Upstream compares with as many empty topologies as there are terms.
  const seen: Topology[] = terms.map(() => ({}))
  return terms.flatMap((term, index) => {
    const path = topologiesPath.index(index).child('matchLabelExpressions')
    const { topology, errors } = readTerm(term, path)
    const repeats = seen.filter((other) => deepEqual(other, topology))
    seen.push(topology)
    return [...errors, ...repeats.map(() => fieldError.duplicate(path, ''))]
  })
}

function readTerm({ matchLabelExpressions = [] }: TopologySelectorTerm, path: FieldPath): { topology: Topology; errors: FieldError[] } {
  const topology: Record<string, readonly string[]> = {}
  const errors = matchLabelExpressions.flatMap(({ key = '', values = [] }, index) => {
    const at = path.index(index)
    const found = values.length === 0 ? [fieldError.required(at.child('values'))] : []
    for (const [position, value] of values.entries()) {
      if (values.indexOf(value) < position) found.push(fieldError.duplicate(at.child('values').index(position), value))
    }
    found.push(...validateQualifiedName(key).map((detail) => fieldError.invalid(at.child('key'), key, detail)))
    if (Object.hasOwn(topology, key)) found.push(fieldError.duplicate(at.child('key'), key))
    topology[key] = [...new Set(values)].sort()
    return found
  })
  return { topology, errors }
}

import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain, validateQualifiedName } from 'steersman/api'
import type { CSINodeDriver } from 'steersman/api/types/storage/v1'
import { CSINode } from 'steersman/api/types/storage/v1'
import { immutableMessage } from '../metadata.js'
import { driverNameErrors } from '../shared/driver-name.js'
import { validateNonNegative } from '../shared/number-errors.js'
import { isSameValue } from '../shared/same-value.js'
import { withStructValue } from '../shared/struct-value.js'
import { defineKind } from '../strategy.js'

const driversPath = fieldPath('spec', 'drivers')
const maxNodeIdCharacters = 256

/** What CSI drivers know of a node. */
export const csiNodeKind = defineKind(CSINode, {
  validateName: validateDns1123Subdomain,
  allowUnconditionalUpdate: false,
  default({ spec }) {
    // The real server stores an empty list as none.
    if (spec?.drivers?.length === 0) delete (spec as { drivers?: unknown }).drivers
  },
  validate: ({ spec }) => validateDrivers(spec?.drivers ?? []),
  validateUpdate: ({ spec }, { spec: old }) => [
    ...validateDrivers(spec?.drivers ?? []),
    ...(old?.drivers ?? []).flatMap((before) => validateKept(spec?.drivers ?? [], before)),
  ],
  status: {
    ignoresMetadata: true,
    prepareForUpdate(node) {
      // What drivers say of their health is an alpha feature.
      delete node.status
    },
  },
  deletion: { returnsObject: true },
})

function validateDrivers(drivers: readonly CSINodeDriver[]): FieldError[] {
  const names = new Set<string>()
  return drivers.flatMap((driver, index) => {
    const path = driversPath.index(index)
    const { name = '', nodeID = '', allocatable } = driver
    const errors = driverNameErrors(name, path.child('name'))
    if (nodeID === '') errors.push(fieldError.required(path.child('nodeID')))
    if (nodeID.length > maxNodeIdCharacters) {
      errors.push(fieldError.invalid(path.child('nodeID'), nodeID, `must be ${maxNodeIdCharacters} characters or less`))
    }
    errors.push(...validateNonNegative(allocatable?.count, path.child('allocatable', 'count')))
    if (names.has(name)) errors.push(fieldError.duplicate(path.child('name'), name))
    names.add(name)
    return [...errors, ...validateTopologyKeys(driver.topologyKeys ?? [], path)]
  })
}

function validateTopologyKeys(keys: readonly string[], path: FieldPath): FieldError[] {
  return keys.flatMap((key, index) => [
    ...(key === '' ? [fieldError.required(path)] : []),
    ...(keys.indexOf(key) < index ? [fieldError.duplicate(path, key)] : []),
    ...validateQualifiedName(key).map((detail) => fieldError.invalid(path, key, detail)),
  ])
}

/** Of a driver that stays only the limits change. */
function validateKept(drivers: readonly CSINodeDriver[], old: CSINodeDriver): FieldError[] {
  const comparable = ({ name, nodeID, topologyKeys }: CSINodeDriver) => ({ name, nodeID, topologyKeys: topologyKeys ?? null })
  return drivers
    .filter((driver) => driver.name === old.name && !isSameValue(comparable(driver), comparable(old)))
    .map(({ name, nodeID, topologyKeys }) =>
      withStructValue(fieldError.invalid(driversPath, undefined, immutableMessage), {
        Name: name,
        NodeID: nodeID,
        TopologyKeys: topologyKeys ?? null,
        Allocatable: null,
      }),
    )
}

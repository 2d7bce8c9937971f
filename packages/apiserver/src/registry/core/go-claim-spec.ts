import { compareCodePoints } from 'steersman/api'
import type { PersistentVolumeClaimSpec, TypedObjectReference } from 'steersman/api/types/core/v1'
import { goLabelSelector } from '../shared/go-selectors.js'

type Amounts = Readonly<Record<string, string>> | null

/** The spec of a claim as Go shows it in refusals: its own names, in its own order, nothing left out. */
export interface GoClaimSpec {
  readonly AccessModes: readonly string[] | null
  readonly Selector: object | null
  readonly Resources: { Limits: Amounts; Requests: Amounts }
  readonly VolumeName: string
  StorageClassName: string | null
  readonly VolumeMode: string | null
  readonly DataSource: object | null
  readonly DataSourceRef: object | null
  VolumeAttributesClassName: string | null
}

/** How Go shows the spec of a claim. */
export function goClaimSpec(spec: PersistentVolumeClaimSpec): GoClaimSpec {
  const { selector, resources, dataSource, dataSourceRef } = spec
  return {
    AccessModes: spec.accessModes ?? null,
    Selector: selector === undefined ? null : goLabelSelector(selector),
    Resources: { Limits: sorted(resources?.limits), Requests: sorted(resources?.requests) },
    VolumeName: spec.volumeName ?? '',
    StorageClassName: spec.storageClassName ?? null,
    VolumeMode: spec.volumeMode ?? null,
    DataSource: dataSource === undefined ? null : source(dataSource as TypedObjectReference),
    DataSourceRef: dataSourceRef === undefined ? null : { ...source(dataSourceRef), Namespace: dataSourceRef.namespace ?? null },
    VolumeAttributesClassName: spec.volumeAttributesClassName ?? null,
  }
}

function sorted(amounts: Readonly<Record<string, string>> | undefined): Amounts {
  if (amounts === undefined) return null
  return Object.fromEntries(Object.entries(amounts).sort(([a], [b]) => compareCodePoints(a, b)))
}

function source({ apiGroup, kind, name }: TypedObjectReference): object {
  return { APIGroup: apiGroup ?? null, Kind: kind ?? '', Name: name ?? '' }
}

/**
 * CustomResourceDefinitions (`apiextensions.k8s.io/v1`) from defined resources.
 */

import { deepEqual } from '../internal/index.js'
import type { DefinedResourceType, ResourceDefinition } from './define-resource.js'
import type { InputOf } from './resource-type.js'
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from './types/apiextensions/v1.js'

/**
 * The CustomResourceDefinition of a kind; more descriptors are its other versions, in the order in which they are given.
 *
 * @throws TypeError when the versions are not of one kind or disagree on its names, when not exactly one of several says
 *   `storage: true`, or when a schema cannot be structural.
 *
 * @example `await client.create(CustomResourceDefinition, customResourceDefinition(Widget))`
 */
export function customResourceDefinition(
  type: AnyDefinedResourceType,
  ...otherVersions: readonly AnyDefinedResourceType[]
): InputOf<typeof CustomResourceDefinition> {
  const types = [type, ...otherVersions]
  for (const other of otherVersions) refuseOtherKind(type, other)
  const storage = storageVersion(types)
  const { group, plural, singular, kind, listKind, shortNames, categories, scope } = type
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        plural,
        singular,
        kind,
        listKind,
        ...(shortNames.length > 0 ? { shortNames } : {}),
        ...(categories.length > 0 ? { categories } : {}),
      },
      scope,
      versions: types.map(({ version, definition }) => versionOf(version, definition, version === storage)),
    },
  }
}

/** Any descriptor that `defineResource` made. */
// biome-ignore lint/suspicious/noExplicitAny: a descriptor of unknown types must accept every descriptor, whatever the variance of its parameters.
export type AnyDefinedResourceType = DefinedResourceType<any, any, any>

function refuseOtherKind(first: AnyDefinedResourceType, other: AnyDefinedResourceType): void {
  for (const fact of ['group', 'kind', 'plural', 'singular', 'listKind', 'scope', 'shortNames', 'categories'] as const) {
    if (!deepEqual(first[fact], other[fact])) {
      const values = `${JSON.stringify(first[fact])} and ${JSON.stringify(other[fact])}`
      throw new TypeError(
        `Cannot build the CustomResourceDefinition of ${first.kind}: versions ${first.version} and ${other.version} differ in ${fact}: ${values}`,
      )
    }
  }
}

function storageVersion(types: readonly AnyDefinedResourceType[]): string {
  const [first] = types
  const names = types.map(({ version }) => version)
  if (new Set(names).size < names.length) {
    throw new TypeError(`Cannot build the CustomResourceDefinition of ${first?.kind}: a version occurs twice: ${names.join(', ')}`)
  }
  const stored = types.length === 1 ? types : types.filter(({ definition }) => definition.storage === true)
  if (stored.length !== 1 || stored[0]?.definition.storage === false) {
    const found = `${stored.length === 1 ? 0 : stored.length} of ${names.join(', ')}`
    throw new TypeError(
      `Cannot build the CustomResourceDefinition of ${first?.kind}: exactly one version must have storage: true, and ${found} have`,
    )
  }
  return stored[0]?.version ?? ''
}

function versionOf(name: string, definition: ResourceDefinition, storage: boolean): CustomResourceDefinitionVersion {
  const { deprecated, hasStatusSubresource, printerColumns, scale, selectableFields, served } = definition
  return {
    name,
    served,
    storage,
    ...(deprecated === false ? {} : { deprecated: true }),
    ...(typeof deprecated === 'string' ? { deprecationWarning: deprecated } : {}),
    schema: { openAPIV3Schema: definition.schema() },
    ...(hasStatusSubresource || scale !== undefined
      ? { subresources: { ...(hasStatusSubresource ? { status: {} } : {}), ...(scale === undefined ? {} : { scale }) } }
      : {}),
    ...(printerColumns.length > 0 ? { additionalPrinterColumns: printerColumns } : {}),
    ...(selectableFields.length > 0 ? { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) } : {}),
  }
}

import type { AnyResourceType } from 'steersman/api'
import type { CrdVersion, CustomResourceDefinitionObject, PrinterColumn } from './crd-types.js'
import type { StructuralSchema } from './structural-schema.js'

/**
 * Fills in what the real server defaults in a CustomResourceDefinition: singular and list kind from the kind, no conversion, port 443 of a
 * conversion service, and the storage version as stored version. Returns the same reference when nothing changed.
 */
export function crdDefaults(crd: CustomResourceDefinitionObject): CustomResourceDefinitionObject {
  const spec = crd.spec ?? {}
  const names = spec.names ?? {}
  const kind = names.kind ?? ''
  const changedNames = { ...names }
  if ((names.singular ?? '') === '' && kind !== '') Object.assign(changedNames, { singular: kind.toLowerCase() })
  if ((names.listKind ?? '') === '' && kind !== '') Object.assign(changedNames, { listKind: `${kind}List` })
  const hasNames = names.singular === changedNames.singular && names.listKind === changedNames.listKind
  const service = spec.conversion?.webhook?.clientConfig?.service
  const needsPort = service !== undefined && service.port === undefined
  const storage = spec.versions?.find((version) => version.storage === true)?.name
  const needsStored = (crd.status?.storedVersions?.length ?? 0) === 0 && storage !== undefined
  if (hasNames && spec.conversion !== undefined && !needsPort && !needsStored) return crd
  const conversion = needsPort ? withPort(spec.conversion) : (spec.conversion ?? { strategy: 'None' })
  const defaulted = { ...crd, spec: { ...spec, names: changedNames, conversion } }
  return needsStored && storage !== undefined ? { ...defaulted, status: { ...crd.status, storedVersions: [storage] } } : defaulted
}

type Conversion = NonNullable<NonNullable<CustomResourceDefinitionObject['spec']>['conversion']>

function withPort(conversion: Conversion | undefined): Conversion {
  const { webhook } = conversion ?? {}
  return {
    ...conversion,
    webhook: { ...webhook, clientConfig: { ...webhook?.clientConfig, service: { ...webhook?.clientConfig?.service, port: 443 } } },
  }
}

/** A resource that a CustomResourceDefinition adds, in one of its served versions. */
export interface CustomResource {
  readonly type: AnyResourceType
  readonly isStorageVersion: boolean
  readonly hasStatus: boolean
  /** Paths of the scale subresource, such as `.spec.replicas`. */
  readonly scale?: { readonly specReplicasPath: string; readonly statusReplicasPath: string; readonly labelSelectorPath?: string }
  /** The schema as it was written. */
  readonly schema: StructuralSchema
  readonly printerColumns: readonly PrinterColumn[]
  readonly selectableFields: readonly string[]
  readonly isDeprecated: boolean
  /** The text of the warning that every use of a deprecated version gets. */
  readonly deprecationWarning?: string
}

/** The resources of a valid CustomResourceDefinition, one per served version, in the order of the versions. */
export function customResourcesOf(crd: CustomResourceDefinitionObject): readonly CustomResource[] {
  return (crd.spec?.versions ?? []).filter((version) => version.served === true).map((version) => customResource(crd, version))
}

function customResource(crd: CustomResourceDefinitionObject, version: CrdVersion): CustomResource {
  const { spec = {} } = crd
  const { names = {}, group = '' } = spec
  const kind = names.kind ?? ''
  const name = version.name ?? ''
  const { scale } = version.subresources ?? {}
  return {
    type: {
      group,
      version: name,
      kind,
      plural: names.plural ?? '',
      singular: names.singular ?? kind.toLowerCase(),
      listKind: names.listKind ?? `${kind}List`,
      shortNames: names.shortNames ?? [],
      categories: names.categories ?? [],
      scope: spec.scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    },
    isStorageVersion: version.storage === true,
    hasStatus: version.subresources?.status !== undefined,
    ...(scale === undefined
      ? {}
      : {
          scale: {
            specReplicasPath: scale.specReplicasPath ?? '',
            statusReplicasPath: scale.statusReplicasPath ?? '',
            ...(scale.labelSelectorPath === undefined ? {} : { labelSelectorPath: scale.labelSelectorPath }),
          },
        }),
    schema: (version.schema?.openAPIV3Schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }) as StructuralSchema,
    printerColumns: version.additionalPrinterColumns ?? [],
    selectableFields: (version.selectableFields ?? []).map((field) => field.jsonPath ?? ''),
    isDeprecated: version.deprecated === true,
    ...(version.deprecated === true ? { deprecationWarning: version.deprecationWarning ?? `${group}/${name} ${kind} is deprecated` } : {}),
  }
}

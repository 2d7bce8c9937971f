import type { KubernetesObject } from 'steersman/api'
import type { StructuralSchema } from './structural-schema.js'

/** A schema as a client may send it: with keywords that a structural schema must not have. */
export interface RawSchema
  extends Omit<StructuralSchema, 'items' | 'properties' | 'additionalProperties' | 'allOf' | 'anyOf' | 'oneOf' | 'not'> {
  readonly id?: string
  readonly $schema?: string
  readonly items?: RawSchema | readonly RawSchema[]
  readonly properties?: Readonly<Record<string, RawSchema>>
  readonly additionalProperties?: boolean | RawSchema
  readonly additionalItems?: boolean | RawSchema
  readonly patternProperties?: Readonly<Record<string, RawSchema>>
  readonly definitions?: Readonly<Record<string, RawSchema>>
  readonly dependencies?: Readonly<Record<string, RawSchema | readonly string[]>>
  readonly allOf?: readonly RawSchema[]
  readonly anyOf?: readonly RawSchema[]
  readonly oneOf?: readonly RawSchema[]
  readonly not?: RawSchema
}

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  /** 0: always shown; more: only with `-o wide`. */
  readonly priority?: number
  readonly jsonPath?: string
}

/** Subresources that a version of a custom resource has. */
export interface CrdSubresources {
  readonly status?: Readonly<Record<string, never>>
  readonly scale?: { readonly specReplicasPath?: string; readonly statusReplicasPath?: string; readonly labelSelectorPath?: string }
}

/** One version of a custom resource. */
export interface CrdVersion {
  readonly name?: string
  readonly served?: boolean
  readonly storage?: boolean
  readonly deprecated?: boolean
  readonly deprecationWarning?: string
  readonly schema?: { readonly openAPIV3Schema?: RawSchema }
  readonly subresources?: CrdSubresources
  readonly additionalPrinterColumns?: readonly PrinterColumn[]
  readonly selectableFields?: readonly { readonly jsonPath?: string }[]
}

/** The names of a custom resource. */
export interface CrdNames {
  readonly plural?: string
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly kind?: string
  readonly listKind?: string
  readonly categories?: readonly string[]
}

/** How objects are converted between versions. */
export interface CrdConversion {
  readonly strategy?: string
  readonly webhook?: {
    readonly clientConfig?: {
      readonly url?: string
      readonly service?: { readonly namespace?: string; readonly name?: string; readonly path?: string; readonly port?: number }
      readonly caBundle?: string
    }
    readonly conversionReviewVersions?: readonly string[]
  }
}

/** A CustomResourceDefinition (`apiextensions.k8s.io/v1`) as it arrives: any field may be missing. */
export interface CustomResourceDefinitionObject extends KubernetesObject {
  readonly spec?: {
    readonly group?: string
    readonly scope?: string
    readonly names?: CrdNames
    readonly versions?: readonly CrdVersion[]
    readonly conversion?: CrdConversion
    readonly preserveUnknownFields?: boolean
  }
  readonly status?: {
    readonly conditions?: readonly { readonly type?: string; readonly status?: string }[]
    readonly acceptedNames?: CrdNames
    readonly storedVersions?: readonly string[]
  }
}

/** The single schema of the items of a list; undefined when there is none or, wrongly, a list of them. */
export function itemSchema(schema: RawSchema): RawSchema | undefined {
  return Array.isArray(schema.items) ? undefined : (schema.items as RawSchema | undefined)
}

/** The schema of additional properties; undefined when they are only allowed or forbidden. */
export function additionalSchema(schema: RawSchema): RawSchema | undefined {
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
}

/** The members of a map, sorted by key. */
export function sortedEntries<Value>(map: Readonly<Record<string, Value>> | undefined): readonly (readonly [string, Value])[] {
  return Object.entries(map ?? {}).sort(([left], [right]) => (left < right ? -1 : 1))
}

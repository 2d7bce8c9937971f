import type { KubernetesObject, ObjectMeta, StoredObjectMeta } from './meta.js'

/** Whether the objects of a resource live in namespaces. */
export type ResourceScope = 'Namespaced' | 'Cluster'

/**
 * A resource descriptor: one value that carries the facts of a resource and the TypeScript types of its objects.
 *
 * Nothing else is needed to read or write a resource, so no scheme must be filled first.
 *
 * @typeParam Resource what a read returns. @typeParam Input what create accepts. @typeParam Apply a partial object.
 */
export interface ResourceType<
  Resource extends KubernetesObject = KubernetesObject,
  Input = InputFor<Resource>,
  Apply = ApplyFor<Resource>,
> {
  /** API group; empty for the core group. */
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly listKind: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly scope: ResourceScope
  /** Present in types only; never at run time. */
  readonly '~types'?: { readonly resource: Resource; readonly input: Input; readonly apply: Apply }
}

/** Any resource descriptor. */
// biome-ignore lint/suspicious/noExplicitAny: a descriptor of unknown types must accept every descriptor, whatever the variance of its parameters.
export type AnyResourceType = ResourceType<any, any, any>

/** The object that a read of `Type` returns: `ResourceOf<typeof Deployment>`. */
export type ResourceOf<Type extends AnyResourceType> = NonNullable<Type['~types']>['resource']
/** The object that a create of `Type` accepts: what the server fills in is optional. */
export type InputOf<Type extends AnyResourceType> = NonNullable<Type['~types']>['input']
/** A partial object of `Type`, for apply. */
export type ApplyOf<Type extends AnyResourceType> = NonNullable<Type['~types']>['apply']

/** What create accepts for a resource whose fields have no further input shape. */
export type InputFor<Resource> = Omit<Resource, 'apiVersion' | 'kind' | 'metadata' | 'status'> & {
  readonly apiVersion?: Resource extends { readonly apiVersion?: infer Version } ? Version : string
  readonly kind?: Resource extends { readonly kind?: infer Kind } ? Kind : string
  readonly metadata: ObjectMeta
} & (Resource extends { readonly status?: infer Status } ? { readonly status?: Status } : unknown)

/** A partial object: every field optional at every depth, arrays whole. */
export type ApplyFor<Resource> = DeepPartial<Omit<Resource, 'metadata'>> & { readonly metadata: ObjectMeta }

/** Every field optional at every depth; the items of arrays too. */
export type DeepPartial<T> = T extends Primitive
  ? T
  : T extends readonly (infer Item)[]
    ? readonly DeepPartial<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: DeepPartial<T[Key]> }
      : T

/** A mutable copy of a read-only object type, at every depth. */
export type Draft<T> = T extends Primitive
  ? T
  : T extends readonly (infer Item)[]
    ? Draft<Item>[]
    : T extends object
      ? { -readonly [Key in keyof T]: Draft<T[Key]> }
      : T

/** Comes first in the conditional types above: the open end of a union of strings, `string & {}`, counts as an object otherwise. */
type Primitive = string | number | boolean | bigint | symbol | null | undefined

/** An object type whose metadata is as a server returns it. */
export type Stored<T extends KubernetesObject> = Omit<T, 'metadata'> & { readonly metadata: StoredObjectMeta }

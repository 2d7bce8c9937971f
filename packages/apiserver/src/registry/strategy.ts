import type { AnyResourceType, Draft, FieldError, KubernetesObject, NameValidator, ResourceType, UnstructuredObject } from 'steersman/api'
import type { UserInfo } from '../contracts/index.js'

/** What a strategy may need beside the object. */
export interface StrategyContext {
  /** RFC 3339, seconds, UTC. */
  readonly now: string
  readonly uuid: () => string
  /** A number in [0, 1). */
  readonly random: () => number
  /** Adds a `Warning` header to the answer. */
  readonly warn: (text: string) => void
  /** Who writes. */
  readonly user: UserInfo
}

/**
 * What makes one kind different from another. All functions are pure: they change the draft that they are given and nothing else.
 *
 * Metadata that every object has is the store's business. A draft is a private copy; an `old` object is frozen.
 */
export interface Strategy<Resource extends KubernetesObject = UnstructuredObject> {
  readonly validateName: NameValidator
  /** Whether a finalizer may be a bare word: without a word about it, only on an update (budgets), or with a warning (custom resources). @default false */
  readonly allowBareFinalizers?: boolean | 'on an update' | 'with a warning'
  /** Whether metadata of a new object is only looked at when nothing else is wrong (budgets). @default false */
  readonly checksMetadataLast?: boolean
  /** The group that refusals name, when it is not that of the resource (events). */
  readonly errorGroup?: string
  /** Fills in what the client left out. Runs again after admission, so it must be idempotent. May return another draft to go on with; `undefined`: the given one. */
  default?(object: Draft<Resource>): Draft<Resource> | undefined
  /** Leaves out fields of features that the server does not have. Runs first of what a write does to an object. */
  dropDisabledFields?(object: Draft<Resource>): void
  /** Sets and clears fields that are not the client's to decide. */
  prepareForCreate?(object: Draft<Resource>, context: StrategyContext): void
  prepareForUpdate?(object: Draft<Resource>, old: Resource, context: StrategyContext): void
  /** Everything wrong with the object beside its metadata. */
  validate?(object: Resource): readonly FieldError[]
  /** Everything wrong with the object as a successor of `old`; includes what {@link validate} finds. @default what validate finds */
  validateUpdate?(object: Resource, old: Resource): readonly FieldError[]
  /** Says what is right but hardly meant, of an object that was found to be valid. `old`: on an update. */
  warn?(object: Resource, warn: (text: string) => void, old?: Resource): void
  /** Present: the kind has `metadata.generation`, which grows with each update for which this returns true. */
  changesGeneration?(object: Resource, old: Resource): boolean
  /** Whether PUT creates the object when it does not exist. @default false */
  readonly allowCreateOnUpdate?: boolean
  /** Whether PUT may leave the resource version out. @default true */
  readonly allowUnconditionalUpdate?: boolean
  /** The fields that a field selector knows beside metadata.name and metadata.namespace. */
  readonly selectableFields?: Readonly<Record<string, (object: Resource) => string | undefined>>
  /** Whether a kind with selectable fields of its own knows metadata.namespace. @default whether objects have one */
  readonly selectsByNamespace?: boolean
  /** The answer to a field selector that the kind does not know. @default that of kinds without selectable fields */
  unknownField?(field: string): string
  /** Present: the kind has a status subresource; writes of the object then ignore the status. */
  readonly status?: StatusStrategy<Resource>
  /** How the kind is deleted. */
  readonly deletion?: DeletionStrategy<Resource>
}

/** How the status subresource of a kind behaves. */
export interface StatusStrategy<Resource extends KubernetesObject = UnstructuredObject> {
  /** The status of a new object. @default none */
  initial?(object: Resource): Resource extends { readonly status?: infer Status } ? Status : unknown
  /** Whether a create may bring a status (nodes). @default false */
  readonly acceptedOnCreate?: boolean
  /** Whether a write of the status ignores all metadata (custom resources) instead of taking labels, annotations and finalizers. @default false */
  readonly ignoresMetadata?: boolean
  /** The object's other fields are already those of `old`. */
  prepareForUpdate?(object: Draft<Resource>, old: Resource, context: StrategyContext): void
  /** Everything wrong with the status. @default nothing */
  validateUpdate?(object: Resource, old: Resource): readonly FieldError[]
  /** Says what is right but hardly meant, of a status that was found to be valid. */
  warn?(object: Resource, warn: (text: string) => void): void
}

/** How objects of a kind are deleted. */
export interface DeletionStrategy<Resource extends KubernetesObject = UnstructuredObject> {
  /** Why an object of this name is never deleted, whether or not it is there; `undefined`: it may be. */
  refuse?(name: string): string | undefined
  /** Whether the answer to a delete is the object and not a Status. @default false */
  readonly returnsObject?: boolean
  /** Whether what the object owns stays when a delete says nothing about it: so it was before there were policies. @default false */
  readonly orphansByDefault?: boolean
  /** Whether nothing can be owned by an object, so that policies about what it owns mean nothing (events). @default false */
  readonly ignoresPolicies?: boolean
  /** What a client is told whose delete says nothing about what the object owns. */
  readonly warningWithoutPolicy?: string
  /** Seconds between the request and the end, for kinds that somebody must stop first; `undefined`: none, delete at once. */
  graceSeconds?(object: Resource, requested: number | undefined): number | undefined
  /** Changes the object when its deletion begins (the phase of a namespace). */
  begin?(object: Draft<Resource>, context: StrategyContext): void
  /** Whether the beginning of a deletion shows in its time alone, and neither in the generation nor in a grace period. @default false */
  readonly marksTimeOnly?: boolean
  /** Whether something beside metadata.finalizers keeps the object (spec.finalizers of a namespace). */
  isHeld?(object: Resource): boolean
}

/** A kind and how it behaves, ready to be served. The types of the strategy are erased: use {@link defineKind}. */
export interface ResourceKind {
  readonly type: AnyResourceType
  readonly strategy: Strategy
}

/** Pairs a descriptor with its strategy. The schema decoded the objects, so the strategy may trust their types. */
export function defineKind<Resource extends KubernetesObject>(type: ResourceType<Resource>, strategy: Strategy<Resource>): ResourceKind {
  return { type, strategy: strategy as unknown as Strategy }
}

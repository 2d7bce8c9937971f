import type { UnstructuredObject } from 'steersman/api'
import { deepCopy } from 'steersman/internal'
import type { BuiltinKind } from './builtin-kind.js'
import { remembered } from './conversion.js'
import type { ObjectDraft } from './store-context.js'
import type { StatusStrategy, Strategy } from './strategy.js'

/** How the objects of one version become those of another and back, apart from their apiVersion. Pure. */
export interface ShapeConversion {
  /** From the shape of the stored version. */
  readonly toServed: (stored: UnstructuredObject) => UnstructuredObject
  /** To the shape of the stored version. */
  readonly toStored: (served: UnstructuredObject) => UnstructuredObject
}

const sameShape: ShapeConversion = { toServed: (object) => object, toStored: (object) => object }

/** What differs between a version of a kind and the one that is stored. */
export interface OtherVersionOptions {
  /** The releases of Kubernetes from which the version is deprecated, and in which it is gone. @default not deprecated */
  readonly deprecated?: readonly [since: string, until: string]
  /** Whether the warning names the stored version as the one to use. @default false */
  readonly isReplaced?: boolean
  readonly strategy?: Partial<Strategy>
  /** Needed when the two versions have different fields. @default only apiVersion differs */
  readonly shape?: ShapeConversion
}

/** Another version of a kind: objects are stored once, in the version of `stored`, and both versions show them. */
export function otherVersion(stored: BuiltinKind, version: string, options: OtherVersionOptions): BuiltinKind {
  const { type, strategy } = stored.kind
  const { shape = sameShape } = options
  const storedVersion = `${type.group}/${type.version}`
  const servedVersion = `${type.group}/${version}`
  const { deprecated, isReplaced = false } = options
  const advice = isReplaced ? `; use ${storedVersion} ${type.kind}` : ''
  const warning =
    deprecated && `${servedVersion} ${type.kind} is deprecated in ${deprecated[0]}+, unavailable in ${deprecated[1]}+${advice}`
  const rules = shape === sameShape ? strategy : inStoredShape(strategy, shape)
  return {
    ...stored,
    kind: { type: { ...type, version }, strategy: { ...rules, ...options.strategy } },
    ...(warning === undefined ? {} : { deprecationWarning: warning }),
    viewOf: {
      group: type.group,
      plural: type.plural,
      toServed: remembered((object) => ({ ...shape.toServed(object), apiVersion: servedVersion })),
      toStored: (object) => ({ ...shape.toStored(object), apiVersion: storedVersion }),
    },
  }
}

/** A strategy whose rules are those of the stored version, for objects in the shape of another. Refusals name the fields of the stored version. */
function inStoredShape(strategy: Strategy, { toServed, toStored }: ShapeConversion): Strategy {
  const { selectableFields = {}, status } = strategy
  /** Lets a rule change a draft, or make another of it. */
  const change = (draft: ObjectDraft, rule: (stored: ObjectDraft) => ObjectDraft | undefined): void => {
    const stored = deepCopy(toStored(draft as UnstructuredObject)) as ObjectDraft
    const served = toServed((rule(stored) ?? stored) as UnstructuredObject)
    for (const field of Object.keys(draft)) if (!Object.hasOwn(served, field)) delete draft[field]
    Object.assign(draft, served)
  }
  const prepare = (draft: ObjectDraft, rule: (stored: ObjectDraft) => void): void =>
    change(draft, (stored) => {
      rule(stored)
      return stored
    })
  return {
    ...strategy,
    default(draft) {
      change(draft, (stored) => strategy.default?.(stored))
      return undefined
    },
    dropDisabledFields: (draft) => prepare(draft, (stored) => strategy.dropDisabledFields?.(stored)),
    prepareForCreate: (draft, context) => prepare(draft, (stored) => strategy.prepareForCreate?.(stored, context)),
    prepareForUpdate: (draft, old, context) => prepare(draft, (stored) => strategy.prepareForUpdate?.(stored, toStored(old), context)),
    validate: (object) => strategy.validate?.(toStored(object)) ?? [],
    validateUpdate: (object, old) => (strategy.validateUpdate ?? strategy.validate)?.(toStored(object), toStored(old)) ?? [],
    warn: (object, warn, old) => strategy.warn?.(toStored(object), warn, old && toStored(old)),
    ...(strategy.changesGeneration === undefined
      ? {}
      : { changesGeneration: (object, old) => strategy.changesGeneration?.(toStored(object), toStored(old)) === true }),
    selectableFields: Object.fromEntries(
      Object.entries(selectableFields).map(([field, read]) => [field, (object: UnstructuredObject) => read(toStored(object))]),
    ),
    ...(status === undefined ? {} : { status: statusInStoredShape(status, toStored, prepare) }),
  }
}

function statusInStoredShape(
  status: StatusStrategy,
  toStored: ShapeConversion['toStored'],
  prepare: (draft: ObjectDraft, rule: (stored: ObjectDraft) => void) => void,
): StatusStrategy {
  return {
    ...status,
    initial: (object) => status.initial?.(toStored(object)),
    prepareForUpdate: (draft, old, context) => prepare(draft, (stored) => status.prepareForUpdate?.(stored, toStored(old), context)),
    validateUpdate: (object, old) => status.validateUpdate?.(toStored(object), toStored(old)) ?? [],
    warn: (object, warn) => status.warn?.(toStored(object), warn),
  }
}

import type { UnstructuredObject } from 'steersman/api'
import { deepCopy } from 'steersman/internal'
import type { BuiltinKind } from './builtin-kind.js'
import type { Conversion } from './conversion.js'
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

/**
 * Another version of a kind: objects are stored once, in the version of `kind`, and both versions show them.
 *
 * @param shape needed when the two versions have different fields. @default only apiVersion differs
 */
export function otherVersion(
  kind: BuiltinKind,
  version: string,
  more: Partial<Strategy> = {},
  shape: ShapeConversion = sameShape,
): BuiltinKind {
  const { type } = kind.kind
  const stored = `${type.group}/${type.version}`
  const served = `${type.group}/${version}`
  const toServed: Conversion = remembered((object) => ({ ...shape.toServed(object), apiVersion: served }))
  const toStored: Conversion = (object) => ({ ...shape.toStored(object), apiVersion: stored })
  const strategy = shape === sameShape ? kind.kind.strategy : inStoredShape(kind.kind.strategy, shape)
  return {
    ...kind,
    kind: { type: { ...type, version }, strategy: { ...strategy, ...more } },
    viewOf: { group: type.group, plural: type.plural, toServed, toStored },
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
  }
}

/**
 * Door `steersman/zod`: zod 4 schemas for what Kubernetes has and JSON Schema has not.
 *
 * Needs zod ^4, an optional peer dependency; nothing else of steersman imports it. Each helper returns an ordinary zod
 * schema (or metadata for one) that `defineResource` turns into the structural schema of a CustomResourceDefinition.
 * Deliberately not here: the conversion, which lives in `steersman/api` and needs no zod.
 */
import * as z from 'zod'
import type { ValidationRule } from './api/index.js'

/**
 * The conditions of a status: `meta/v1` Condition, a list map by `type`. Values fit `setCondition` and `findCondition`.
 *
 * @example `status: z.object({ conditions: conditions() })`
 */
export function conditions() {
  return listMap(conditionSchema(), 'type').optional()
}

/** One condition (`meta/v1`), with upstream's limits. */
export function conditionSchema() {
  return z.object({
    type: z
      .string()
      .max(316)
      .regex(/^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/),
    status: z.enum(['True', 'False', 'Unknown']),
    observedGeneration: z.int().min(0).optional(),
    lastTransitionTime: z.iso.datetime({ offset: true }),
    reason: z
      .string()
      .min(1)
      .max(1024)
      .regex(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/),
    message: z.string().max(32768),
  })
}

/** An integer or a string, such as a port by number or name, a count or a percentage. */
export function intOrString() {
  return z.union([z.int(), z.string()])
}

const quantityPattern = /^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$/

/** A quantity, such as `500m` or `1Gi`, or a whole number. */
export function quantity() {
  return z.union([z.int(), z.string().regex(quantityPattern)])
}

/**
 * A list whose items are told apart by the values of `keys`: apply merges it item by item, and no two items may have the
 * same keys. The keys must be required or have a default.
 */
export function listMap<Item extends z.ZodObject>(
  item: Item,
  ...keys: readonly [keyof Item['shape'] & string, ...(keyof Item['shape'] & string)[]]
) {
  return z.array(item).meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys })
}

/** A list without repeated items: apply merges it as a set. Items are strings, numbers, booleans or atomic objects. */
export function listSet<Item extends z.ZodType>(item: Item) {
  return z.array(item).meta({ 'x-kubernetes-list-type': 'set' })
}

/**
 * Metadata with CEL rules that the API server enforces; several calls replace each other, so give all rules at once.
 *
 * @example `z.object({ min: z.int(), max: z.int() }).meta(cel({ rule: 'self.min <= self.max', message: 'min must not exceed max' }))`
 */
export function cel(...rules: readonly ValidationRule[]) {
  return { 'x-kubernetes-validations': rules }
}

import type { AnyResourceType, DeepPartial, Draft, InputOf, ObjectKey, ResourceOf } from '../api/index.js'
import { ignoreNotFound, structuredCopy } from '../api/index.js'
import type { Client } from '../client/index.js'
import { deepEqual } from '../internal/index.js'

/** What {@link createOrUpdate} did, and the object as it is now. */
export interface CreateOrUpdateResult<Resource> {
  readonly operation: 'created' | 'updated' | 'unchanged'
  readonly object: Resource
}

/**
 * Creates the object, or changes it to what `mutate` makes of a copy of it. Nothing is written when that is what it is already.
 *
 * The draft of a new object has only its name and namespace. Set what you mean and leave the rest: a field that you drop and the server had filled
 * in counts as a change, each time; {@link mergeDesired} sets only what is given. Status is not written.
 *
 * @throws {StatusError} Conflict when the object changed meanwhile, AlreadyExists when it was created meanwhile: let the reconcile retry.
 * @throws {TypeError} when `mutate` changes name or namespace.
 */
export async function createOrUpdate<Type extends AnyResourceType>(
  client: Client,
  type: Type,
  key: ObjectKey,
  mutate: (draft: Draft<ResourceOf<Type>>) => void | Promise<void>,
): Promise<CreateOrUpdateResult<ResourceOf<Type>>> {
  const current = (await client.get(type, key).catch(ignoreNotFound)) as ResourceOf<Type> | undefined
  if (current === undefined) {
    const draft = {
      metadata: { name: key.name, ...(key.namespace === undefined || key.namespace === '' ? {} : { namespace: key.namespace }) },
    }
    await applyMutation(key, draft as unknown as Draft<ResourceOf<Type>>, mutate)
    return { operation: 'created', object: await client.create(type, draft as unknown as InputOf<Type>) }
  }
  const draft = structuredCopy(current) as Draft<ResourceOf<Type>>
  await applyMutation(key, draft, mutate)
  if (deepEqual(draft, current)) return { operation: 'unchanged', object: current }
  return { operation: 'updated', object: await client.update(type, draft as unknown as InputOf<Type>) }
}

async function applyMutation<T>(key: ObjectKey, draft: T, mutate: (draft: T) => void | Promise<void>): Promise<void> {
  await mutate(draft)
  const { name, namespace } = (draft as { metadata: { name?: string; namespace?: string } }).metadata
  if (name !== key.name || (namespace ?? '') !== (key.namespace ?? '')) {
    throw new TypeError(`Cannot create or update ${key.namespace ?? ''}/${key.name}: the mutation renamed it to ${namespace ?? ''}/${name}`)
  }
}

/**
 * Sets in `draft` every field that `desired` gives and leaves all others, at every depth. Items of lists are matched by their `name` if all have one and by
 * position otherwise; items that are not desired are removed. A field given as `undefined` is left alone.
 *
 * @param desired an `ApplyOf` or `InputOf` of the resource.
 * @example
 * await createOrUpdate(client, Deployment, key, (draft) => mergeDesired(draft, desiredDeployment(widget)))
 */
export function mergeDesired<T extends object>(draft: T, desired: DeepPartial<NoInfer<T>>): void {
  for (const [field, value] of Object.entries(desired)) {
    if (value === undefined) continue
    const target = draft as Record<string, unknown>
    target[field] = merged(target[field], value)
  }
}

function merged(current: unknown, desired: unknown): unknown {
  if (Array.isArray(desired)) return mergedList(Array.isArray(current) ? current : [], desired)
  if (!isObject(desired)) return desired
  const base = isObject(current) ? current : {}
  mergeDesired(base, desired)
  return base
}

function mergedList(current: readonly unknown[], desired: readonly unknown[]): unknown[] {
  const nameOf = (item: unknown): unknown => (isObject(item) ? item.name : undefined)
  const areNamed = [...current, ...desired].every((item) => typeof nameOf(item) === 'string')
  return desired.map((item, index) => merged(areNamed ? current.find((other) => nameOf(other) === nameOf(item)) : current[index], item))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

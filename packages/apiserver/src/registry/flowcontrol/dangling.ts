import type { Draft, UnstructuredObject } from 'steersman/api'
import { goQuote } from 'steersman/api'
import type { FlowSchemaCondition } from 'steersman/api/types/flowcontrol/v1'
import { FlowSchema, PriorityLevelConfiguration } from 'steersman/api/types/flowcontrol/v1'
import { deepCopy } from 'steersman/internal'
import type { CommittedWrite, ObjectDraft, StoreContext } from '../store-context.js'
import { resourcePrefix, timestamp } from '../store-context.js'
import { systemWrite } from '../system-write.js'
import { updateObject } from '../update.js'
import type { UpdateRules } from '../update-rules.js'

const statusRules: UpdateRules = { subresource: 'status', allowCreate: false, prepare: () => {}, validate: () => [] }
const levelPrefix = resourcePrefix(PriorityLevelConfiguration.group, PriorityLevelConfiguration.plural)

/** Says in the status of each flow schema whether its priority level is there, as the real server's filter of requests does. */
export class DanglingSchemas {
  readonly #schemas: () => StoreContext

  /** `schemas`: the store of flow schemas. */
  constructor(schemas: () => StoreContext) {
    this.#schemas = schemas
  }

  /** Follows a write of a flow schema or of a priority level. Resolves when the statuses that it concerns are right. */
  async follow({ type, object }: CommittedWrite): Promise<void> {
    if (object.kind === FlowSchema.kind) {
      if (type !== 'delete') await this.#settle(object)
      return
    }
    if (type === 'update') return
    const { items } = await this.#schemas().storage.list(this.#schemas().prefix)
    for (const schema of items) if (levelOf(schema) === object.metadata.name) await this.#settle(schema)
  }

  async #settle(schema: UnstructuredObject): Promise<void> {
    const store = this.#schemas()
    const level = levelOf(schema)
    const isThere = (await store.storage.get(levelPrefix + level)) !== undefined
    const now = timestamp(store.environment.now())
    if (withDangling(conditionsOf(schema), level, isThere, now) === undefined) return
    const transform = (current: UnstructuredObject | undefined) => {
      const draft = deepCopy(current) as ObjectDraft
      const conditions = withDangling(conditionsOf(draft as UnstructuredObject), level, isThere, now)
      if (conditions !== undefined) draft.status = { ...(draft.status as object | undefined), conditions }
      return draft as UnstructuredObject
    }
    await updateObject(store, statusRules, { name: schema.metadata.name ?? '' }, transform, systemWrite)
  }
}

/** The conditions with what is to say about the level; `undefined`: it is said already. */
function withDangling(
  conditions: readonly FlowSchemaCondition[],
  level: string,
  isThere: boolean,
  now: string,
): readonly FlowSchemaCondition[] | undefined {
  const what = `This FlowSchema references the PriorityLevelConfiguration object named ${goQuote(level)}`
  const wanted = isThere
    ? { status: 'False', reason: 'Found', message: `${what} and it exists` }
    : { status: 'True', reason: 'NotFound', message: `${what} but there is no such object` }
  const index = conditions.findIndex(({ type }) => type === 'Dangling')
  const old = conditions[index]
  if (old?.status === wanted.status && old.reason === wanted.reason && old.message === wanted.message) return undefined
  const condition: FlowSchemaCondition = { type: 'Dangling', lastTransitionTime: now, ...wanted }
  return old === undefined ? [...conditions, condition] : conditions.with(index, condition)
}

function levelOf(schema: UnstructuredObject): string {
  return (schema as unknown as FlowSchema).spec.priorityLevelConfiguration.name
}

function conditionsOf(schema: Draft<UnstructuredObject> | UnstructuredObject): readonly FlowSchemaCondition[] {
  return (schema as unknown as FlowSchema).status?.conditions ?? []
}

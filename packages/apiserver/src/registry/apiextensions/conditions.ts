import type { CustomResourceDefinition, CustomResourceDefinitionCondition } from 'steersman/api/types/apiextensions/v1'

/** Conditions with one of them set; its time is kept while its status stays. */
export function withCondition(
  conditions: readonly CustomResourceDefinitionCondition[],
  condition: Omit<CustomResourceDefinitionCondition, 'lastTransitionTime'>,
  now: string,
): CustomResourceDefinitionCondition[] {
  const before = conditions.find(({ type }) => type === condition.type)
  const lastTransitionTime = before?.status === condition.status ? (before.lastTransitionTime ?? now) : now
  const { type, status, ...rest } = condition
  const next = { type, status, lastTransitionTime, ...rest }
  return before === undefined ? [...conditions, next] : conditions.map((other) => (other === before ? next : other))
}

/** Whether a definition has a condition with status True. */
export function hasCondition(definition: CustomResourceDefinition, type: string): boolean {
  return definition.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false
}

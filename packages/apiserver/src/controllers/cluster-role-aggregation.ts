import type { ControllerHost } from 'steersman'
import { controllerManagedBy } from 'steersman'
import { compareCodePoints, compileLabelSelector } from 'steersman/api'
import { ClusterRole, type PolicyRule } from 'steersman/api/types/rbac/v1'
import { deepEqual } from 'steersman/internal'
import { retryingOutdated } from './outdated.js'

/** The one thing that is reconciled: all roles together, as any of them may be gathered by any other. */
const allRoles = { name: 'all', namespace: '', cluster: '' }

/** Gives each ClusterRole with an aggregation rule the rules of the roles that it selects. */
export function addClusterRoleAggregation(manager: ControllerHost): void {
  controllerManagedBy(manager)
    .named('clusterrole-aggregation-controller')
    .watches(ClusterRole, (_event, enqueue) => enqueue(allRoles))
    .complete(
      retryingOutdated(async (_request, { client }) => {
        const roles = [...(await client.list(ClusterRole)).items].sort((left, right) =>
          compareCodePoints(left.metadata.name, right.metadata.name),
        )
        for (const role of roles) {
          const rules = gatheredRules(role, roles)
          if (rules === undefined || deepEqual(rules, role.rules ?? [])) continue
          await client.update(ClusterRole, { ...role, rules })
        }
      }),
    )
}

/** The rules that a role should have; `undefined` for one that gathers none. */
function gatheredRules({ aggregationRule, metadata }: ClusterRole, roles: readonly ClusterRole[]): readonly PolicyRule[] | undefined {
  if (!aggregationRule) return undefined
  const gathered: PolicyRule[] = []
  for (const selector of (aggregationRule.clusterRoleSelectors ?? []).map(compileLabelSelector)) {
    for (const role of roles) {
      if (role.metadata.name === metadata.name || !selector.matches(role.metadata.labels)) continue
      for (const rule of role.rules ?? []) if (!gathered.some((known) => deepEqual(known, rule))) gathered.push(rule)
    }
  }
  return gathered
}

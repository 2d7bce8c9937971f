import type { Authorizer, RequestInfo, ResolvedRules, RuleResolver, UserInfo } from '../../contracts/index.js'
import { mastersGroup } from '../authorizers.js'
import { ruleAllows } from './policy-rules.js'
import type { RoleIndex } from './role-index.js'

/** Who may do what by roles and bindings. Members of `system:masters` may do everything without any. */
export class RbacAuthorizer implements Authorizer, RuleResolver {
  readonly #index: RoleIndex

  constructor(index: RoleIndex) {
    this.#index = index
  }

  async authorize(user: UserInfo, request: RequestInfo): Promise<{ readonly allowed: boolean; readonly reason?: string }> {
    if (user.groups.includes(mastersGroup)) return { allowed: true }
    const grants = await this.#index.grants(user, request.namespace)
    const granting = grants.find(({ rules }) => rules.some((rule) => ruleAllows(rule, request)))
    if (granting !== undefined) return { allowed: true, reason: `RBAC: allowed by ${granting.source}` }
    const errors = [...new Set(grants.flatMap(({ error }) => (error === undefined ? [] : [error])))]
    return errors.length === 0 ? { allowed: false } : { allowed: false, reason: `rbac: RBAC: ${aggregate(errors)}` }
  }

  async rulesFor(user: UserInfo, namespace: string): Promise<ResolvedRules> {
    const grants = await this.#index.grants(user, namespace)
    return {
      rules: grants.flatMap(({ rules }) => rules),
      errors: grants.flatMap(({ error }) => (error === undefined ? [] : [error])),
    }
  }
}

/** Several errors as one text. */
function aggregate(errors: readonly string[]): string {
  return errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`
}

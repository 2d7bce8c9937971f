import type { JsonObject, ScenarioBuilder } from '../language/index.js'
import { clusterRoleBindings, clusterRoles, configMaps, defineArea, named, roleBindings, roles, secrets, table } from '../language/index.js'

const apiGroup = 'rbac.authorization.k8s.io'
const readPods: JsonObject = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }
const roleNamed = (kind: string, name: string): JsonObject => ({ apiGroup, kind, name })

/** Gives somebody who acts as `joe` rules in the scenario's namespace. */
function giveJoe(s: ScenarioBuilder, rules: readonly JsonObject[]): { readonly headers: Readonly<Record<string, string>> } {
  const user = s.unique('joe')
  const read = { apiGroups: [apiGroup], resources: ['roles'], resourceNames: ['of-joe'], verbs: ['get'] }
  s.create(roles, { ...named('of-joe'), rules: [...rules, read] }, { isQuiet: true })
  const subjects = [{ kind: 'User', name: user }]
  s.create(roleBindings, { ...named('of-joe'), roleRef: roleNamed('Role', 'of-joe'), subjects }, { isQuiet: true })
  const headers = { 'impersonate-user': user }
  s.getUntil(roles, 'of-joe', { status: 200 }, { headers, isQuiet: true })
  return { headers }
}

const writeRoles: JsonObject = { apiGroups: [apiGroup], resources: ['roles', 'rolebindings'], verbs: ['create', 'update', 'patch'] }

/** Roles, bindings, and who may give what to whom. */
export const kindsRbac = defineArea('kinds rbac', (scenario) => {
  scenario('a role', (s) => {
    s.create(roles, named('least'))
    s.create(roles, {
      ...named('full', { labels: { a: 'b' } }),
      rules: [readPods, { apiGroups: ['apps', '*'], resources: ['*', 'deployments/scale'], resourceNames: ['web'], verbs: ['*'] }],
    })
    s.update(roles, { ...named('full'), rules: [] })
    s.patch(roles, 'full', 'strategic', { rules: [readPods] })
    s.patch(roles, 'full', 'json', [{ op: 'add', path: '/rules/0/resourceNames', value: [] }])
    s.get(roles, 'full', table)
    s.list(roles)
    s.update(roles, { ...named('put'), rules: [readPods] })
    s.delete(roles, 'full')
  })

  scenario('a role that is wrong', (s) => {
    s.create(roles, {
      metadata: { name: 'a/b' },
      rules: [
        {},
        { verbs: ['get'] },
        { verbs: ['get'], nonResourceURLs: ['/metrics'] },
        { verbs: ['get'], nonResourceURLs: ['/metrics'], apiGroups: [''], resources: ['pods'] },
        { verbs: [], apiGroups: [''], resources: [] },
      ],
    })
    s.create(roles, { ...named('a%b'), rules: [readPods] })
    s.create(roles, { ...named('..'), rules: [readPods] })
    s.create(roles, { ...named('System:With.Colon'), rules: [{ ...readPods, extra: 1 }] })
    s.create(roles, { ...named('a'), rules: [readPods] }, { isQuiet: true })
    s.update(roles, { ...named('a'), rules: [{ verbs: [] }] })
  })

  scenario('a cluster role', (s) => {
    const name = s.unique('role')
    s.create(clusterRoles, {
      ...named(name),
      rules: [readPods, { nonResourceURLs: ['/healthz', '/logs/*'], verbs: ['get'] }],
      aggregationRule: {
        clusterRoleSelectors: [{ matchLabels: { some: 'label' } }, { matchExpressions: [{ key: 'a', operator: 'Exists' }] }],
      },
    })
    s.get(clusterRoles, name, table)
    s.patch(clusterRoles, name, 'merge', { aggregationRule: null, rules: null })
    s.update(clusterRoles, { ...named(s.unique('put')) })
    s.delete(clusterRoles, name)
  })

  scenario('a cluster role that is wrong', (s) => {
    s.create(clusterRoles, {
      ...named(s.unique('role')),
      rules: [{ verbs: ['get'], nonResourceURLs: ['/metrics'], resources: ['pods'] }, {}],
      aggregationRule: { clusterRoleSelectors: [] },
    })
    s.create(clusterRoles, {
      ...named(s.unique('role')),
      aggregationRule: {
        clusterRoleSelectors: [
          { matchLabels: { 'a b': 'c' } },
          { matchExpressions: [{ key: 'a', operator: 'Resembles' }] },
          { matchExpressions: [{ key: 'a', operator: 'In' }] },
        ],
      },
    })
  })

  scenario('a role binding', (s) => {
    s.create(roleBindings, { ...named('least'), roleRef: { kind: 'Role', name: 'absent' } })
    s.create(roleBindings, {
      ...named('full'),
      roleRef: roleNamed('ClusterRole', 'view'),
      subjects: [
        { kind: 'User', name: 'ann' },
        { kind: 'User', name: 'bob', apiGroup },
        { kind: 'Group', name: 'devs' },
        { kind: 'ServiceAccount', name: 'robot' },
        { kind: 'ServiceAccount', name: 'robot', namespace: 'elsewhere', apiGroup: '' },
      ],
    })
    s.get(roleBindings, 'full', table)
    s.patch(roleBindings, 'full', 'merge', { roleRef: { name: 'edit' } })
    s.patch(roleBindings, 'full', 'merge', { roleRef: { kind: 'Role', apiGroup: '', name: '' } })
    s.patch(roleBindings, 'full', 'merge', { subjects: [] })
    s.update(roleBindings, { ...named('full'), roleRef: { kind: 'ClusterRole', name: 'view' }, subjects: [{ kind: 'Group', name: 'ops' }] })
    s.update(roleBindings, { ...named('put'), roleRef: { kind: 'ClusterRole', name: 'view' } })
    s.delete(roleBindings, 'full')
  })

  scenario('a role binding that is wrong', (s) => {
    s.create(roleBindings, named('a'))
    s.create(roleBindings, {
      ...named('a'),
      roleRef: { apiGroup: 'apps', kind: 'Group', name: 'a/b' },
      subjects: [
        {},
        { kind: 'User', name: 'ann', apiGroup: 'v1' },
        { kind: 'Group', apiGroup: 'v1' },
        { kind: 'ServiceAccount', name: 'No Name', apiGroup },
        { kind: 'Robot', name: 'r2' },
      ],
    })
    s.create(roleBindings, { ...named('b'), roleRef: { kind: 'ClusterRole', name: 'view' } }, { isQuiet: true })
    s.update(roleBindings, { ...named('b'), roleRef: { kind: 'ClusterRole', name: '' }, subjects: [{ kind: 'User' }] })
  })

  scenario('a cluster role binding', (s) => {
    const name = s.unique('binding')
    const roleRef = roleNamed('ClusterRole', 'absent')
    s.create(clusterRoleBindings, {
      ...named(name),
      roleRef,
      subjects: [
        { kind: 'User', name: s.unique('ann') },
        { kind: 'ServiceAccount', name: 'robot', namespace: s.namespace },
      ],
    })
    s.get(clusterRoleBindings, name, table)
    s.create(clusterRoleBindings, {
      ...named(s.unique('wrong')),
      roleRef: { kind: 'Role', name: 'absent' },
      subjects: [{ kind: 'ServiceAccount', name: 'robot' }],
    })
    s.update(clusterRoleBindings, { ...named(name), roleRef: roleNamed('ClusterRole', 'other') })
    s.update(clusterRoleBindings, { ...named(name), roleRef })
    s.delete(clusterRoleBindings, name)
  })

  scenario('roles that a new cluster has', (s) => {
    const query = { labelSelector: 'kubernetes.io/bootstrapping=rbac-defaults', includeObject: 'None' }
    s.list(clusterRoles, { ...table, query })
    s.list(roles, { ...table, query, namespace: 'kube-system' })
    s.list(roles, { ...table, query, namespace: 'kube-public' })
  })

  for (const name of ['cluster-admin', 'system:discovery', 'view', 'system:aggregate-to-view', 'system:controller:deployment-controller']) {
    scenario(`the cluster role ${name}`, (s) => {
      s.get(clusterRoles, name)
    })
  }

  scenario('the role of the token cleaner', (s) => {
    s.get(roles, 'system:controller:token-cleaner', { namespace: 'kube-system' })
  })

  scenario('bindings that a new cluster has', (s) => {
    const query = { labelSelector: 'kubernetes.io/bootstrapping=rbac-defaults', includeObject: 'None' }
    s.list(clusterRoleBindings, { ...table, query })
    s.list(roleBindings, { ...table, query, namespace: 'kube-system' })
  })

  scenario('the binding for those who nobody knows', (s) => {
    s.get(clusterRoleBindings, 'system:public-info-viewer')
  })

  scenario('a role that gives more than its writer has', (s) => {
    const joe = giveJoe(s, [writeRoles, readPods, { apiGroups: ['apps'], resources: ['*/scale'], resourceNames: ['web'], verbs: ['*'] }])
    s.create(roles, { ...named('held'), rules: [readPods] }, joe)
    s.create(roles, { ...named('b'), rules: [{ ...readPods, resources: ['pods', 'secrets'], verbs: ['get', 'delete', 'list'] }] }, joe)
    s.create(
      roles,
      {
        ...named('b'),
        rules: [{ apiGroups: ['apps'], resources: ['deployments/scale'], resourceNames: ['web', 'other'], verbs: ['get'] }],
      },
      joe,
    )
    s.create(roles, { ...named('b'), rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get', 'post'] }] }, joe)
    s.create(roles, { ...named('b'), rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }, {}] }, joe)
    s.update(roles, { ...named('held'), rules: [{ ...readPods, verbs: ['watch'] }] }, joe)
    s.patch(roles, 'held', 'merge', { metadata: { finalizers: ['example.com/a'] } }, joe)
    s.patch(roles, 'held', 'merge', { metadata: { labels: { a: 'b' }, finalizers: null } }, joe)
  })

  scenario('a role by who may escalate', (s) => {
    const joe = giveJoe(s, [writeRoles, { apiGroups: [apiGroup], resources: ['roles'], verbs: ['escalate'] }])
    s.create(roles, { ...named('a'), rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }, joe)
    s.update(roles, { ...named('a'), rules: [readPods] }, joe)
  })

  scenario('a binding that gives more than its writer has', (s) => {
    const joe = giveJoe(s, [writeRoles, readPods])
    const subjects = [{ kind: 'User', name: 'somebody' }]
    s.create(roles, { ...named('small'), rules: [readPods] }, { isQuiet: true })
    s.create(roles, { ...named('big'), rules: [{ ...readPods, verbs: ['create'] }] }, { isQuiet: true })
    s.create(roleBindings, { ...named('a'), roleRef: roleNamed('Role', 'small'), subjects }, joe)
    s.create(roleBindings, { ...named('b'), roleRef: roleNamed('Role', 'big'), subjects }, joe)
    s.create(roleBindings, { ...named('b'), roleRef: roleNamed('Role', 'absent'), subjects }, joe)
    s.create(roleBindings, { ...named('b'), roleRef: roleNamed('ClusterRole', 'absent'), subjects }, joe)
    s.create(roleBindings, { ...named('b'), roleRef: roleNamed('Robot', 'absent'), subjects }, joe)
    s.create(roleBindings, { ...named('b'), roleRef: roleNamed('ClusterRole', 'system:basic-user'), subjects }, joe)
    s.patch(roleBindings, 'a', 'merge', { subjects: [] }, joe)
  })

  scenario('a binding by who may bind', (s) => {
    const bind = { apiGroups: [apiGroup], resources: ['clusterroles'], resourceNames: ['edit'], verbs: ['bind'] }
    const joe = giveJoe(s, [writeRoles, bind])
    s.create(roleBindings, { ...named('a'), roleRef: roleNamed('ClusterRole', 'edit') }, joe)
    s.create(roleBindings, { ...named('b'), roleRef: roleNamed('ClusterRole', 'system:node') }, joe)
  })

  scenario('a cluster role by who may not use aggregation', (s) => {
    const user = s.unique('joe')
    const role = s.unique('writer')
    const headers = { 'impersonate-user': user }
    s.create(
      clusterRoles,
      { ...named(role), rules: [{ apiGroups: [apiGroup], resources: ['clusterroles', 'clusterrolebindings'], verbs: ['create', 'get'] }] },
      { isQuiet: true },
    )
    s.create(
      clusterRoleBindings,
      { ...named(role), roleRef: roleNamed('ClusterRole', role), subjects: [{ kind: 'User', name: user }] },
      { isQuiet: true },
    )
    s.getUntil(clusterRoles, role, { status: 200 }, { headers, isQuiet: true })
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] }
    s.create(clusterRoles, { ...named(s.unique('a')), aggregationRule }, { headers })
    s.create(clusterRoleBindings, { ...named(s.unique('a')), roleRef: roleNamed('ClusterRole', 'cluster-admin') }, { headers })
    s.create(clusterRoleBindings, { ...named(s.unique('a')), roleRef: roleNamed('ClusterRole', role) }, { headers })
  })

  scenario('rules decide', (s) => {
    const joe = giveJoe(s, [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'list'] },
      { apiGroups: [''], resources: ['configmaps', '*/status'], resourceNames: ['mine'], verbs: ['get', 'delete', 'watch', 'list'] },
    ])
    s.create(configMaps, named('mine'), joe)
    s.get(configMaps, 'mine', joe)
    s.get(configMaps, 'other', joe)
    s.list(configMaps, joe)
    s.list(configMaps, { ...joe, namespace: '' })
    s.list(secrets, { ...joe, query: { fieldSelector: 'metadata.name=mine' } })
    s.update(configMaps, named('mine'), joe)
    s.delete(configMaps, 'mine', undefined, joe)
    s.deleteCollection(configMaps, undefined, joe)
    s.list(configMaps, { ...joe, namespace: 'default' })
    s.request('GET', '/healthz', undefined, { ...joe, accept: '*/*' })
    s.request('GET', '/metrics', undefined, { ...joe, accept: '*/*' })
    s.request('GET', '/nowhere', undefined, { ...joe, accept: '*/*' })
  })

  scenario('a binding to a role that is missing', (s) => {
    const bind = (kind: string) => {
      const [name, user] = [kind.toLowerCase(), s.unique(kind.toLowerCase())]
      s.create(
        roleBindings,
        { ...named(name), roleRef: roleNamed(kind, 'absent'), subjects: [{ kind: 'User', name: user }] },
        { isQuiet: true },
      )
      return { headers: { 'impersonate-user': user } }
    }
    const [ofRole, ofClusterRole] = [bind('Role'), bind('ClusterRole')]
    s.list(configMaps, { isQuiet: true })
    s.list(configMaps, { isQuiet: true })
    s.list(configMaps, ofRole)
    s.list(configMaps, ofClusterRole)
  })
})

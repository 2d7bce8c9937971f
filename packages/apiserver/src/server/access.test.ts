import type { TransportUser } from 'steersman/environment'
import { afterEach, describe, expect, test } from 'vitest'
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from './control-plane.js'

const open: ControlPlane[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((controlPlane) => controlPlane.stop()))
})

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const jane: TransportUser = { name: 'jane', groups: ['devs'] }

interface Answer {
  readonly status: number
  readonly body: { readonly message?: string; readonly [key: string]: unknown }
}

async function start(options: ControlPlaneOptions = {}) {
  const controlPlane = await startControlPlane({ controllers: 'none', ...options })
  open.push(controlPlane)
  return async (method: string, path: string, value?: unknown, user?: TransportUser, headers = {}, query = {}): Promise<Answer> => {
    const answer = await controlPlane.transport(user).request({
      method,
      path,
      query: new URLSearchParams(query),
      headers: { 'content-type': 'application/json', ...headers },
      ...(value === undefined ? {} : { body: { kind: 'value', value } }),
    })
    return { status: answer.status, body: answer.body.kind === 'value' ? (answer.body.value as Answer['body']) : {} }
  }
}

const role = (verbs: readonly string[]) => ({ metadata: { name: 'r' }, rules: [{ apiGroups: [''], resources: ['configmaps'], verbs }] })
const binding = { metadata: { name: 'b' }, roleRef: { kind: 'Role', name: 'r' }, subjects: [{ kind: 'Group', name: 'devs' }] }

describe('roles', () => {
  const configMaps = '/api/v1/namespaces/default/configmaps'
  const roles = `${rbac}/namespaces/default/roles`
  const bindings = `${rbac}/namespaces/default/rolebindings`

  test('count from the moment their write is answered, until they are gone', async () => {
    const ask = await start()
    const list = async () => (await ask('GET', configMaps, undefined, jane)).status
    expect(await list()).toBe(403)
    await ask('POST', bindings, binding)
    expect(await list()).toBe(403)
    await ask('POST', roles, role(['list']))
    expect(await list()).toBe(200)
    await ask('PUT', `${roles}/r`, role(['get']))
    expect(await list()).toBe(403)
    await ask('PUT', `${roles}/r`, role(['*']))
    expect(await list()).toBe(200)
    await ask('DELETE', `${bindings}/b`)
    expect(await list()).toBe(403)
  })

  test('that name objects allow no deletion of collections, whatever is selected', async () => {
    const ask = await start()
    await ask('POST', bindings, binding)
    const named = { apiGroups: [''], resources: ['configmaps'], resourceNames: ['a'], verbs: ['list', 'deletecollection'] }
    await ask('POST', roles, { metadata: { name: 'r' }, rules: [named] })
    const status = async (method: string, selector: string) =>
      (await ask(method, configMaps, undefined, jane, {}, { fieldSelector: selector })).status
    expect(await status('GET', 'metadata.name=a')).toBe(200)
    expect(await status('DELETE', 'metadata.name=a')).toBe(403)
    expect(await status('GET', 'metadata.name!=b\\,metadata.name=a')).toBe(403)
  })

  test('of a namespace cannot be bound in the cluster', async () => {
    const ask = await start()
    await ask('POST', `${rbac}/clusterroles`, {
      metadata: { name: 'binder' },
      rules: [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterrolebindings'], verbs: ['create'] }],
    })
    const subjects = [{ kind: 'Group', name: 'devs' }]
    await ask('POST', `${rbac}/clusterrolebindings`, {
      metadata: { name: 'b' },
      roleRef: { kind: 'ClusterRole', name: 'binder' },
      subjects,
    })
    const refused = await ask('POST', `${rbac}/clusterrolebindings`, { ...binding, metadata: { name: 'c' } }, jane)
    expect(refused.status).toBe(400)
    expect(refused.body.message).toBe('Namespace parameter required.')
  })

  test('are there from the start: many, and discovery for everybody who is known', async () => {
    const ask = await start()
    expect(((await ask('GET', `${rbac}/clusterroles`)).body.items as unknown[]).length).toBeGreaterThan(70)
    expect((await ask('GET', '/apis', undefined, jane)).status).toBe(200)
    expect((await ask('GET', '/apis', undefined, { name: 'system:anonymous', groups: ['system:unauthenticated'] })).status).toBe(403)
  })

  test('do not count for masters-only, and nothing does for always-allow', async () => {
    for (const [authorization, status] of [
      ['masters-only', 403],
      ['always-allow', 200],
    ] as const) {
      const ask = await start({ authorization })
      await ask('POST', roles, role(['*']))
      await ask('POST', bindings, binding)
      expect((await ask('GET', configMaps, undefined, jane)).status, authorization).toBe(status)
      expect((await ask('GET', '/apis', undefined, jane)).status, authorization).toBe(200)
    }
  })
})

describe('acting as somebody else', () => {
  const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  const userInfo = ({ body }: Answer) =>
    (body.status as { readonly userInfo: { readonly username: string; readonly groups: readonly string[] } })?.userInfo

  /** Lets jane do what the rules say. */
  async function withRules(rules: readonly object[]) {
    const ask = await start()
    await ask('POST', `${rbac}/clusterroles`, { metadata: { name: 'acting' }, rules })
    await ask('POST', `${rbac}/clusterrolebindings`, {
      metadata: { name: 'acting' },
      roleRef: { kind: 'ClusterRole', name: 'acting' },
      subjects: [{ kind: 'User', name: 'jane' }],
    })
    return (headers: Readonly<Record<string, string>>) => ask('POST', review, {}, jane, headers)
  }

  test('the old verb gives each part of the user that it names', async () => {
    const as = await withRules([
      { apiGroups: [''], resources: ['users'], resourceNames: ['ann'], verbs: ['impersonate'] },
      { apiGroups: [''], resources: ['groups'], resourceNames: ['ops'], verbs: ['impersonate'] },
    ])
    expect(userInfo(await as({ 'impersonate-user': 'ann', 'impersonate-group': 'ops' }))).toEqual({
      username: 'ann',
      groups: ['ops', 'system:authenticated'],
    })
    expect((await as({ 'impersonate-user': 'bob' })).status).toBe(403)
    expect((await as({ 'impersonate-user': 'ann', 'impersonate-group': 'system:masters' })).status).toBe(403)
  })

  // As KEP-5284 has it.
  test('a mode must be allowed for the user and for what is done', async () => {
    const user = { apiGroups: ['authentication.k8s.io'], resources: ['users'], resourceNames: ['ann'], verbs: ['impersonate:user-info'] }
    const onReviews = {
      apiGroups: ['authentication.k8s.io'],
      resources: ['selfsubjectreviews'],
      verbs: ['impersonate-on:user-info:create'],
    }
    const headers = { 'impersonate-user': 'ann' }
    expect((await (await withRules([user]))(headers)).status).toBe(403)
    expect((await (await withRules([onReviews]))(headers)).status).toBe(403)
    expect(userInfo(await (await withRules([user, onReviews]))(headers))?.username).toBe('ann')
  })

  test('a node acted as by a mode of its own is in the group of nodes', async () => {
    const node = { apiGroups: ['authentication.k8s.io'], resources: ['nodes'], verbs: ['impersonate:arbitrary-node'] }
    const on = { apiGroups: ['authentication.k8s.io'], resources: ['*'], verbs: ['impersonate-on:arbitrary-node:create'] }
    expect(userInfo(await (await withRules([node, on]))({ 'impersonate-user': 'system:node:n' }))?.groups).toEqual([
      'system:nodes',
      'system:authenticated',
    ])
  })
})

describe('tokens of service accounts', () => {
  test('are taken by a server with the same key', async () => {
    const { generateKeyPairSync } = await import('node:crypto')
    const signingKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    const ask = await start({ serviceAccounts: { signingKey, issuer: 'https://example.com' } })
    await ask('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } })
    const { body } = await ask('POST', '/api/v1/namespaces/default/serviceaccounts/robot/token', { spec: { audiences: [] } })
    const { token } = body.status as { readonly token: string }
    const review = await ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } })
    expect(review.body.status).toMatchObject({ authenticated: true, audiences: ['https://example.com'] })
  })
})

describe('bindings', () => {
  test('a binding posted to its collection assigns the pod', async () => {
    const ask = await start()
    await ask('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } })
    const bindingOf = (name: string) => ({ apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: 'n' } })
    const answer = await ask('POST', '/api/v1/namespaces/default/bindings', bindingOf('a'))
    expect(answer).toMatchObject({ status: 201, body: { kind: 'Status', status: 'Success' } })
    expect((await ask('GET', '/api/v1/namespaces/default/pods/a')).body.spec).toMatchObject({ nodeName: 'n' })
    expect((await ask('POST', '/api/v1/namespaces/default/bindings', bindingOf('absent'))).status).toBe(404)
  })
})

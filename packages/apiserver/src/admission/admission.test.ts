import type { UnstructuredObject } from 'steersman/api'
import { notFound, StatusError } from 'steersman/api'
import { ConfigMap, Namespace, Node, Pod } from 'steersman/api/types/core/v1'
import { describe, expect, test } from 'vitest'
import type { AdmissionAttributes, Registry } from '../contracts/index.js'
import { admissionChain, defaultTolerationSeconds, namespaceLifecycle, serviceAccountAdmission, taintNodesByCondition } from './index.js'

const base: AdmissionAttributes = {
  operation: 'CREATE',
  type: ConfigMap,
  subresource: '',
  namespace: 'ns',
  name: 'a',
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
  options: {},
  dryRun: false,
  user: { name: 'u', groups: [] },
}

function registryOf(objects: Readonly<Record<string, UnstructuredObject>>): Pick<Registry, 'resource'> {
  return {
    resource: (_group, _version, plural) =>
      ({
        async get({ namespace = '', name }: { readonly namespace?: string; readonly name: string }) {
          const found = objects[`${plural}/${namespace}/${name}`]
          if (found === undefined) throw new StatusError(notFound({ group: '', plural }, name))
          return found
        },
      }) as unknown as ReturnType<Registry['resource']>,
  }
}

const active: UnstructuredObject = { metadata: { name: 'ns' } }
const terminating: UnstructuredObject = { metadata: { name: 'ns', deletionTimestamp: '2026-01-01T00:00:00Z' } }

describe('NamespaceLifecycle', () => {
  test('refuses an object in a namespace that does not exist', async () => {
    const plugin = namespaceLifecycle(registryOf({}))
    await expect(plugin.admit?.(base)).rejects.toMatchObject({ status: { code: 404, message: 'namespaces "ns" not found' } })
  })

  test('refuses a new object in a namespace that is being deleted', async () => {
    const plugin = namespaceLifecycle(registryOf({ 'namespaces//ns': terminating }))
    await expect(plugin.admit?.(base)).rejects.toMatchObject({
      status: {
        code: 403,
        message: 'configmaps "a" is forbidden: unable to create new content in namespace ns because it is being terminated',
        details: { causes: [{ reason: 'NamespaceTerminating', message: 'namespace ns is being terminated', field: 'metadata.namespace' }] },
      },
    })
    await expect(plugin.admit?.({ ...base, operation: 'UPDATE' })).resolves.toBe(base.object)
    await expect(plugin.admit?.({ ...base, operation: 'DELETE' })).resolves.toBe(base.object)
  })

  test('keeps the namespaces that every cluster has', async () => {
    const plugin = namespaceLifecycle(registryOf({ 'namespaces//ns': active }))
    const remove = (name: string) => plugin.admit?.({ ...base, operation: 'DELETE', type: Namespace, name, namespace: name })
    for (const name of ['default', 'kube-system', 'kube-public']) {
      await expect(remove(name)).rejects.toMatchObject({
        status: { code: 403, message: `namespaces "${name}" is forbidden: this namespace may not be deleted` },
      })
    }
    await expect(remove('kube-node-lease')).resolves.toBe(base.object)
  })
})

const pod = (spec: object): AdmissionAttributes => ({
  ...base,
  type: Pod,
  object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec },
})
const specOf = (object: UnstructuredObject | undefined) => object?.spec as Record<string, unknown>

describe('DefaultTolerationSeconds', () => {
  test('adds what a pod does not tolerate yet', async () => {
    const own = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 }
    const admitted = await defaultTolerationSeconds.admit?.(pod({ tolerations: [own] }))
    expect(specOf(admitted).tolerations).toEqual([
      own,
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    ])
  })

  test('leaves a pod alone that tolerates everything, and completes updates too', async () => {
    const all = pod({ tolerations: [{ operator: 'Exists' }] })
    expect(await defaultTolerationSeconds.admit?.(all)).toBe(all.object)
    const updated: AdmissionAttributes = { ...pod({}), operation: 'UPDATE' }
    expect(specOf(await defaultTolerationSeconds.admit?.(updated)).tolerations).toHaveLength(2)
  })
})

describe('TaintNodesByCondition', () => {
  const node = (spec: object): AdmissionAttributes => ({
    ...base,
    type: Node,
    object: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, spec },
  })

  test('taints a new node once', async () => {
    const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }
    expect(specOf(await taintNodesByCondition.admit?.(node({})))).toEqual({ taints: [taint] })
    const tainted = node({ taints: [taint] })
    expect(await taintNodesByCondition.admit?.(tainted)).toBe(tainted.object)
    const updated: AdmissionAttributes = { ...node({}), operation: 'UPDATE' }
    expect(await taintNodesByCondition.admit?.(updated)).toBe(updated.object)
  })
})

describe('ServiceAccount', () => {
  const random = () => 0
  const withAccount = (account: object) =>
    serviceAccountAdmission(registryOf({ 'serviceaccounts/ns/default': { ...active, ...account } }), random)

  test('gives a pod the default account', async () => {
    const plugin = withAccount({ automountServiceAccountToken: false })
    expect(specOf(await plugin.admit?.(pod({})))).toEqual({ serviceAccountName: 'default', serviceAccount: 'default' })
  })

  test('mounts a token where nothing is mounted yet, unless the pod or its account wishes none', async () => {
    const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount'
    const own = { name: 'own', volumeMounts: [{ name: 'v', mountPath }] }
    const spec = { containers: [{ name: 'a' }, own], initContainers: [{ name: 'b' }] }
    const mounted = specOf(await withAccount({}).admit?.(pod(spec)))
    const mount = { name: 'kube-api-access-bbbbb', readOnly: true, mountPath }
    expect(mounted.containers).toEqual([{ name: 'a', volumeMounts: [mount] }, own])
    expect(mounted.initContainers).toEqual([{ name: 'b', volumeMounts: [mount] }])
    expect(mounted.volumes).toMatchObject([
      { name: mount.name, projected: { sources: [{ serviceAccountToken: { path: 'token' } }, {}, {}] } },
    ])
    expect(specOf(await withAccount({}).admit?.(pod({ containers: [own] }))).volumes).toBeUndefined()
    const unwilling = pod({ ...spec, automountServiceAccountToken: false })
    expect(specOf(await withAccount({ automountServiceAccountToken: true }).admit?.(unwilling)).volumes).toBeUndefined()
  })

  test('gives a pod the pull secrets of its account unless it has some', async () => {
    const plugin = withAccount({ automountServiceAccountToken: false, imagePullSecrets: [{ name: 's' }] })
    expect(specOf(await plugin.admit?.(pod({}))).imagePullSecrets).toEqual([{ name: 's' }])
    expect(specOf(await plugin.admit?.(pod({ imagePullSecrets: [{ name: 'own' }] }))).imagePullSecrets).toEqual([{ name: 'own' }])
  })

  test('refuses a pod whose account does not exist', async () => {
    const plugin = serviceAccountAdmission(registryOf({}), random)
    await expect(plugin.admit?.(pod({}))).rejects.toMatchObject({
      status: {
        code: 403,
        message: 'pods "a" is forbidden: error looking up service account ns/default: serviceaccount "default" not found',
      },
    })
  })
})

test('admissionChain hands what one plugin made to the next, and stops at the first refusal', async () => {
  const seen: unknown[] = []
  const mark = (name: string) => ({
    name,
    async admit({ object }: AdmissionAttributes) {
      seen.push(object?.marks)
      return { ...(object as UnstructuredObject), marks: [...((object?.marks as string[] | undefined) ?? []), name] }
    },
    async validate() {
      if (name === 'b') throw new Error('no')
      seen.push(name)
    },
  })
  const chain = admissionChain([mark('a'), mark('b'), mark('c')])
  expect((await chain.admit?.(base))?.marks).toEqual(['a', 'b', 'c'])
  await expect(chain.validate?.(base)).rejects.toThrow('no')
  expect(seen).toEqual([undefined, ['a'], ['a', 'b'], 'a'])
})

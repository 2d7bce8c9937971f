import type { UnstructuredObject } from 'steersman/api'
import { notFound, StatusError } from 'steersman/api'
import { Pod } from 'steersman/api/types/core/v1'
import { describe, expect, test } from 'vitest'
import type { AdmissionAttributes, Registry } from '../contracts/index.js'
import { priorityAdmission } from './index.js'

const preemptionPolicy = 'PreemptLowerPriority'
const classes: readonly UnstructuredObject[] = [
  { metadata: { name: 'system-node-critical' }, value: 2_000_001_000, preemptionPolicy },
  { metadata: { name: 'system-cluster-critical' }, value: 2_000_000_000, preemptionPolicy },
  { metadata: { name: 'polite' }, value: 7, preemptionPolicy: 'Never' },
]

function registryOf(items: readonly UnstructuredObject[]): Pick<Registry, 'resource'> {
  const store = {
    list: async () => ({ items }),
    async get({ name }: { readonly name: string }) {
      const found = items.find(({ metadata }) => metadata.name === name)
      if (found === undefined) throw new StatusError(notFound({ group: 'scheduling.k8s.io', plural: 'priorityclasses' }, name))
      return found
    },
  }
  return { resource: () => store as unknown as ReturnType<Registry['resource']> }
}

function admit(spec: object, more: Partial<AdmissionAttributes> = {}, items = classes) {
  return priorityAdmission(registryOf(items)).admit?.({
    operation: 'CREATE',
    type: Pod,
    subresource: '',
    namespace: 'ns',
    name: 'a',
    object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec },
    options: {},
    dryRun: false,
    user: { name: 'u', groups: [] },
    ...more,
  })
}

// The words are those of kube-apiserver 1.37.2.
describe('Priority', () => {
  test.each([
    [{}, 0],
    [{ priority: 0 }, 0],
    [{ priorityClassName: 'system-node-critical' }, 2_000_001_000],
    [{ priorityClassName: 'system-cluster-critical' }, 2_000_000_000],
  ])('gives a new pod the priority of its class: %j', async (spec, priority) => {
    expect((await admit(spec))?.spec).toEqual({ ...spec, priority, preemptionPolicy })
  })

  test('gives a new pod the policy of its class', async () => {
    const spec = { priorityClassName: 'polite' }
    expect((await admit(spec))?.spec).toEqual({ ...spec, priority: 7, preemptionPolicy: 'Never' })
  })

  test('gives a pod without a class the lowest of the default ones', async () => {
    const defaults = [
      { metadata: { name: 'high' }, value: 9, globalDefault: true, preemptionPolicy },
      { metadata: { name: 'low' }, value: 3, globalDefault: true, preemptionPolicy },
    ]
    expect((await admit({}, {}, defaults))?.spec).toEqual({ priorityClassName: 'low', priority: 3, preemptionPolicy })
  })

  test.each([
    [{ priorityClassName: 'nope' }, 'no PriorityClass with name nope was found'],
    [{ priorityClassName: 'toString' }, 'no PriorityClass with name toString was found'],
    [
      { priority: 5 },
      'the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    ],
    [
      { preemptionPolicy: 'Never' },
      'the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
    ],
  ])('refuses %j', async (spec, reason) => {
    await expect(admit(spec)).rejects.toMatchObject({ status: { code: 403, message: `pods "a" is forbidden: ${reason}` } })
  })

  test('keeps the priority of a pod that is replaced without it', async () => {
    const oldObject = { metadata: { name: 'a' }, spec: { priority: 0, preemptionPolicy: 'PreemptLowerPriority' } }
    expect((await admit({ nodeName: 'n' }, { operation: 'UPDATE', oldObject }))?.spec).toEqual({ nodeName: 'n', ...oldObject.spec })
  })

  test('leaves subresources and pods without priority alone', async () => {
    const object = { metadata: { name: 'a' }, spec: {} }
    expect(await admit({}, { operation: 'UPDATE', subresource: 'status', object })).toBe(object)
    expect(await admit({}, { operation: 'UPDATE', oldObject: object, object })).toBe(object)
  })
})

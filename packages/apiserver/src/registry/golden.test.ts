import { readFileSync } from 'node:fs'
import type { ObjectKey, UnstructuredObject } from 'steersman/api'
import { applyMergePatch, StatusError } from 'steersman/api'
import { VirtualWorld } from 'steersman/environment'
import { describe, expect, it } from 'vitest'
import type { BodyStore, WriteRequest } from '../contracts/index.js'
import { MemoryStorage } from '../storage/index.js'
import { bootstrap } from './bootstrap.js'
import { ResourceRegistry } from './registry.js'

interface Step {
  readonly method: string
  readonly path: string
  readonly body?: UnstructuredObject & Readonly<Record<string, unknown>>
}

interface Answer {
  readonly code: number
  readonly warnings?: string
  readonly body: Readonly<Record<string, unknown>>
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`golden/${name}`, import.meta.url), 'utf8')) as unknown
const steps = read('requests.json') as readonly Step[]
const answers = read('answers.json') as readonly Answer[]

/** What the real server's admission adds, what differs by nature, and what only a controller or field ownership would write. */
function normalize(value: unknown): unknown {
  const text = JSON.stringify(value, (key, member: unknown) => {
    // A zero time is null in Go.
    if (member === null) return undefined
    if (['uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp', 'lastTransitionTime', 'lastUpdateTime'].includes(key))
      return `<${key}>`
    if (['managedFields', 'priority', 'preemptionPolicy', 'serviceAccount', 'serviceAccountName'].includes(key)) return undefined
    if (key === 'lastProbeTime' || (key === 'annotations' && isEmpty(member))) return undefined
    if (key === 'nodePort' || key === 'healthCheckNodePort') return member === 0 ? undefined : '<port>'
    if ((key === 'clusterIP' || key === 'clusterIPs') && String(member).startsWith('10.')) return '<ip>'
    if (key === 'tolerations' || key === 'taints') return undefined
    // The real server adds a diff for humans.
    return typeof member === 'string' ? member.replace(/\n@@[\s\S]*$/, '').replace(/ in record \(\d+\)/, ' in record (<n>)') : member
  })
  return sortKeys(JSON.parse(text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')))
}

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sortKeys(member)]),
  )
}

/** Warnings of the real server but those of decoding, which are the endpoints' to give. */
function registryWarnings(header = ''): string[] {
  return header.split(/, (?=299 )/).filter((warning) => warning !== '' && !warning.includes('unknown field'))
}

function parsePath(path: string) {
  const parts = path.split('/').filter((part) => part !== '')
  const group = parts[0] === 'api' ? '' : parts[1]!
  const version = parts[0] === 'api' ? parts[1]! : parts[2]!
  const rest = parts.slice(parts[0] === 'api' ? 2 : 3)
  const namespaced = rest[0] === 'namespaces' && rest.length > 2 && rest[2] !== 'finalize' && rest[2] !== 'status'
  const [plural = '', name = '', subresource = ''] = namespaced ? rest.slice(2) : rest
  return { group, version, plural, name, subresource, namespace: namespaced ? rest[1]! : '' }
}

async function answer(registry: ResourceRegistry, step: Step, warnings: string[]): Promise<unknown> {
  const { group, version, plural, name, subresource, namespace } = parsePath(step.path)
  const store = registry.resource(group, version, plural)
  if (store === undefined) throw new TypeError(`nothing serves ${step.path}`)
  const write: WriteRequest = {
    user: { name: 'admin', groups: [] },
    dryRun: false,
    fieldManager: 'golden',
    options: {},
    admission: { name: 'none' },
    warn: (text) => warnings.push(text),
  }
  const key: ObjectKey = { namespace, name }
  const target: BodyStore = subresource === '' ? store : store.subresource(subresource)!
  const { apiVersion, kind } = typeOf(step, store.served.type, store.subresource(subresource)?.served)
  const decode = (value: unknown) => target.decode({ ...(value as object), apiVersion, kind }).object
  switch (step.method) {
    case 'GET':
      return target.get(key)
    case 'POST':
      if (subresource !== '') return store.subresource(subresource)!.create(key, decode(step.body), write)
      return store.create(decode(step.body), { ...write, namespace })
    case 'PUT':
      return (await target.update(key, () => decode(step.body), write)).object
    case 'PATCH':
      return (await target.update(key, (current) => decode(applyMergePatch(current, step.body)), write)).object
    case 'DELETE':
      return store.delete(key, { ...write, ...(step.body as object | undefined) })
    default:
      throw new TypeError(`unknown method ${step.method}`)
  }
}

function typeOf(
  step: Step,
  type: { group: string; version: string; kind: string },
  sub?: { group: string; version: string; kind: string },
) {
  const { group, version, kind } = step.path.endsWith('/finalize') ? type : (sub ?? type)
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind }
}

describe('ResourceRegistry answers as a real API server did', async () => {
  const world = new VirtualWorld({ seed: 1 })
  const registry = await world.run(ResourceRegistry.open({ storage: new MemoryStorage(), environment: world.process('server') }))
  await bootstrap(registry)
  for (const [index, step] of steps.entries()) {
    if (step.method === 'WAIT') continue
    it(`${index} ${step.method} ${step.path} ${JSON.stringify(step.body ?? '').slice(0, 100)}`, async () => {
      const warnings: string[] = []
      const actual = await answer(registry, step, warnings).catch((error: unknown) => {
        if (error instanceof StatusError) return error.status
        throw error
      })
      const expected = answers[index]!.body
      // Here a definition is established in the write that creates it; there a controller follows.
      const withoutStatus = step.method === 'POST' && step.path.endsWith('/customresourcedefinitions')
      expect(normalize(withoutStatus ? { ...(actual as object), status: undefined } : actual)).toEqual(
        normalize(withoutStatus ? { ...expected, status: undefined } : expected),
      )
      expect(warnings.map((text) => `299 - ${JSON.stringify(text)}`)).toEqual(registryWarnings(answers[index]!.warnings))
    })
  }
})

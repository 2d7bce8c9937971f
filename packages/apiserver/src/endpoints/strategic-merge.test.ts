import { readFileSync } from 'node:fs'
import { systemEnvironment, type TransportResponse } from 'steersman/environment'
import { beforeAll, describe, expect, test } from 'vitest'
import { bootstrap } from '../registry/bootstrap.js'
import { ResourceRegistry } from '../registry/registry.js'
import { MemoryStorage } from '../storage/index.js'
import { createRequestHandler } from './handle.js'
import { version } from './version.js'

interface Case {
  readonly name: string
  readonly base: string
  readonly patch: unknown
  /** The patch is the body as it is. */
  readonly isText?: boolean
  /** Another name than that of the base. */
  readonly of?: string
  readonly subresource?: string
  readonly query?: string
}

interface Answer {
  readonly code: number
  readonly warnings?: string
  readonly body: unknown
}

type Bases = Readonly<Record<string, { readonly path: string; readonly object: { readonly metadata: { readonly name: string } } }>>

const read = (name: string) => JSON.parse(readFileSync(new URL(`golden/${name}`, import.meta.url), 'utf8')) as unknown
const { bases, cases } = read('strategic-merge-requests.json') as { readonly bases: Bases; readonly cases: readonly Case[] }
const golden = read('strategic-merge-answers.json') as {
  readonly created: Readonly<Record<string, unknown>>
  readonly answers: Readonly<Record<string, Answer>>
}

/** What differs by nature, and what only admission or a controller of the real server adds. */
function normalize(value: unknown): unknown {
  const text = JSON.stringify(value, (key, member: unknown) => {
    if (member === null || ['managedFields', 'priority', 'preemptionPolicy', 'tolerations', 'lastProbeTime'].includes(key)) return undefined
    if (['uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp', 'lastTransitionTime', 'lastUpdateTime'].includes(key))
      return `<${key}>`
    if (key === 'taints') return (member as { key: string }[]).filter((taint) => taint.key !== 'node.kubernetes.io/not-ready')
    return key === 'serviceAccount' || key === 'serviceAccountName' ? undefined : member
  })
  return JSON.parse(text)
}

async function setUp() {
  const registry = await ResourceRegistry.open({ storage: new MemoryStorage(), environment: systemEnvironment })
  await bootstrap(registry)
  const handle = createRequestHandler({
    registry,
    environment: systemEnvironment,
    version,
    authenticator: { authenticate: async () => ({ name: 'u', groups: [] }) },
    authorizer: { authorize: async () => ({ allowed: true }) },
    admission: { name: 'none' },
  })
  const send = async (method: string, target: string, type: string, text: string) => {
    const [path = '', query = ''] = target.split('?')
    const headers = { 'content-type': type, 'user-agent': 'golden/1' }
    return handle({ method, path, query: new URLSearchParams(query), headers, body: { kind: 'bytes', bytes: Buffer.from(text) } } as never)
  }
  return { send }
}

const bodyOf = ({ body }: TransportResponse) => (body.kind === 'value' ? body.value : body)

describe('a strategic merge patch is answered as by a real API server', () => {
  let send: Awaited<ReturnType<typeof setUp>>['send']
  beforeAll(async () => {
    ;({ send } = await setUp())
    await send('POST', '/api/v1/namespaces', 'application/json', '{"metadata":{"name":"golden"}}')
    for (const [name, { path, object }] of Object.entries(bases)) {
      const created = bodyOf(await send('POST', path, 'application/json', JSON.stringify(object)))
      expect(normalize(created)).toEqual(normalize(golden.created[name]))
    }
  })

  test.each(cases)('$base: $name', async ({ name, base, patch, isText, of, subresource, query }) => {
    const { path, object } = bases[base]!
    const place = `${path}/${of ?? object.metadata.name}${subresource === undefined ? '' : `/${subresource}`}`
    const target = `${place}?dryRun=All${query === undefined ? '' : `&${query}`}`
    const text = isText ? (patch as string) : JSON.stringify(patch)
    const response = await send('PATCH', target, 'application/strategic-merge-patch+json', text)
    const { code, body, warnings } = golden.answers[name]!
    expect(normalize(bodyOf(response))).toEqual(normalize(body))
    expect(response.status).toBe(code)
    const given = [response.headers.warning ?? []].flat()
    expect(given.join(', ')).toBe(warnings ?? '')
  })
})

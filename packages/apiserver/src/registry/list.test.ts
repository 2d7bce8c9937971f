import { describe, expect, it } from 'vitest'
import { openRegistry, refusal } from './registry.fixture.js'

const maps = 'v1/configmaps'
const map = (name: string, labels: Record<string, string> = {}) => ({ metadata: { name, labels } })

async function filled() {
  const fixture = await openRegistry()
  for (const [index, name] of ['a', 'b', 'c', 'd', 'e'].entries()) await fixture.create(maps, map(name, { odd: String(index % 2 === 1) }))
  return fixture
}

const namesOf = (items: readonly { readonly metadata: { readonly name?: string } }[]) => items.map(({ metadata }) => metadata.name)

describe('ResourceStore.list', () => {
  it('pages with tokens; all pages show the first page’s version and only lists without selectors count what remains', async () => {
    const { store, create } = await filled()
    const first = await store(maps).list({ namespace: '', limit: 2 })
    expect(namesOf(first.items)).toEqual(['a', 'b'])
    expect(first.remainingItemCount).toBe(3)
    expect(JSON.parse(Buffer.from(first.continue!, 'base64url').toString())).toEqual({ v: 'meta.k8s.io/v1', rv: 6, start: '/default/b\0' })
    await create(maps, map('bb'))
    const second = await store(maps).list({ namespace: '', limit: 2, continue: first.continue! })
    expect([namesOf(second.items), second.resourceVersion, second.remainingItemCount]).toEqual([['c', 'd'], '6', 1])
    const last = await store(maps).list({ namespace: '', limit: 2, continue: second.continue! })
    expect([namesOf(last.items), last.continue, last.remainingItemCount]).toEqual([['e'], undefined, undefined])
  })

  it('fills pages with what the selector matches', async () => {
    const { store } = await filled()
    const first = await store(maps).list({ namespace: 'default', labelSelector: 'odd=false', limit: 2 })
    expect([namesOf(first.items), first.remainingItemCount]).toEqual([['a', 'c'], undefined])
    const second = await store(maps).list({ namespace: 'default', labelSelector: 'odd=false', limit: 2, continue: first.continue! })
    expect([namesOf(second.items), second.continue]).toEqual([['e'], undefined])
  })

  it('selects by fields', async () => {
    const { store, create } = await filled()
    expect(namesOf((await store(maps).list({ namespace: '', fieldSelector: 'metadata.name=c' })).items)).toEqual(['c'])
    expect((await store(maps).list({ namespace: '', fieldSelector: 'metadata.namespace=other' })).items).toEqual([])
    await create('v1/pods', { metadata: { name: 'p' }, spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] } })
    const onNode = (selector: string) => store('v1/pods').list({ namespace: '', fieldSelector: selector })
    expect((await onNode('spec.nodeName=n,status.phase!=Succeeded')).items).toHaveLength(1)
    expect((await onNode('spec.nodeName=m')).items).toHaveLength(0)
    expect((await refusal(onNode('spec.foo=m'))).message).toBe('field label not supported: spec.foo')
  })

  it('lists at an exact version', async () => {
    const { store, create } = await filled()
    await create(maps, map('f'))
    const list = (request: object) => store(maps).list({ namespace: '', ...request })
    expect((await list({ resourceVersion: '4', resourceVersionMatch: 'Exact' })).items).toHaveLength(3)
    expect((await list({ resourceVersion: '4', limit: 10 })).items).toHaveLength(3)
    expect((await list({ resourceVersion: '4', resourceVersionMatch: 'NotOlderThan' })).items).toHaveLength(6)
    expect((await list({ resourceVersion: '4' })).items).toHaveLength(6)
    expect((await list({ resourceVersion: '0', limit: 1 })).items).toHaveLength(6)
  })

  it('answers with the words of the real server to versions and tokens of no use', async () => {
    const { store, storage } = await filled()
    const list = (request: object) => store(maps).list({ namespace: '', ...request })
    const { continue: token } = await list({ limit: 2 })
    await storage.compact(6)
    const message = async (request: object) => (await refusal(list(request))).message
    expect(await refusal(list({ resourceVersion: '4', resourceVersionMatch: 'Exact' }))).toMatchObject({
      code: 410,
      reason: 'Expired',
      message: 'The resourceVersion for the provided list is too old.',
    })
    expect(await message({ resourceVersion: '99' })).toBe('Timeout: Too large resource version: 99, current: 6')
    expect(await message({ resourceVersion: 'x' })).toBe(
      'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    )
    expect(await message({ continue: '%%' })).toBe('invalid continue token: continue key is not valid: illegal base64 data at input byte 0')
    expect(await message({ continue: token, resourceVersion: '4' })).toBe('specifying resource version is not allowed when using continue')
    expect(await message({ resourceVersionMatch: 'Exact' })).toBe(
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    )
  })

  it('offers an expired continuation another, inconsistent one', async () => {
    const { store, create, storage } = await filled()
    const { continue: token } = await store(maps).list({ namespace: '', limit: 2 })
    await create(maps, map('f'))
    await storage.compact(7)
    const status = await refusal(store(maps).list({ namespace: '', limit: 2, continue: token! }))
    expect(status).toMatchObject({ code: 410, reason: 'Expired' })
    const rest = await store(maps).list({ namespace: '', continue: status.metadata.continue! })
    expect(namesOf(rest.items)).toEqual(['c', 'd', 'e', 'f'])
  })
})

import { describe, expect, it } from 'vitest'
import { openRegistry, refusal } from '../registry.fixture.js'

const services = 'v1/services'
const spec = { ports: [{ port: 80 }] }
const addressOf = (object: object) => (object as { spec: { clusterIP: string } }).spec.clusterIP

describe('ServiceAllocator', () => {
  it('gives each service an address of its own until the network is full, and takes them back', async () => {
    const { create, store, write } = await openRegistry()
    const addresses = new Set<string>()
    for (let index = 0; index < 254; index++) addresses.add(addressOf(await create(services, { metadata: { name: `s${index}` }, spec })))
    expect(addresses.size).toBe(254)
    expect((await refusal(create(services, { metadata: { name: 'more' }, spec }))).message).toContain('range is full')
    await store(services).delete({ namespace: 'default', name: 's7' }, write())
    expect(addresses.has(addressOf(await create(services, { metadata: { name: 'more' }, spec })))).toBe(true)
  })

  it('gives back what a refused or dry write took', async () => {
    const { create } = await openRegistry()
    const wanted = { ...spec, clusterIP: '10.0.0.9' }
    await refusal(create(services, { metadata: { name: 'BAD' }, spec: wanted }))
    await create(services, { metadata: { name: 'dry' }, spec: wanted }, { dryRun: true })
    expect(addressOf(await create(services, { metadata: { name: 'a' }, spec: wanted }))).toBe('10.0.0.9')
    await refusal(create(services, { metadata: { name: 'a' }, spec: { ...spec, clusterIP: '10.0.0.10' } }))
    expect(addressOf(await create(services, { metadata: { name: 'b' }, spec: { ...spec, clusterIP: '10.0.0.10' } }))).toBe('10.0.0.10')
  })
})

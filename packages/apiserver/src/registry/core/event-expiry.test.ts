import { expect, it } from 'vitest'
import { openRegistry, refusal } from '../registry.fixture.js'

const event = (name: string, message = 'm') => ({
  metadata: { name },
  involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
  message,
})

it('EventExpiry forgets events an hour after their last write', async () => {
  const { world, store, create, write } = await openRegistry()
  await create('v1/events', event('a'))
  await world.advance(1_800_000)
  await create('v1/events', event('b'))
  await world.advance(600_000)
  await store('v1/events').update({ namespace: 'default', name: 'a' }, (current) => ({ ...current!, message: 'again' }), write())
  await world.advance(3_000_001)
  const names = async () => (await store('v1/events').list({ namespace: '' })).items.map(({ metadata }) => metadata.name)
  expect(await names()).toEqual(['a'])
  await world.advance(600_001)
  expect(await names()).toEqual([])
  expect((await refusal(store('v1/events').get({ namespace: 'default', name: 'a' }))).code).toBe(404)
})

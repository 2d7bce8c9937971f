import { expect, test } from 'vitest'
import { ConfigMap } from '../api/types/core/v1.js'
import { createCache } from '../cache/index.js'
import type { Client } from '../client/index.js'
import { VirtualWorld } from '../environment/index.js'
import { enqueueRequestForObject } from './handler.js'
import { kindSource } from './source.js'

test('kindSource, waited for, rethrows the reason of the stop that also removes its handler', async () => {
  const environment = new VirtualWorld({ seed: 1 }).process('operator')
  const cache = createCache({ environment, client: {} as Client })
  const source = kindSource(cache, ConfigMap, enqueueRequestForObject())
  const stop = new AbortController()
  source.start(() => {}, stop.signal)
  const waiting = source.waitForSync(stop.signal)
  const reason = new Error('stop')
  stop.abort(reason)
  await expect(waiting).rejects.toBe(reason)
})

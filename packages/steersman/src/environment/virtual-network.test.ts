import { describe, expect, test } from 'vitest'
import {
  type Interceptor,
  type RequestHandler,
  TransportError,
  type TransportRequest,
  type TransportResponse,
  type VirtualProcess,
  VirtualWorld,
  type VirtualWorldOptions,
} from './index.js'

const URL_OF_SERVER = 'https://server:6443'

const get = (path = '/x', more?: Partial<TransportRequest>): TransportRequest => ({ method: 'GET', path, headers: {}, ...more })
const ok = (value: unknown): TransportResponse => ({ status: 200, headers: {}, body: { kind: 'value', value } })
const streaming = (batches: AsyncIterable<readonly unknown[]>): TransportResponse => ({
  status: 200,
  headers: {},
  body: { kind: 'value-stream', batches },
})

function batchesOf(response: TransportResponse): AsyncIterable<readonly unknown[]> {
  if (response.body.kind !== 'value-stream') throw new Error(`expected a stream, got ${response.body.kind}`)
  return response.body.batches
}

function setUp(handler: RequestHandler, options?: Partial<VirtualWorldOptions>) {
  const world = new VirtualWorld({ seed: 1, traceEntries: 100, ...options })
  const server = world.process('server')
  const listener = server.network.listen(URL_OF_SERVER, handler)
  const client = world.process('client')
  return { world, server, listener, client, transport: client.network.connect(`${URL_OF_SERVER}/`) }
}

/** A watch that sends what is put into it, and remembers how it was closed. */
function watch(process: VirtualProcess, everyMs: number, count = Number.MAX_SAFE_INTEGER) {
  const state = { sent: 0, closed: false }
  const handler: RequestHandler = async ({ signal }) =>
    streaming(
      (async function* () {
        try {
          while (state.sent < count) {
            await process.sleep(everyMs, signal)
            state.sent++
            yield [{ type: 'ADDED', object: { number: state.sent } }]
          }
        } finally {
          state.closed = true
        }
      })(),
    )
  return { state, handler }
}

async function setUpWatch(everyMs: number, count?: number, options?: Partial<VirtualWorldOptions>) {
  let handler: RequestHandler = async () => ok(null)
  const parts = setUp((request) => handler(request), options)
  const { state, handler: watching } = watch(parts.server, everyMs, count)
  handler = watching
  return { ...parts, state }
}

const numbers = (batch: readonly unknown[]) => batch.map((event) => (event as { object: { number: number } }).object.number)

describe('VirtualNetwork: exchange', () => {
  test('A request reaches the handler with method, path, query, headers, body and user', async () => {
    let seen: TransportRequest | undefined
    const { world, client } = setUp(async (request) => {
      seen = request
      return ok({ answer: 42 })
    })
    const user = { name: 'alice', groups: ['dev'] }
    const transport = client.network.connect(URL_OF_SERVER, { user })
    const response = await world.run(
      transport.request({
        method: 'PUT',
        path: '/a',
        query: new URLSearchParams('x=1&x=2'),
        headers: { accept: 'json' },
        body: { kind: 'value', value: { a: 1 } },
      }),
    )
    expect(seen).toMatchObject({ method: 'PUT', path: '/a', headers: { accept: 'json' }, body: { kind: 'value', value: { a: 1 } }, user })
    expect(seen!.query!.getAll('x')).toEqual(['1', '2'])
    expect(response).toEqual(ok({ answer: 42 }))
  })

  test('Neither side shares mutable state with the other', async () => {
    const stored = { spec: { list: [1] } }
    let received: Record<string, unknown> = {}
    const { world, transport } = setUp(async ({ body }) => {
      received = (body as { value: Record<string, unknown> }).value
      received.defaulted = true
      return ok(stored)
    })
    const sent: Record<string, unknown> = { spec: {} }
    const response = await world.run(transport.request(get('/x', { method: 'POST', body: { kind: 'value', value: sent } })))
    expect(sent).toEqual({ spec: {} })
    expect(received.spec).not.toBe(sent.spec)
    expect((response.body as { value: unknown }).value).toBe(stored)
    expect(Object.isFrozen(stored.spec.list)).toBe(true)
  })

  test('Bytes are copied on their way to the server', async () => {
    let received: Uint8Array | undefined
    const { world, transport } = setUp(async ({ body }) => {
      received = (body as { bytes: Uint8Array }).bytes
      return { status: 200, headers: {}, body: { kind: 'bytes', bytes: Uint8Array.of(9) } }
    })
    const bytes = Buffer.from('abc')
    const answer = transport.request(get('/x', { method: 'POST', body: { kind: 'bytes', bytes } }))
    bytes.fill(0)
    expect((await world.run(answer)).body).toEqual({ kind: 'bytes', bytes: Uint8Array.of(9) })
    expect(Buffer.from(received!).toString()).toBe('abc')
  })

  test('A body that is not plain JSON is refused before anything is sent', async () => {
    const { world, transport } = setUp(async () => ok(null))
    const answer = transport.request(get('/x', { body: { kind: 'value', value: { at: new Date(0) } } }))
    await expect(answer).rejects.toThrow(new TypeError('Value is not plain JSON: $.at is an instance of Date'))
    await world.advance(0)
    expect(world.events).toBe(0)
  })

  test('Nobody listens: ECONNREFUSED, and the origin is what counts', async () => {
    const { world, client, listener } = setUp(async () => ok(1))
    expect(listener.url).toBe(URL_OF_SERVER)
    const other = client.network.connect('https://server:6444').request(get())
    await expect(world.run(other)).rejects.toMatchObject({ name: 'TransportError', code: 'ECONNREFUSED' })
    expect((await world.run(client.network.connect(`${URL_OF_SERVER}/deep/path?q=1`).request(get()))).status).toBe(200)
  })

  test('An origin is taken until its listener closes', async () => {
    const { world, server, listener, client } = setUp(async () => ok(1))
    expect(() => client.network.listen(`${URL_OF_SERVER}/`, async () => ok(2))).toThrow(expect.objectContaining({ code: 'EADDRINUSE' }))
    await listener.close()
    await listener.close()
    await expect(world.run(client.network.connect(URL_OF_SERVER).request(get()))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    server.network.listen(URL_OF_SERVER, async () => ok(2))
    expect(await world.run(client.network.connect(URL_OF_SERVER).request(get()))).toEqual(ok(2))
  })

  test('A handler that throws breaks the connection, with the cause', async () => {
    const cause = new Error('bug')
    const { world, transport } = setUp(() => {
      throw cause
    })
    await expect(world.run(transport.request(get()))).rejects.toMatchObject({ code: 'ECONNRESET', cause })
  })

  test('An abort rejects with its reason at once and reaches the server later', async () => {
    let seen: AbortSignal | undefined
    const { world, transport } = setUp(({ signal }) => {
      seen = signal
      return new Promise(() => {})
    })
    const controller = new AbortController()
    const answer = transport.request(get('/x', { signal: controller.signal }))
    await world.run(() => seen !== undefined)
    const reason = { why: 'leaving' }
    controller.abort(reason)
    expect(seen!.aborted).toBe(false)
    await expect(answer).rejects.toBe(reason)
    await world.advance(0)
    expect(seen!.aborted).toBe(true)
    expect(seen!.reason).toBeInstanceOf(TransportError)
    await expect(transport.request(get('/x', { signal: controller.signal }))).rejects.toBe(reason)
  })

  test('close ends the requests of this transport alone and refuses new ones', async () => {
    const { world, transport, client } = setUp(({ path, signal }) =>
      path === '/wait' ? new Promise((resolve) => signal!.addEventListener('abort', () => resolve(ok(0)))) : Promise.resolve(ok(1)),
    )
    const other = client.network.connect(URL_OF_SERVER)
    const waiting = transport.request(get('/wait'))
    const kept = other.request(get('/wait')).catch(() => 'ended')
    await world.advance(0)
    const rejected = expect(waiting).rejects.toMatchObject({ code: 'ECONNABORTED' })
    await transport.close()
    await rejected
    await expect(transport.request(get())).rejects.toMatchObject({ code: 'ECONNABORTED' })
    await world.advance(1)
    expect(await Promise.race([kept, 'open'])).toBe('open')
  })

  test('Closing the listener resets open exchanges and tells their handlers', async () => {
    let seen: AbortSignal | undefined
    const { world, transport, listener } = setUp(({ signal }) => {
      seen = signal
      return new Promise(() => {})
    })
    const answer = transport.request(get())
    await world.advance(0)
    await listener.close()
    expect(seen!.aborted).toBe(true)
    await expect(world.run(answer)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  test('Latency is drawn for each journey, up to the bound, and reorders requests', async () => {
    const durations = new Set<number>()
    const orders = new Set<string>()
    for (let seed = 0; seed < 50; seed++) {
      const seen: string[] = []
      const { world, client, transport } = setUp(
        async ({ path }) => {
          seen.push(path)
          return ok(1)
        },
        { seed, maxLatencyMs: 10 },
      )
      const timed = async (path: string) => {
        const start = client.monotonicMs()
        await transport.request(get(path))
        durations.add(client.monotonicMs() - start)
      }
      await world.run(Promise.all([timed('a'), timed('b'), timed('c')]))
      orders.add(seen.join(''))
    }
    expect(Math.max(...durations)).toBeLessThanOrEqual(20)
    expect(durations.size).toBeGreaterThan(12)
    expect(orders.size).toBe(6)
  })
})

describe('VirtualNetwork: streams', () => {
  test('Each batch is one delivery and keeps its order under latency', async () => {
    const { world, transport, state } = await setUpWatch(1, 50, { maxLatencyMs: 20 })
    const read = async () => {
      const seen: number[] = []
      for await (const batch of batchesOf(await transport.request(get()))) {
        expect(Object.isFrozen(batch[0])).toBe(true)
        seen.push(...numbers(batch))
      }
      return seen
    }
    expect(await world.run(read())).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
    expect(state.closed).toBe(true)
    expect(world.trace.entries.filter((entry) => entry.includes('1 events'))).toHaveLength(50)
  })

  test('A byte stream passes chunks', async () => {
    const { world, transport } = setUp(async () => ({
      status: 200,
      headers: {},
      body: {
        kind: 'byte-stream',
        chunks: (async function* () {
          yield Uint8Array.of(1)
          yield Uint8Array.of(2)
        })(),
      },
    }))
    const read = async () => {
      const { body } = await transport.request(get())
      const seen: Uint8Array[] = []
      if (body.kind === 'byte-stream') for await (const chunk of body.chunks) seen.push(chunk)
      return seen
    }
    expect(await world.run(read())).toEqual([Uint8Array.of(1), Uint8Array.of(2)])
  })

  test('Ending the iteration closes the stream at the server', async () => {
    const { world, transport, state } = await setUpWatch(10)
    const read = async () => {
      for await (const batch of batchesOf(await transport.request(get()))) if (numbers(batch)[0] === 3) break
    }
    await world.run(read())
    expect(state.closed).toBe(false)
    await world.advance(0)
    expect(state.closed).toBe(true)
    await world.advance(100)
    expect(state.sent).toBe(3)
  })

  test('An abort ends the reader with its reason and closes the stream at the server', async () => {
    const { world, transport, state, client } = await setUpWatch(10)
    const controller = new AbortController()
    const reason = { why: 'leaving' }
    client.timer(25, () => controller.abort(reason))
    const read = async () => {
      for await (const _ of batchesOf(await transport.request(get('/x', { signal: controller.signal }))))
        expect(world.elapsedMs).toBeLessThan(25)
    }
    await expect(world.run(read())).rejects.toBe(reason)
    await world.advance(0)
    expect(state.closed).toBe(true)
  })

  test('A server stream that throws breaks the connection, with the cause, after what was sent', async () => {
    const cause = new Error('bug')
    const { world, transport } = setUp(async () =>
      streaming(
        (async function* () {
          yield [1]
          throw cause
        })(),
      ),
    )
    const seen: unknown[] = []
    const read = async () => {
      for await (const batch of batchesOf(await transport.request(get()))) seen.push(...batch)
    }
    await expect(world.run(read())).rejects.toMatchObject({ code: 'ECONNRESET', cause })
    expect(seen).toEqual([1])
  })

  test('A reader that does not read stops the server, not memory', async () => {
    const { world, transport, state } = await setUpWatch(1)
    const response = await world.run(transport.request(get()))
    await world.advance(1_000)
    expect(state.sent).toBe(16)
    const iterator = batchesOf(response)[Symbol.asyncIterator]()
    for (let expected = 1; expected <= 30; expected++) {
      const { value } = await world.run(iterator.next())
      expect(numbers(value as readonly unknown[])).toEqual([expected])
    }
  })

  test('A stream whose answer nobody waits for any more is closed', async () => {
    const { world, transport, state } = await setUpWatch(1)
    const controller = new AbortController()
    const answer = transport.request(get('/x', { signal: controller.signal })).catch(() => 'aborted')
    world.network.intercept({ response: () => void controller.abort() })
    expect(await world.run(answer)).toBe('aborted')
    await world.advance(100)
    expect(state.sent).toBe(0)
    expect(world.pending()).toEqual([])
  })
})

describe('VirtualNetwork: death', () => {
  test('The death of a client ends its exchanges at the server, and it never hears of it', async () => {
    const { world, transport, client, state } = await setUpWatch(10)
    const seen: string[] = []
    const read = async () => {
      try {
        for await (const batch of batchesOf(await transport.request(get()))) seen.push(`batch ${numbers(batch)}`)
      } finally {
        seen.push('ended')
      }
    }
    void read()
    await world.advance(25)
    client.kill()
    expect(state.closed).toBe(false)
    await world.advance(0)
    expect(state.closed).toBe(true)
    await world.advance(100)
    expect(seen).toEqual(['batch 1', 'batch 2'])
    void transport.request(get()).finally(() => seen.push('request'))
    await world.advance(100)
    expect(seen).toHaveLength(2)
  })

  test('A write of a client that died with it on its way is applied for some seeds and not for others', async () => {
    const applied = new Set<boolean>()
    for (let seed = 0; seed < 30; seed++) {
      let count = 0
      const { world, transport, client } = setUp(
        async () => {
          count++
          return ok(1)
        },
        { seed },
      )
      void transport.request(get('/x', { method: 'POST' }))
      client.kill()
      await world.advance(10)
      applied.add(count === 1)
    }
    expect(applied).toEqual(new Set([true, false]))
  })

  test('The death of the server resets requests and streams; afterwards the connection is refused until it listens again', async () => {
    const { world, transport, server, state, client } = await setUpWatch(10)
    const hanging = client.network.connect(URL_OF_SERVER)
    const seen: number[] = []
    const read = async () => {
      for await (const batch of batchesOf(await transport.request(get()))) seen.push(...numbers(batch))
    }
    const reading = read()
    await world.advance(25)
    server.kill()
    await expect(world.run(reading)).rejects.toMatchObject({ name: 'TransportError', code: 'ECONNRESET' })
    expect(seen).toEqual([1, 2])
    await expect(world.run(hanging.request(get()))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await world.advance(100)
    expect(state).toEqual({ sent: 2, closed: false })
    world.process('server').network.listen(URL_OF_SERVER, async () => ok('again'))
    expect(await world.run(transport.request(get()))).toEqual(ok('again'))
  })

  test('A request that the server was working on when it died gets ECONNRESET', async () => {
    let reached = false
    const { world, transport, server } = setUp(async () => {
      reached = true
      await server.sleep(1_000)
      return ok(1)
    })
    const answer = transport.request(get())
    await world.run(() => reached)
    server.kill()
    await expect(world.run(answer)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  test('A dead process can neither listen nor connect', async () => {
    const { world, server, client } = setUp(async () => ok(1))
    server.kill()
    server.network.listen(URL_OF_SERVER, async () => ok('ghost'))
    await expect(world.run(client.network.connect(URL_OF_SERVER).request(get()))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

describe('VirtualNetwork: faults', () => {
  test.each([
    ['refuse', { kind: 'refuse' }, 0, 'ECONNREFUSED'],
    ['fail', { kind: 'fail' }, 0, 'ECONNRESET'],
    ['fail with a code', { kind: 'fail', code: 'EPIPE' }, 0, 'EPIPE'],
    ['lose-response', { kind: 'lose-response' }, 1, 'ECONNRESET'],
  ] as const)('%s: whether the server handled it, and what the client gets', async (_name, fault, handled, code) => {
    let count = 0
    const { world, transport, client } = setUp(async () => {
      count++
      return ok(1)
    })
    const asked: unknown[] = []
    const stop = world.network.intercept((exchange) => {
      asked.push(exchange.client, exchange.request.method, exchange.origin)
      return fault
    })
    await expect(world.run(transport.request(get()))).rejects.toMatchObject({ name: 'TransportError', code })
    expect(count).toBe(handled)
    expect(asked).toEqual([client, 'GET', URL_OF_SERVER])
    stop()
    expect(await world.run(transport.request(get()))).toEqual(ok(1))
  })

  test('delay postpones the request, or the response', async () => {
    const { world, transport } = setUp(async () => ok(1))
    const stop = world.network.intercept(() => ({ kind: 'delay', ms: 70 }))
    await world.run(transport.request(get()))
    expect(world.elapsedMs).toBe(70)
    stop()
    world.network.intercept({ response: () => ({ kind: 'delay', ms: 5 }) })
    await world.run(transport.request(get()))
    expect(world.elapsedMs).toBe(75)
  })

  test('stall lets the client wait until it gives up', async () => {
    const { world, transport, client } = setUp(async () => ok(1))
    world.network.intercept(() => ({ kind: 'stall' }))
    const controller = new AbortController()
    client.timer(60_000, () => controller.abort('enough'))
    await expect(world.run(transport.request(get('/x', { signal: controller.signal })))).rejects.toBe('enough')
    await expect(world.run(transport.request(get()))).rejects.toThrow(/client: GET https:\/\/server:6443\/x \(on its way\)/)
  })

  test('The first interceptor with an answer other than pass decides', async () => {
    const { world, transport } = setUp(async () => ok(1))
    world.network.intercept(() => undefined)
    world.network.intercept(() => ({ kind: 'pass' }))
    world.network.intercept(() => ({ kind: 'refuse' }))
    world.network.intercept(() => ({ kind: 'stall' }))
    await expect(world.run(transport.request(get()))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('An interceptor kills the client before the write, or between the write and its answer', async () => {
    for (const hook of ['request', 'response'] as const) {
      let applied = 0
      const { world, transport } = setUp(
        async () => {
          applied++
          return ok(1)
        },
        { order: 'fifo' },
      )
      const killer: Interceptor = { [hook]: ({ client }: { client: VirtualProcess }) => void client.kill() }
      world.network.intercept(killer)
      let settled = false
      void transport.request(get('/x', { method: 'POST' })).finally(() => {
        settled = true
      })
      await world.advance(60_000)
      expect({ applied, settled }).toEqual({ applied: hook === 'request' ? 0 : 1, settled: false })
    }
  })

  test('An interceptor kills the server after it applied a write: the client gets ECONNRESET', async () => {
    const { world, transport } = setUp(async () => ok(1))
    world.network.intercept({ response: ({ server }) => void server!.kill() })
    await expect(world.run(transport.request(get()))).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  test('A batch can be dropped, delayed with all that follow, reset or stalled', async () => {
    const readWith = async (fault: ReturnType<NonNullable<Interceptor['batch']>>) => {
      const { world, transport, state } = await setUpWatch(1, 4)
      world.network.intercept({ batch: (_exchange, batch) => (numbers(batch as readonly unknown[])[0] === 2 ? fault : undefined) })
      const seen: string[] = []
      const read = async () => {
        for await (const batch of batchesOf(await transport.request(get()))) seen.push(`${numbers(batch)}@${world.elapsedMs}`)
        seen.push('end')
      }
      read().catch((error: TransportError) => seen.push(error.code))
      await world.advance(1_000)
      return { seen: seen.join(' '), closed: state.closed }
    }
    expect(await readWith({ kind: 'drop' })).toEqual({ seen: '1@1 3@3 4@4 end', closed: true })
    expect(await readWith({ kind: 'delay', ms: 50 })).toEqual({ seen: '1@1 2@52 3@53 4@54 end', closed: true })
    expect(await readWith({ kind: 'reset' })).toEqual({ seen: '1@1 ECONNRESET', closed: true })
    expect(await readWith({ kind: 'stall' })).toEqual({ seen: '1@1', closed: false })
  })

  test('An interceptor that throws ends the run', async () => {
    const { world, transport } = setUp(async () => ok(1))
    const bug = new Error('bug')
    world.network.intercept({
      response: () => {
        throw bug
      },
    })
    await expect(world.run(transport.request(get()))).rejects.toBe(bug)
  })

  test.each(['client', 'server', URL_OF_SERVER])('A partition of %s silences streams until it heals, and nothing is lost', async (who) => {
    const { world, transport } = await setUpWatch(10, 8)
    const seen: string[] = []
    const read = async () => {
      for await (const batch of batchesOf(await transport.request(get()))) seen.push(...numbers(batch).map(String))
      seen.push('end')
    }
    const reading = read()
    await world.advance(25)
    world.network.partition(who, true)
    world.network.partition(who, true)
    await world.advance(1_000)
    expect(seen).toEqual(['1', '2'])
    world.network.partition(who, false)
    await world.run(reading)
    expect(seen).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', 'end'])
  })

  test('A request made during a partition times out after 30 s, or goes through when it heals before', async () => {
    let handled = 0
    const { world, transport } = setUp(async () => {
      handled++
      return ok(1)
    })
    world.network.partition('server', true)
    await expect(world.run(transport.request(get()))).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    expect(world.elapsedMs).toBe(30_000)
    const answer = transport.request(get())
    await world.advance(10_000)
    world.network.partition('server', false)
    expect(await world.run(answer)).toEqual(ok(1))
    await world.advance(60_000)
    expect(handled).toBe(1)
  })

  test('A process that is cut off still reaches itself', async () => {
    const { world, server } = setUp(async () => ok(1))
    world.network.partition('server', true)
    expect(await world.run(server.network.connect(URL_OF_SERVER).request(get()))).toEqual(ok(1))
  })
})

describe('VirtualWorld: trace hash', () => {
  /** Three clients that write to and watch one counter, one of which dies and comes back. */
  async function history(seed: number, note = 'x') {
    const world = new VirtualWorld({ seed, maxLatencyMs: 3 })
    const server = world.process('server')
    let value = 0
    const watchers = new Set<() => void>()
    server.network.listen(URL_OF_SERVER, async ({ method }) => {
      if (method === 'POST') {
        value++
        for (const wake of watchers) wake()
        return ok({ value, uid: server.uuid(), at: server.now(), note })
      }
      return streaming(
        (async function* () {
          for (let sent = 0; ; sent = value) {
            while (sent === value) await new Promise<void>((resolve) => watchers.add(resolve))
            yield [{ type: 'MODIFIED', object: { value } }]
          }
        })(),
      )
    })
    const operator = async (process: VirtualProcess) => {
      const transport = process.network.connect(URL_OF_SERVER)
      const write = async () => {
        for (let index = 0; index < 5; index++) {
          await process.sleep(process.random() * 10)
          await transport.request(get('/counter', { method: 'POST', body: { kind: 'value', value: { from: process.name, index } } }))
        }
      }
      const read = async () => {
        for await (const [event] of batchesOf(await transport.request(get('/counter'))))
          if ((event as { object: { value: number } }).object.value > 12) return
      }
      await Promise.all([write(), read()])
    }
    const clients = ['a', 'b', 'c'].map((name) => world.process(name))
    const running = clients.map(operator)
    world.process('chaos').timer(12, () => {
      clients[0]!.kill()
      running[0] = operator(world.process('a'))
    })
    await world.advance(12)
    await world.run(Promise.all(running))
    return world.trace.hash
  }

  test('The same seed gives the same hash', async () => {
    for (const seed of [1, 2, 3]) expect(await history(seed)).toBe(await history(seed))
  })

  test('The hash of a seed is the same in every process, on every machine and version of Node', async () => {
    expect([await history(1), await history(2)]).toEqual(['4b252818cf61f7ca', '9f056e0237366861'])
  })

  test('Different seeds give different hashes', async () => {
    const hashes = await Promise.all(Array.from({ length: 200 }, (_, seed) => history(seed)))
    expect(new Set(hashes).size).toBe(200)
  })

  test('The hash covers what the bodies say', async () => {
    expect(await history(1, 'y')).not.toBe(await history(1, 'x'))
  })
})

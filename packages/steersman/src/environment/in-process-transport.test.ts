import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import {
  createInProcessTransport,
  createLocalNetwork,
  type RequestHandler,
  systemEnvironment,
  TransportError,
  type TransportRequest,
  type TransportResponse,
  VirtualWorld,
} from './index.js'

const get = (path = '/x', more?: Partial<TransportRequest>): TransportRequest => ({ method: 'GET', path, headers: {}, ...more })
const ok = (value: unknown): TransportResponse => ({ status: 200, headers: {}, body: { kind: 'value', value } })

/** A watch of which the test decides when it sends and that remembers how it was closed. */
function controlledWatch() {
  const queue: unknown[][] = []
  const state = { closed: false, signal: undefined as AbortSignal | undefined }
  let wake = () => {}
  const handler: RequestHandler = async ({ signal }) => {
    state.signal = signal
    signal!.addEventListener('abort', () => wake())
    async function* batches() {
      try {
        while (!signal!.aborted) {
          const batch = queue.shift()
          if (batch !== undefined) yield batch
          else
            await new Promise<void>((resolve) => {
              wake = resolve
            })
        }
      } finally {
        state.closed = true
      }
    }
    return { status: 200, headers: {}, body: { kind: 'value-stream', batches: batches() } }
  }
  const send = (...batch: unknown[]) => {
    queue.push(batch)
    wake()
  }
  return { handler, state, send }
}

async function open(handler: RequestHandler, signal?: AbortSignal) {
  const transport = createInProcessTransport(handler, systemEnvironment)
  const { body } = await transport.request(get('/watch', { signal }))
  if (body.kind !== 'value-stream') throw new Error('expected a stream')
  return { transport, iterator: body.batches[Symbol.asyncIterator]() }
}

const turn = () => systemEnvironment.sleep(0)

describe('createInProcessTransport', () => {
  test('The handler gets a copy of the request and the user; the client gets the frozen answer', async () => {
    let seen: TransportRequest | undefined
    const stored = { list: [{}] }
    const user = { name: 'admin' }
    const handler: RequestHandler = async (request) => {
      seen = request
      return ok(stored)
    }
    const transport = createInProcessTransport(handler, systemEnvironment, { user })
    const value = { a: { b: 1 }, dropped: undefined }
    const response = await transport.request(get('/x', { method: 'POST', body: { kind: 'value', value }, user: { name: 'mallory' } }))
    expect(response).toEqual(ok(stored))
    expect((response.body as { value: unknown }).value).toBe(stored)
    expect(Object.isFrozen(stored.list[0])).toBe(true)
    expect(seen!.user).toBe(user)
    const received = (seen!.body as { value: typeof value }).value
    expect(received).toStrictEqual({ a: { b: 1 } })
    expect(received.a).not.toBe(value.a)
  })

  test('A body that is not plain JSON is refused', async () => {
    const transport = createInProcessTransport(async () => ok(1), systemEnvironment)
    await expect(transport.request(get('/x', { body: { kind: 'value', value: [new Map()] } }))).rejects.toThrow(
      /\$\[0\] is an instance of Map/,
    )
  })

  test('A handler that throws breaks the connection, with the cause', async () => {
    const cause = new Error('bug')
    const transport = createInProcessTransport(() => {
      throw cause
    }, systemEnvironment)
    await expect(transport.request(get())).rejects.toMatchObject({ name: 'TransportError', code: 'ECONNRESET', cause })
  })

  test('An abort rejects with its reason unchanged and reaches the handler', async () => {
    let seen: AbortSignal | undefined
    const transport = createInProcessTransport(({ signal }) => {
      seen = signal
      return new Promise(() => {})
    }, systemEnvironment)
    const controller = new AbortController()
    const answer = transport.request(get('/x', { signal: controller.signal }))
    await turn()
    const reason = { why: 'leaving' }
    controller.abort(reason)
    await expect(answer).rejects.toBe(reason)
    expect(seen!.reason).toBeInstanceOf(TransportError)
    await expect(transport.request(get('/x', { signal: controller.signal }))).rejects.toBe(reason)
  })

  test('Many requests at once share one listener on a signal, and leave none behind', async () => {
    const transport = createInProcessTransport(async () => ok({}), systemEnvironment)
    const { signal } = new AbortController()
    const answers = Array.from({ length: 50 }, () => transport.request(get('/x', { signal })))
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    await Promise.all(answers)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  test('A handler that first looks at the signal after the abort finds it aborted', async () => {
    const controller = new AbortController()
    let seen: AbortSignal | undefined
    let looked = () => {}
    const done = new Promise<void>((resolve) => {
      looked = resolve
    })
    const transport = createInProcessTransport(async (request) => {
      await turn()
      seen = request.signal
      looked()
      return ok(1)
    }, systemEnvironment)
    const answer = transport.request(get('/x', { signal: controller.signal })).catch(() => 'aborted')
    controller.abort()
    expect(await answer).toBe('aborted')
    await done
    expect(seen!.aborted).toBe(true)
  })

  test('A stream gives batches frozen and in order, to readers that wait and readers that come later', async () => {
    const { handler, send } = controlledWatch()
    const { iterator } = await open(handler)
    const waiting = [iterator.next(), iterator.next()]
    send({ n: 1 })
    send({ n: 2 })
    expect(await Promise.all(waiting)).toEqual([
      { done: false, value: [{ n: 1 }] },
      { done: false, value: [{ n: 2 }] },
    ])
    send({ n: 3 })
    const { value } = await iterator.next()
    expect(Object.isFrozen(value![0])).toBe(true)
  })

  test('Ending the iteration closes the stream at the server', async () => {
    const { handler, send, state } = controlledWatch()
    const { iterator } = await open(handler)
    send(1)
    await iterator.next()
    expect(await iterator.return!()).toEqual({ done: true, value: undefined })
    await turn()
    expect(state.closed).toBe(true)
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })

  test('An abort ends the reader with its reason and closes the stream at the server', async () => {
    const { handler, state } = controlledWatch()
    const controller = new AbortController()
    const { iterator } = await open(handler, controller.signal)
    const waiting = iterator.next()
    const reason = { why: 'leaving' }
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    await turn()
    expect(state.closed).toBe(true)
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })

  test('close ends streams and requests, and refuses new requests', async () => {
    const { handler, state } = controlledWatch()
    const { transport, iterator } = await open(handler)
    const rejected = expect(iterator.next()).rejects.toMatchObject({ code: 'ECONNABORTED' })
    await transport.close()
    await rejected
    await turn()
    expect(state.closed).toBe(true)
    await expect(transport.request(get())).rejects.toMatchObject({ code: 'ECONNABORTED' })
  })

  test('A stream that answers an aborted request is closed', async () => {
    const { handler, state } = controlledWatch()
    const controller = new AbortController()
    const transport = createInProcessTransport(async (request) => {
      await turn()
      return handler(request)
    }, systemEnvironment)
    const answer = transport.request(get('/x', { signal: controller.signal })).catch(() => 'aborted')
    controller.abort()
    expect(await answer).toBe('aborted')
    await turn()
    await turn()
    expect(state.signal!.aborted).toBe(true)
  })

  test('In a virtual process its completions are deliveries, and none comes after a kill', async () => {
    const world = new VirtualWorld({ seed: 1, traceEntries: 10 })
    const process = world.process('p')
    const transport = createInProcessTransport(async () => ok(1), process)
    expect(await world.run(transport.request(get('/x', { query: new URLSearchParams('a=1') })))).toEqual(ok(1))
    expect(world.trace.entries.at(-1)).toBe('+0 ms p <- GET /x?a=1')
    let settled = false
    void transport.request(get()).finally(() => {
      settled = true
    })
    process.kill()
    await world.advance(1_000)
    expect(settled).toBe(false)
  })
})

describe('createLocalNetwork', () => {
  test('A client reaches whoever listens on the origin when it asks', async () => {
    const network = createLocalNetwork(systemEnvironment)
    const transport = network.connect('http://server:80/path')
    await expect(transport.request(get())).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    const first = network.listen('http://server', async () => ok(1))
    expect(first.url).toBe('http://server')
    expect(() => network.listen('http://server/', async () => ok(2))).toThrow(expect.objectContaining({ code: 'EADDRINUSE' }))
    expect(await transport.request(get())).toEqual(ok(1))
    await first.close()
    await expect(transport.request(get())).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    network.listen('http://server', async () => ok(2))
    await first.close()
    expect(await transport.request(get())).toEqual(ok(2))
  })

  test('Closing a listener ends open exchanges', async () => {
    const network = createLocalNetwork(systemEnvironment)
    let seen: AbortSignal | undefined
    const listener = network.listen('http://server', ({ signal }) => {
      seen = signal
      return new Promise(() => {})
    })
    const rejected = expect(network.connect('http://server').request(get())).rejects.toMatchObject({ code: 'ECONNRESET' })
    await turn()
    await listener.close()
    await rejected
    expect(seen!.aborted).toBe(true)
  })
})

import { setTimeout as realSleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { VirtualWorld, VirtualWorldError, type VirtualWorldOptions } from './index.js'

const createWorld = (options?: Partial<VirtualWorldOptions>) => new VirtualWorld({ seed: 1, ...options })

describe('VirtualWorld: clock', () => {
  test('The clock begins at a fixed date and stands still while nothing runs', async () => {
    const world = createWorld()
    expect(new Date(world.now).toISOString()).toBe('2026-01-01T00:00:00.000Z')
    await world.advance(0)
    expect(world.elapsedMs).toBe(0)
  })

  test('The clock jumps an hour with 10,000 timers, in order of due time', async () => {
    const world = createWorld()
    const process = world.process('p')
    const fired: number[] = []
    for (let index = 0; index < 10_000; index++) {
      const due = ((index * 7919) % 10_000) * 360
      process.timer(due, () => fired.push(due))
    }
    await world.advance(3_600_000)
    expect(fired).toHaveLength(10_000)
    expect(fired).toEqual([...fired].sort((a, b) => a - b))
    expect(world.elapsedMs).toBe(3_600_000)
  })

  test('The clock does not jump while a completion is ready or a microtask is left', async () => {
    const world = createWorld()
    const process = world.process('p')
    const seen: string[] = []
    process.timer(1, () => seen.push('timer'))
    const chain = async () => {
      for (let index = 0; index < 100; index++) await process.deliver('step', Promise.resolve())
      for (let index = 0; index < 1_000; index++) await undefined
      seen.push(`chain at ${world.elapsedMs}`)
    }
    await world.run(Promise.all([chain(), process.sleep(1)]))
    expect(seen).toEqual(['chain at 0', 'timer'])
  })

  test('advance handles what is due at its end and nothing later', async () => {
    const world = createWorld()
    const process = world.process('p')
    const fired: string[] = []
    process.timer(10, () => fired.push('at 10'))
    process.timer(11, () => fired.push('at 11'))
    await world.advance(10)
    expect(fired).toEqual(['at 10'])
    await world.advance(1)
    expect(fired).toEqual(['at 10', 'at 11'])
  })

  test('A cancelled timer does not fire, neither before nor after it is due', async () => {
    const world = createWorld({ order: 'fifo' })
    const process = world.process('p')
    const fired: string[] = []
    const early = process.timer(5, () => fired.push('early'))
    const late = process.timer(10, () => fired.push('late'))
    process.timer(10, () => fired.push('other'))
    // Due at the same instant and fired first: `late` is ready by then.
    process.timer(9.5, () => late.cancel())
    early.cancel()
    early.cancel()
    await world.advance(20)
    expect(fired).not.toContain('early')
    const ready = createWorld({ order: 'fifo' })
    const other = ready.process('p')
    other.timer(1, () => second.cancel())
    const second = other.timer(1, () => fired.push('second'))
    await ready.advance(1)
    expect(fired).not.toContain('second')
  })

  test('A delay is rounded up to whole milliseconds; a negative one is none; one that is not finite is refused', async () => {
    const world = createWorld()
    const process = world.process('p')
    const fired: number[] = []
    process.timer(1.2, () => fired.push(world.elapsedMs))
    process.timer(-5, () => fired.push(world.elapsedMs))
    await world.advance(10)
    expect(fired).toEqual([0, 2])
    expect(() => process.timer(Number.NaN, () => {})).toThrow(RangeError)
    await expect(process.sleep(Infinity)).rejects.toThrow(RangeError)
    await expect(world.advance(Number.NaN)).rejects.toThrow(RangeError)
  })

  test('sleep rethrows the reason of an abort unchanged, before and during the wait', async () => {
    const world = createWorld()
    const process = world.process('p')
    const reason = { why: 'leaving' }
    await expect(process.sleep(10, AbortSignal.abort(reason))).rejects.toBe(reason)
    const controller = new AbortController()
    const waiting = process.sleep(10, controller.signal)
    process.timer(5, () => controller.abort(reason))
    await expect(world.run(waiting)).rejects.toBe(reason)
    expect(world.elapsedMs).toBe(5)
  })

  test('A process sees its own wall clock, and a monotonic one from its start', async () => {
    const world = createWorld({ startMs: 1_000 })
    await world.advance(500)
    const process = world.process('p', { clockOffsetMs: 20_000 })
    await world.advance(7)
    expect(world.now).toBe(1_507)
    expect(process.now()).toBe(21_507)
    expect(process.monotonicMs()).toBe(7)
    process.clockOffsetMs = -100
    expect(process.now()).toBe(1_407)
    expect(process.monotonicMs()).toBe(7)
  })
})

describe('VirtualWorld: run', () => {
  test('run returns what the promise resolved to, and throws what it rejected with', async () => {
    const world = createWorld()
    const process = world.process('p')
    await expect(world.run(process.sleep(5).then(() => 'done'))).resolves.toBe('done')
    const failure = new Error('no')
    await expect(world.run(process.sleep(5).then(() => Promise.reject(failure)))).rejects.toBe(failure)
  })

  test('run ends as soon as its condition holds', async () => {
    const world = createWorld()
    const process = world.process('p')
    let count = 0
    const tick = () => {
      count++
      process.timer(10, tick)
    }
    tick()
    await world.run(() => count === 4)
    expect(world.elapsedMs).toBe(30)
    await world.run(() => true)
    expect(count).toBe(4)
  })

  test('run says that nothing can happen any more and what is awaited', async () => {
    const world = createWorld()
    const process = world.process('operator')
    world.process('server').network.listen('https://server:6443', () => new Promise(() => {}))
    const request = process.network
      .connect('https://server:6443')
      .request({ method: 'GET', path: '/api', query: new URLSearchParams('a=b'), headers: {} })
    const stuck = process.deliver('GET /healthz', new Promise<void>(() => {}))
    const error = await world.run(Promise.all([stuck, request])).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(VirtualWorldError)
    expect(error).toMatchObject({ code: 'DEADLOCK' })
    expect((error as Error).message).toContain('operator: GET /healthz')
    expect((error as Error).message).toContain('operator: GET https://server:6443/api?a=b (not answered)')
    await expect(world.run(() => false)).rejects.toMatchObject({ code: 'DEADLOCK' })
  })

  test('run stops at its limits of virtual time and of events, and the world can go on', async () => {
    const world = createWorld()
    const process = world.process('p')
    let count = 0
    const tick = () => {
      count++
      process.timer(10, tick)
    }
    tick()
    await expect(world.run(() => false, { maxVirtualMs: 95 })).rejects.toMatchObject({ code: 'TIME_LIMIT' })
    expect(world.elapsedMs).toBe(90)
    await expect(world.run(() => false, { maxEvents: 5 })).rejects.toMatchObject({ code: 'EVENT_LIMIT' })
    expect(count).toBe(15)
    await world.run(() => count === 16)
  })

  test('A loop that never lets the clock move is stopped by the limit of events', async () => {
    const world = createWorld()
    const process = world.process('p')
    const spin = (): void => {
      process.timer(0, spin)
    }
    spin()
    await expect(world.advance(1, { maxEvents: 1_000 })).rejects.toThrow(/at \+0 ms/)
  })

  test('What a timer callback throws ends the run', async () => {
    const world = createWorld()
    const failure = new Error('bug')
    world.process('p').timer(1, () => {
      throw failure
    })
    await expect(world.advance(5)).rejects.toBe(failure)
  })

  test('Only one run at a time', async () => {
    const world = createWorld()
    const first = world.run(world.process('p').sleep(1))
    await expect(world.advance(1)).rejects.toMatchObject({ code: 'ALREADY_RUNNING' })
    await first
  })

  test('A hundred thousand deliveries each resume their waiter, in either order', async () => {
    for (const order of ['random', 'fifo'] as const) {
      const world = createWorld({ order })
      const process = world.process('p')
      let resumed = 0
      const loop = async () => {
        for (let index = 0; index < 10_000; index++) {
          await process.deliver('x', Promise.resolve())
          resumed++
        }
      }
      await world.run(Promise.all(Array.from({ length: 10 }, loop)))
      expect(resumed).toBe(100_000)
      expect(world.events).toBe(100_000)
    }
  })

  test('A long first-in-first-out queue keeps its order', async () => {
    const world = createWorld({ order: 'fifo' })
    const process = world.process('p')
    const seen: number[] = []
    for (let index = 0; index < 20_000; index++) process.timer(0, () => seen.push(index))
    await world.advance(0)
    expect(seen).toEqual(Array.from({ length: 20_000 }, (_, index) => index))
  })
})

describe('VirtualWorld: order', () => {
  async function order(seed: number, kind: 'random' | 'fifo' = 'random') {
    const world = createWorld({ seed, order: kind })
    const process = world.process('p')
    const seen: string[] = []
    for (const name of ['a', 'b', 'c', 'd']) void process.deliver(name, Promise.resolve()).then(() => seen.push(name))
    for (const name of ['t', 'u', 'v', 'w']) process.timer(5, () => seen.push(name))
    await world.advance(5)
    return { seen: seen.join(''), hash: world.trace.hash }
  }

  test('The same seed gives the same order and the same hash', async () => {
    for (let seed = 0; seed < 20; seed++) expect(await order(seed)).toEqual(await order(seed))
  })

  test('Different seeds choose differently among completions, and among timers of one instant', async () => {
    const results = await Promise.all(Array.from({ length: 200 }, (_, seed) => order(seed)))
    expect(new Set(results.map(({ seen }) => seen.slice(0, 4))).size).toBe(24)
    expect(new Set(results.map(({ seen }) => seen.slice(4))).size).toBe(24)
    expect(new Set(results.map(({ hash }) => hash)).size).toBe(new Set(results.map(({ seen }) => seen)).size)
    for (const { seen } of results) expect([...seen.slice(0, 4)].sort().join('')).toBe('abcd')
  })

  test('First in first out takes the order of arrival, whatever the seed', async () => {
    expect((await order(1, 'fifo')).seen).toBe('abcdtuvw')
    expect(await order(2, 'fifo')).toEqual(await order(3, 'fifo'))
  })

  test('deliver rethrows a rejection unchanged', async () => {
    const world = createWorld()
    const failure = { code: 404 }
    await expect(world.run(world.process('p').deliver('x', Promise.reject(failure)))).rejects.toBe(failure)
  })
})

describe('VirtualWorld: hold', () => {
  test('Held work blocks the clock and every event until it has settled', async () => {
    const world = createWorld()
    const process = world.process('p')
    const seen: string[] = []
    const work = async () => {
      const value = await process.hold(realSleep(20, 'real'))
      seen.push(`${value} at ${world.elapsedMs}`)
    }
    process.timer(0, () => seen.push('ready'))
    process.timer(5, () => seen.push('timer'))
    await world.run(Promise.all([work(), process.sleep(5)]))
    expect(seen).toEqual(['real at 0', 'ready', 'timer'])
  })

  test('Held work is released in the order in which it began, however long it took', async () => {
    const hashes = new Set<string>()
    for (const [slow, fast] of [
      [15, 1],
      [1, 15],
    ]) {
      const world = createWorld({ order: 'fifo' })
      const process = world.process('p')
      const seen: string[] = []
      const work = async (name: string, realMs: number) => {
        await process.hold(realSleep(realMs))
        seen.push(name)
        await process.deliver(name, Promise.resolve())
      }
      await world.run(Promise.all([work('first', slow!), work('second', fast!)]))
      expect(seen).toEqual(['first', 'second'])
      hashes.add(world.trace.hash)
    }
    expect(hashes.size).toBe(1)
  })

  test('hold rethrows a rejection unchanged', async () => {
    const world = createWorld()
    const failure = new Error('no key')
    await expect(world.run(world.process('p').hold(Promise.reject(failure)))).rejects.toBe(failure)
  })

  test('Held work that does not settle is reported', async () => {
    const world = createWorld({ holdTimeoutMs: 10 })
    const process = world.process('server')
    const never = process.hold(new Promise<void>(() => {}))
    await expect(world.run(never)).rejects.toThrow(/held by process "server" did not settle within 10 ms of real time/)
  })

  test('Work held by a process that is killed blocks nobody', async () => {
    const world = createWorld()
    const process = world.process('p')
    void process.hold(new Promise<void>(() => {}))
    const other = world.process('other')
    const running = world.run(other.sleep(5))
    await realSleep(5)
    process.kill()
    await running
    expect(world.elapsedMs).toBe(5)
  })
})

describe('VirtualProcess', () => {
  test('A killed process never resumes', async () => {
    const world = createWorld()
    const process = world.process('p')
    const seen: string[] = []
    const controller = new AbortController()
    let settle: (value: string) => void = () => {}
    let fail: (error: unknown) => void = () => {}
    const note = (name: string) => () => seen.push(name)
    process.timer(10, note('timer'))
    process.sleep(10).then(note('sleep'), note('sleep'))
    process.sleep(10, controller.signal).then(note('abort'), note('abort'))
    process.deliver('x', new Promise<string>((resolve) => (settle = resolve))).then(note('deliver'), note('deliver'))
    process.deliver('y', new Promise<string>((_, reject) => (fail = reject))).then(note('reject'), note('reject'))
    process.deliver('ready', Promise.resolve()).then(note('ready'), note('ready'))
    process.hold(new Promise<void>(() => {})).then(note('hold'), note('hold'))
    await Promise.resolve()
    process.kill()
    process.kill()
    settle('late')
    fail(new Error('late'))
    controller.abort()
    process.timer(1, note('new timer'))
    process.sleep(1).then(note('new sleep'))
    process.deliver('z', Promise.reject(new Error('nobody hears'))).then(note('new deliver'), note('new deliver'))
    process.hold(Promise.reject(new Error('nobody hears'))).then(note('new hold'), note('new hold'))
    await world.advance(100)
    expect(seen).toEqual([])
    expect(process.alive).toBe(false)
    expect(process.signal.aborted).toBe(true)
    expect(world.pending()).toEqual([])
  })

  test('The next incarnation has the same name and other random numbers', async () => {
    const world = createWorld()
    const first = world.process('p')
    expect(() => world.process('p')).toThrow(/Cannot start process "p": it is running/)
    const uuid = first.uuid()
    first.kill()
    const second = world.process('p')
    expect(second.hostname()).toBe('p')
    expect(second.incarnation).toBe(1)
    expect(second.uuid()).not.toBe(uuid)
  })

  test('Random numbers depend on the seed and the name alone', () => {
    const draw = (seed: number, before: string[], name: string) => {
      const world = createWorld({ seed })
      for (const other of before) world.process(other).random()
      const process = world.process(name)
      return [process.random(), process.uuid()]
    }
    expect(draw(1, [], 'p')).toEqual(draw(1, ['x', 'y'], 'p'))
    expect(draw(1, [], 'p')).not.toEqual(draw(2, [], 'p'))
    expect(draw(1, [], 'p')).not.toEqual(draw(1, [], 'q'))
  })
})

describe('TraceRecorder', () => {
  test('trace keeps the last entries as text, oldest first', async () => {
    const world = createWorld({ order: 'fifo', traceEntries: 3 })
    const process = world.process('p')
    process.timer(10, () => {})
    await world.run(process.deliver('GET /version', Promise.resolve()))
    expect(world.trace.entries).toEqual(['+0 ms p starts', '+0 ms p <- GET /version'])
    await world.advance(10)
    world.trace.note('the end')
    process.kill()
    expect(world.trace.entries).toEqual(['+10 ms p timer (0)', '+10 ms the end', '+10 ms p is killed'])
    expect(world.trace.count).toBe(5)
    expect(createWorld().trace.entries).toEqual([])
  })

  test('trace hash covers time, process, label and kind', async () => {
    const hashes = new Set<string>()
    const record = async (act: (world: VirtualWorld) => unknown) => {
      const world = createWorld()
      const running = act(world)
      await world.advance(10)
      await running
      hashes.add(world.trace.hash)
    }
    await record((world) => world.process('p').sleep(1))
    await record((world) => world.process('p').sleep(2))
    await record((world) => world.process('q').sleep(1))
    await record((world) => world.process('p').deliver('a', Promise.resolve()))
    await record((world) => world.process('p').deliver('b', Promise.resolve()))
    await record((world) => world.process('p').kill())
    await record((world) => world.process('p'))
    expect(hashes.size).toBe(7)
  })
})

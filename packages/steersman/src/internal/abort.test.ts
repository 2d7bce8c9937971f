import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { abortable, isAbortOf, linkAbort, onAbort, throwIfAborted, untilAborted } from './index.js'

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length
const reason = new Error('stop')

describe('onAbort', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('calls in the order of registration, once, and leaves no listener behind', () => {
    const controller = new AbortController()
    const calls: number[] = []
    const callback = () => calls.push(0)
    onAbort(controller.signal, callback)
    onAbort(controller.signal, callback)
    onAbort(controller.signal, () => calls.push(1))
    const release = onAbort(controller.signal, () => calls.push(2))
    release()
    release()
    controller.abort(reason)
    expect(calls).toEqual([0, 0, 1])
  })

  it('holds one listener for a hundred callbacks and none after the last has gone', () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const { signal } = new AbortController()
    const releases = Array.from({ length: 100 }, () => onAbort(signal, () => {}))
    expect(listeners(signal)).toBe(1)
    for (const release of releases) release()
    expect(listeners(signal)).toBe(0)
    onAbort(signal, () => {})
    expect(listeners(signal)).toBe(1)
    expect(warn).not.toHaveBeenCalled()
  })
})

describe('abortable', () => {
  it('settles as the promise does and takes its listener back', async () => {
    const { signal } = new AbortController()
    expect(await abortable(Promise.resolve(1), signal)).toBe(1)
    await expect(abortable(Promise.reject(reason), signal)).rejects.toBe(reason)
    expect(listeners(signal)).toBe(0)
    expect(await abortable(Promise.resolve(1), undefined)).toBe(1)
  })

  it('rejects with the reason, unchanged, and drops what the promise brings later', async () => {
    const controller = new AbortController()
    let fail: (error: unknown) => void = () => {}
    const late = new Promise((_, reject) => {
      fail = reject
    })
    const result = abortable(late, controller.signal)
    controller.abort(reason)
    await expect(result).rejects.toBe(reason)
    fail(new Error('too late'))
    await expect(abortable(late, controller.signal)).rejects.toBe(reason)
  })
})

describe('untilAborted', () => {
  it('resolves on abort and at once after it', async () => {
    const controller = new AbortController()
    const waiting = untilAborted(controller.signal)
    controller.abort(reason)
    await waiting
    await untilAborted(controller.signal)
  })
})

describe('linkAbort', () => {
  it('passes the reason of the parent that aborts first', () => {
    const [one, two, child] = [new AbortController(), new AbortController(), new AbortController()]
    linkAbort(child, one.signal, undefined, two.signal)
    two.abort(reason)
    expect(child.signal.reason).toBe(reason)
    expect(listeners(one.signal)).toBe(0)
  })

  it('aborts at once for a parent that has aborted', () => {
    const [one, child] = [new AbortController(), new AbortController()]
    linkAbort(child, one.signal, AbortSignal.abort(reason))
    expect(child.signal.reason).toBe(reason)
    expect(listeners(one.signal)).toBe(0)
  })

  it('keeps nothing of a child that was unlinked', () => {
    const [parent, child] = [new AbortController(), new AbortController()]
    linkAbort(child, parent.signal)()
    expect(listeners(parent.signal)).toBe(0)
    parent.abort(reason)
    expect(child.signal.aborted).toBe(false)
  })
})

describe('throwIfAborted and isAbortOf', () => {
  it('tell an abort from a failure', () => {
    const signal = AbortSignal.abort(reason)
    expect(() => throwIfAborted(signal)).toThrow(reason)
    throwIfAborted(undefined)
    throwIfAborted(new AbortController().signal)
    expect(isAbortOf(reason, signal)).toBe(true)
    expect(isAbortOf(new Error('stop'), signal)).toBe(false)
    expect(isAbortOf(reason, undefined)).toBe(false)
    expect(isAbortOf(undefined, new AbortController().signal)).toBe(false)
  })
})

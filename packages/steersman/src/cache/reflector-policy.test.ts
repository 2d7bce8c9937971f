import { describe, expect, test } from 'vitest'
import { badRequest, expired, notFound, StatusError, tooManyRequests } from '../api/index.js'
import { TransportError } from '../environment/index.js'
import { Widget } from './fake-cluster.testing.js'
import { type AttemptEnd, nextStep, OtherHistoryError, SilentWatchError, suspiciousSilenceMs } from './reflector-policy.js'

const long = 3_600_000
const end = (part: Partial<AttemptEnd>): AttemptEnd => ({ phase: 'watch', tookMs: long, progressed: true, silentMs: 0, ...part })
const reset = new TransportError('ECONNRESET', 'reset')

describe('nextStep after an attempt', () => {
  test('that listed goes on at once', () => {
    expect(nextStep(end({ phase: 'list', tookMs: 1 }))).toMatchObject({ relist: false, wait: 'none' })
  })

  test('that watched for long goes on at once, whatever ended it', () => {
    for (const error of [undefined, reset, new SilentWatchError(1)]) {
      expect(nextStep(end({ error, progressed: false }))).toMatchObject({ relist: false, wait: 'none' })
    }
    expect(nextStep(end({ error: new StatusError(expired('x')) }))).toMatchObject({ relist: true, wait: 'none' })
  })

  test('that watched for a moment waits', () => {
    for (const error of [undefined, reset, new StatusError(expired('x')), new SyntaxError('x')]) {
      expect(nextStep(end({ error, tookMs: 10 })).wait).toBe('backoff')
    }
  })

  test('that the server refused waits however long the client kept asking', () => {
    const error = new StatusError(tooManyRequests('slow down', 7))
    expect(nextStep(end({ error, progressed: false }))).toMatchObject({ relist: false, wait: 'backoff', minimumWaitMs: 7_000 })
  })

  test('that brought nothing for suspiciously long lists again, whatever ended it', () => {
    const silent = { progressed: false, silentMs: suspiciousSilenceMs }
    for (const error of [undefined, reset, new SilentWatchError(1)]) {
      expect(nextStep(end({ ...silent, error }))).toMatchObject({ relist: true, wait: 'none' })
      expect(nextStep(end({ ...silent, error, silentMs: suspiciousSilenceMs - 1 }))).toMatchObject({ relist: false })
    }
    // An overloaded server that refuses is not silent.
    expect(nextStep(end({ ...silent, error: new StatusError(tooManyRequests('x', 1)) }))).toMatchObject({ relist: false })
  })

  test('that showed another history lists again', () => {
    expect(nextStep(end({ error: new OtherHistoryError('7', '100'), tookMs: 10 }))).toMatchObject({ relist: true, wait: 'backoff' })
  })

  test('that failed to list waits however long that took', () => {
    for (const error of [reset, new StatusError(badRequest('x')), new StatusError(expired('x'))]) {
      expect(nextStep(end({ phase: 'list', error })).wait).toBe('backoff')
    }
  })

  test('of a missing kind waits for it and then lists', () => {
    for (const phase of ['initial-stream', 'list', 'watch'] as const) {
      expect(nextStep(end({ phase, error: new StatusError(notFound(Widget, '')) }))).toMatchObject({ relist: true, wait: 'not-installed' })
    }
  })

  test('that could not stream the initial list abandons streaming only where the server said so or was silent', () => {
    const abandons = (error: unknown) => nextStep(end({ phase: 'initial-stream', error })).abandonStreaming
    expect([new StatusError(badRequest('x')), new SilentWatchError(1)].map(abandons)).toEqual([true, true])
    expect([undefined, reset, new StatusError(tooManyRequests('x', 1)), new StatusError(expired('x'))].map(abandons)).toEqual([
      false,
      false,
      false,
      false,
    ])
  })

  test('never waits longer than five minutes because a server asks', () => {
    expect(nextStep(end({ error: new StatusError(tooManyRequests('x', 86_400)) })).minimumWaitMs).toBe(300_000)
  })
})

import { describeWorld, type World } from './world.js'

/** Something did not come true in time. */
export class ExpectationError extends Error {
  constructor(expected: string, deadlineMs: number, seen: readonly string[]) {
    super(
      [
        `expected within ${deadlineMs / 1000} s: ${expected}`,
        'seen:',
        ...(seen.length === 0 ? ['  nothing'] : seen.map((line) => `  ${line}`)),
      ].join('\n'),
    )
    this.name = 'ExpectationError'
  }
}

/** Resolves as soon as `holds` is true; it is asked after every change. @throws {ExpectationError} after the deadline. */
export function expectSoon(world: World, expected: string, holds: () => boolean, deadlineMs = 20_000): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (finish: () => void): void => {
      clearTimeout(timer)
      unsubscribe()
      finish()
    }
    const check = (): void => {
      if (holds()) end(resolve)
    }
    const unsubscribe = world.onChange(check)
    const timer = setTimeout(() => end(() => reject(new ExpectationError(expected, deadlineMs, describeWorld(world)))), deadlineMs)
    check()
  })
}

import type { Environment } from '../environment/index.js'

export const systemEnvironment: Environment = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  random: () => 0.5,
  uuid: () => '',
  hostname: () => 'x',
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  timer: (ms, callback, options) => {
    const timer = setTimeout(callback, ms)
    if (options?.unref) timer.unref()
    return { cancel: () => clearTimeout(timer) }
  },
  deliver: (_, promise) => promise,
  hold: (promise) => promise,
}

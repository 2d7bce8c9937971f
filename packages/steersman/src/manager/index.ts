/**
 * Room `manager`: runs controllers and what they share.
 *
 * Start order: probe servers, cache, other runnables, controllers. Stop order: the reverse, each after the one before has stopped, within
 * one grace period. A part that fails stops the whole manager, and `start` throws its error: whoever runs the process restarts it.
 *
 * Deliberately not here: leader election, webhooks and the metrics endpoint, which join as groups of their own.
 */
export type { HealthCheck } from './health.js'
export { ListenError } from './http-health.js'
export type { LoggerOptions } from './logging.js'
export { createLogger } from './logging.js'
export type { ManagerOptions } from './manager.js'
export { Manager, ShutdownTimeoutError } from './manager.js'
export type { Runnable } from './runnable.js'
export { setupSignalHandler } from './signals.js'

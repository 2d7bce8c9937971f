import type { Environment } from '../environment/index.js'
import type { LogFacts, Logger } from '../internal/index.js'

/** Options of {@link createLogger}. */
export interface LoggerOptions {
  /** Lines below this are dropped. @default `info` */
  readonly level?: 'debug' | 'info' | 'warn' | 'error'
  /** Where lines go: a file descriptor. @default 2, standard error */
  readonly fileDescriptor?: number
  readonly environment: Environment
}

/** Makes a logger that writes one JSON object per line, with pino. Time comes from the environment. */
export async function createLogger(options: LoggerOptions): Promise<Logger> {
  const { destination, pino } = await import('pino')
  const backend = pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: () => `,"time":"${new Date(options.environment.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination({ fd: options.fileDescriptor ?? 2, sync: true }),
  )
  return new PinoLogger(backend)
}

type PinoBackend = import('pino').Logger

class PinoLogger implements Logger {
  readonly #backend: PinoBackend

  constructor(backend: PinoBackend) {
    this.#backend = backend
  }

  debug(message: string, facts?: LogFacts): void {
    this.#backend.debug(facts ?? {}, message)
  }

  info(message: string, facts?: LogFacts): void {
    this.#backend.info(facts ?? {}, message)
  }

  warn(message: string, facts?: LogFacts): void {
    this.#backend.warn(facts ?? {}, message)
  }

  error(error: unknown, message: string, facts?: LogFacts): void {
    this.#backend.error({ ...facts, ...describeError(error) }, message)
  }

  with(facts: LogFacts): Logger {
    return new PinoLogger(this.#backend.child(facts))
  }
}

function describeError(error: unknown): LogFacts {
  if (!(error instanceof Error)) return { error: String(error) }
  const causes: string[] = []
  for (let cause = error.cause; cause instanceof Error && causes.length < 8; cause = cause.cause) causes.push(cause.message)
  return { error: error.message, stack: error.stack, ...(causes.length === 0 ? {} : { causes }) }
}

/** Keeps lines until the real logger is there: loading it takes longer than making a manager may. At most 1000 lines; older ones are dropped. */
export class DeferredLogger implements Logger {
  readonly #state: { target: Logger | undefined; readonly pending: ((logger: Logger) => void)[] }
  readonly #facts: LogFacts

  constructor(parent?: DeferredLogger, facts: LogFacts = {}) {
    this.#state = parent === undefined ? { target: undefined, pending: [] } : parent.#state
    this.#facts = parent === undefined ? facts : { ...parent.#facts, ...facts }
  }

  /** Hands over what was kept, then passes everything on. */
  resolve(target: Logger): void {
    this.#state.target = target
    for (const write of this.#state.pending.splice(0)) write(target)
  }

  get isResolved(): boolean {
    return this.#state.target !== undefined
  }

  debug(message: string, facts?: LogFacts): void {
    this.#write((logger) => logger.debug(message, this.#merge(facts)))
  }

  info(message: string, facts?: LogFacts): void {
    this.#write((logger) => logger.info(message, this.#merge(facts)))
  }

  warn(message: string, facts?: LogFacts): void {
    this.#write((logger) => logger.warn(message, this.#merge(facts)))
  }

  error(error: unknown, message: string, facts?: LogFacts): void {
    this.#write((logger) => logger.error(error, message, this.#merge(facts)))
  }

  with(facts: LogFacts): Logger {
    return new DeferredLogger(this, facts)
  }

  #merge(facts: LogFacts | undefined): LogFacts {
    return facts === undefined ? this.#facts : { ...this.#facts, ...facts }
  }

  #write(line: (logger: Logger) => void): void {
    const { target, pending } = this.#state
    if (target !== undefined) line(target)
    else {
      if (pending.length >= 1000) pending.shift()
      pending.push(line)
    }
  }
}

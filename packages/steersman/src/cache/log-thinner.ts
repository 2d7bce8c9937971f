import type { LogFacts, Logger } from '../internal/index.js'

/** Logs the first ten errors of one place and then only the 16th, 32nd, 64th, …: an error that comes with every event must not flood the log. */
export class LogThinner {
  readonly #log: Logger
  #count = 0

  constructor(log: Logger) {
    this.#log = log
  }

  error(error: unknown, message: string, facts?: LogFacts): void {
    this.#count++
    if (this.#count <= 10 || Number.isInteger(Math.log2(this.#count))) this.#log.error(error, message, facts)
  }
}

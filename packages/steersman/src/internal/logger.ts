/**
 * Structured logging: a constant message and facts as key and value. Libraries never print; they take a logger.
 */
export interface Logger {
  debug(message: string, facts?: LogFacts): void
  info(message: string, facts?: LogFacts): void
  warn(message: string, facts?: LogFacts): void
  /** `error` is logged with its message, stack and causes. */
  error(error: unknown, message: string, facts?: LogFacts): void
  /** The same logger with more facts on every line. */
  with(facts: LogFacts): Logger
}

/** Facts of a log line, by name. Values are JSON or have a `toString`. No Secret data. */
export type LogFacts = Readonly<Record<string, unknown>>

/** A logger that drops everything. */
export const discardLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  with: () => discardLogger,
}

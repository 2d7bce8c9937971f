import type { LogFacts, Logger } from 'steersman'

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly facts: LogFacts
  readonly error?: unknown
}

/** A logger that keeps its lines. */
export class CapturedLogger implements Logger {
  readonly lines: LogLine[]
  readonly #facts: LogFacts

  constructor(lines: LogLine[] = [], facts: LogFacts = {}) {
    this.lines = lines
    this.#facts = facts
  }

  debug(message: string, facts?: LogFacts): void {
    this.#add('debug', message, facts)
  }

  info(message: string, facts?: LogFacts): void {
    this.#add('info', message, facts)
  }

  warn(message: string, facts?: LogFacts): void {
    this.#add('warn', message, facts)
  }

  error(error: unknown, message: string, facts?: LogFacts): void {
    this.lines.push({ level: 'error', message, facts: { ...this.#facts, ...facts }, error })
  }

  with(facts: LogFacts): Logger {
    return new CapturedLogger(this.lines, { ...this.#facts, ...facts })
  }

  /** Lines with this message. */
  of(message: string): LogLine[] {
    return this.lines.filter((line) => line.message === message)
  }

  #add(level: LogLine['level'], message: string, facts: LogFacts = {}): void {
    this.lines.push({ level, message, facts: { ...this.#facts, ...facts } })
  }
}

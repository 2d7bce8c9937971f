import type { Logger } from '../internal/index.js'

/** How many texts are remembered; then the oldest is forgotten and would be logged again. */
const maxRemembered = 1000

/** Logs the warnings that an API server sends in `Warning` headers, each text once. */
export class WarningLog {
  readonly #logger: Logger
  readonly #seen = new Set<string>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** @param header the value of the `warning` header: several warnings are an array or joined by commas. */
  add(header: string | readonly string[] | undefined): void {
    if (header === undefined) return
    for (const text of parseWarnings(typeof header === 'string' ? header : header.join(', '))) {
      if (this.#seen.has(text)) continue
      if (this.#seen.size >= maxRemembered) {
        for (const oldest of this.#seen) {
          this.#seen.delete(oldest)
          break
        }
      }
      this.#seen.add(text)
      this.#logger.warn('API server warning', { warning: text })
    }
  }
}

/** The texts of warnings with code 299: `299 - "unknown field \"spec.x\""` (RFC 7234, 5.5). */
export function parseWarnings(header: string): string[] {
  const texts: string[] = []
  for (const match of header.matchAll(/(\d{3}) [^\s"]+ "((?:[^"\\]|\\.)*)"/g)) {
    if (match[1] === '299') texts.push((match[2] ?? '').replace(/\\(.)/g, '$1'))
  }
  return texts
}

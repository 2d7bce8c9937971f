import type { RequestHandler, TransportRequest, TransportResponse } from '../environment/index.js'

/** Says by resolving that something is well, by throwing that it is not. */
export type HealthCheck = () => void | Promise<void>

/** Checks by name, answered at one path: `/healthz` all of them, `/healthz/<name>` one; `?verbose` lists, `?exclude=name` leaves out. */
export class HealthChecks {
  readonly path: string
  readonly #checks = new Map<string, HealthCheck>()

  constructor(path: string) {
    this.path = path
  }

  /** @throws {TypeError} when the name is taken. */
  add(name: string, check: HealthCheck): void {
    if (this.#checks.has(name)) throw new TypeError(`Cannot add health check "${name}": the name is taken`)
    this.#checks.set(name, check)
  }

  /** Answers a request to this path, or `undefined` for another path. */
  async answer(request: TransportRequest): Promise<TransportResponse | undefined> {
    if (request.path === this.path || request.path === `${this.path}/`) return this.#answerAll(request.query ?? new URLSearchParams())
    if (!request.path.startsWith(`${this.path}/`)) return undefined
    const name = decodeURIComponent(request.path.slice(this.path.length + 1))
    const check = this.#checks.get(name)
    if (check === undefined) return text(404, `no check named "${name}"`)
    return (await passes(check)) ? text(200, 'ok') : text(500, 'failed')
  }

  async #answerAll(query: URLSearchParams): Promise<TransportResponse> {
    const excluded = new Set(query.getAll('exclude'))
    const lines: string[] = []
    let healthy = true
    for (const [name, check] of this.#checks) {
      if (excluded.has(name)) {
        lines.push(`[+]${name} excluded: ok`)
        continue
      }
      const passed = await passes(check)
      healthy &&= passed
      // The reason stays out of the answer: it may name things that an anonymous asker must not learn.
      lines.push(passed ? `[+]${name} ok` : `[-]${name} failed: reason withheld`)
    }
    const word = this.path.slice(1)
    if (!healthy) return text(500, `${lines.join('\n')}\n${word} check failed`)
    return text(200, query.has('verbose') ? `${lines.join('\n')}\n${word} check passed` : 'ok')
  }
}

async function passes(check: HealthCheck): Promise<boolean> {
  try {
    await check()
    return true
  } catch {
    // The verdict is the answer; whoever added the check knows why it throws.
    return false
  }
}

/** Answers with the first of `checks` that owns the path. */
export function healthHandler(checks: readonly HealthChecks[]): RequestHandler {
  return async (request) => {
    for (const group of checks) {
      const answer = await group.answer(request)
      if (answer !== undefined) return answer
    }
    return text(404, '404 page not found')
  }
}

function text(status: number, body: string): TransportResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body: { kind: 'bytes', bytes: new TextEncoder().encode(`${body}\n`.replace(/^ok\n$/, 'ok')) },
  }
}

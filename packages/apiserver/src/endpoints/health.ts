import type { TransportRequest, TransportResponse } from 'steersman/environment'
import type { ParsedRequest } from './request-info.js'
import { pageNotFound, respondText } from './respond.js'

const endpoints: ReadonlySet<string> = new Set(['healthz', 'livez', 'readyz'])
/** A server that answers is well: storage lives in this process. */
const checks: readonly string[] = ['ping', 'log', 'storage']

/** Answers `/healthz`, `/livez` and `/readyz`; `undefined`: it is another path. */
export function respondHealth(request: TransportRequest, info: ParsedRequest): TransportResponse | undefined {
  const [endpoint = '', check, ...rest] = info.segments
  if (!endpoints.has(endpoint)) return undefined
  if (info.path.endsWith('/')) return pageNotFound()
  if (check !== undefined) return rest.length === 0 && checks.includes(check) ? respondText(200, 'ok') : pageNotFound()
  if (request.query?.has('verbose') !== true) return respondText(200, 'ok')
  return respondText(200, `${checks.map((name) => `[+]${name} ok\n`).join('')}${endpoint} check passed\n`)
}

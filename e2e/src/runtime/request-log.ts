import { interceptTransport } from 'steersman/client'
import type { Transport, TransportRequest } from 'steersman/environment'

/** Notes what goes through a transport. */
export class RequestLog {
  readonly requests: TransportRequest[] = []

  /** A transport that is noted. */
  wrap(transport: Transport): Transport {
    return interceptTransport(transport, {
      request: (request, next) => {
        this.requests.push(request)
        return next(request)
      },
    })
  }

  get writes(): readonly TransportRequest[] {
    return this.requests.filter(({ method }) => method !== 'GET')
  }

  /** How often this method was used on paths that contain `part`. */
  count(method: string, part = ''): number {
    return this.requests.filter((request) => request.method === method && request.path.includes(part)).length
  }

  clear(): void {
    this.requests.length = 0
  }
}

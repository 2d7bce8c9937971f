import { createHash } from 'node:crypto'
import type { InterceptedExchange, Interceptor, TransportResponse } from 'steersman/environment'

/**
 * The course of a history without its names: who asked what and how it was answered, in order, but no UID, random name, time or body. Two seeds whose
 * histories differ in names only have the same course, whereas the trace's hash differs.
 */
export class CourseRecorder implements Interceptor {
  #course = ''

  request({ client, request }: InterceptedExchange): undefined {
    this.#add(`${client.name} ${request.method} ${withoutRandomNames(request.path)}\n`)
  }

  response({ client, request }: InterceptedExchange, response: TransportResponse): undefined {
    this.#add(`${client.name} ${response.status} ${request.method} ${withoutRandomNames(request.path)}\n`)
  }

  batch({ client, request }: InterceptedExchange, batch: unknown): undefined {
    this.#add(`${client.name} ${(batch as { length: number }).length} ${request.path}\n`)
  }

  /** What has happened so far, as 16 hexadecimal digits. */
  digest(): string {
    return createHash('sha256').update(this.#course).digest('hex').slice(0, 16)
  }

  #add(line: string): void {
    this.#course += line
  }
}

/** Names that a server or a controller made up end in a suffix of five or ten characters. */
function withoutRandomNames(path: string): string {
  return path.replace(/-[a-z0-9]{8,10}(?=-|\/|$)/g, '-*').replace(/-[a-z0-9]{5}(?=\/|$)/g, '-*')
}

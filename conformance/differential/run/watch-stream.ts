import { type HttpStream, httpStream } from '../../src/http-client.js'
import type { Json } from '../language/index.js'

/** An open watch: its events wait until they are asked for. */
export interface WatchStream {
  readonly status: number
  readonly headers: HttpStream['headers']
  /** The body of an answer that is no watch. */
  readonly refusal: Json | undefined
  /** The next events: as many as asked for, or those that came in time; the stream's end ends waiting. */
  take(count: number, withinMs: number): Promise<Json[]>
  /** What comes before the server ends the stream, and how it ended. */
  rest(withinMs: number): Promise<Json[]>
  close(): void
}

export async function openWatchStream(request: { readonly url: string; readonly headers: Record<string, string> }): Promise<WatchStream> {
  const stream = await httpStream({ ...request, method: 'GET' })
  if (stream.status !== 200) return refused(stream)
  const events: Json[] = []
  let hasEnded = false
  let wake = (): void => undefined
  const reading = (async () => {
    for await (const line of stream.lines) {
      if (line === '') continue
      events.push(parsed(line))
      wake()
    }
  })().finally(() => {
    hasEnded = true
    wake()
  })
  reading.catch(() => undefined)

  const until = async (isEnough: () => boolean, withinMs: number): Promise<void> => {
    const deadline = Date.now() + withinMs
    while (!isEnough() && !hasEnded && Date.now() < deadline) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, deadline - Date.now()))
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  return {
    status: stream.status,
    headers: stream.headers,
    refusal: undefined,
    async take(count, withinMs) {
      await until(() => events.length >= count, withinMs)
      const taken = events.splice(0, count)
      return taken.length === count ? taken : [...taken, hasEnded ? 'the server ended the stream' : 'nothing more came in time']
    },
    async rest(withinMs) {
      await until(() => false, withinMs)
      return [...events.splice(0), hasEnded ? 'the server ended the stream' : 'the server did not end the stream']
    },
    close: () => stream.close(),
  }
}

async function refused(stream: HttpStream): Promise<WatchStream> {
  let text = ''
  for await (const line of stream.lines) text += line === '' ? '' : `${line}\n`
  const none = async (): Promise<Json[]> => ['there is no watch']
  return {
    status: stream.status,
    headers: stream.headers,
    refusal: parsed(text.trimEnd()),
    take: none,
    rest: none,
    close: () => stream.close(),
  }
}

function parsed(line: string): Json {
  try {
    return JSON.parse(line) as Json
  } catch {
    // What is not JSON is worth seeing as it is.
    return line
  }
}

import type { Transport, TransportRequest, TransportResponse } from '../environment/index.js'

/** A transport whose configuration is looked for at the first request, so that making a client does no I/O. */
export function deferredTransport(open: () => Promise<Transport>): Transport {
  let opening: Promise<Transport> | undefined
  const transport = (): Promise<Transport> => {
    opening ??= open().catch((error: unknown) => {
      // A file that was missing may be there at the next attempt.
      opening = undefined
      throw error
    })
    return opening
  }
  return {
    request: async (request: TransportRequest): Promise<TransportResponse> => (await transport()).request(request),
    prepare: async () => {
      await (await transport()).prepare?.()
    },
    close: async () => {
      if (opening !== undefined) await (await opening).close()
    },
  }
}

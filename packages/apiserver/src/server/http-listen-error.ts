/** The server cannot listen. */
export class ListenError extends Error {
  readonly code = 'CANNOT_LISTEN'

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ListenError'
  }
}

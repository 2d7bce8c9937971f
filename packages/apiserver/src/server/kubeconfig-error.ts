/** The kubeconfig cannot be written. */
export class KubeconfigWriteError extends Error {
  readonly code = 'CANNOT_WRITE_KUBECONFIG'

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'KubeconfigWriteError'
  }
}

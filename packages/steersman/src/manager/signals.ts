/**
 * An AbortSignal that aborts on the first SIGTERM or SIGINT. The second ends the process with exit code 1: whoever sends it does not want to wait.
 *
 * @throws {TypeError} when called a second time in one process.
 */
export function setupSignalHandler(): AbortSignal {
  if (process.listeners('SIGTERM').some((listener) => listener.name === handlerName)) {
    throw new TypeError('Cannot set up the signal handler: it was set up before in this process')
  }
  const controller = new AbortController()
  const handle = (signal: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(1)
    controller.abort(new DOMException(`The process received ${signal}`, 'AbortError'))
  }
  Object.defineProperty(handle, 'name', { value: handlerName })
  process.on('SIGTERM', handle)
  process.on('SIGINT', handle)
  return controller.signal
}

const handlerName = 'steersmanSignalHandler'

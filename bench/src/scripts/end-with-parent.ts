/** Ends this process when its standard input closes: when whoever started it is gone. Nothing waits for that. */
export function endWithParent(): void {
  process.stdin.once('end', () => process.exit(1)).resume()
  // A pipe is a socket.
  ;(process.stdin as NodeJS.ReadStream).unref()
}

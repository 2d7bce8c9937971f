import { type Change, describeWorld, type World } from './world.js'

/** Shows what happens: a picture that is redrawn on a terminal, plain lines elsewhere. */
export class TerminalView {
  readonly #out: NodeJS.WriteStream
  readonly #header: readonly string[]
  readonly #recent: string[] = []
  readonly #startedMs = Date.now()
  #drawn = 0
  #isScheduled = false

  constructor(out: NodeJS.WriteStream, header: readonly string[]) {
    this.#out = out
    this.#header = header
    for (const line of header) out.write(`${line}\n`)
  }

  follow(world: World): () => void {
    const unsubscribe = world.onChange((change) => this.#record(change, world))
    this.#draw(world)
    return unsubscribe
  }

  #record({ kind, name, what }: Change, world: World): void {
    const line = `${((Date.now() - this.#startedMs) / 1000).toFixed(2).padStart(8)} s  ${kind} ${name} ${what}`
    if (!this.#out.isTTY) {
      this.#out.write(`${line}\n`)
      return
    }
    this.#recent.push(line)
    if (this.#recent.length > 8) this.#recent.shift()
    if (this.#isScheduled) return
    this.#isScheduled = true
    setTimeout(() => this.#draw(world), 50).unref()
  }

  #draw(world: World): void {
    this.#isScheduled = false
    if (!this.#out.isTTY) return
    const width = this.#out.columns ?? 120
    const height = Math.max(10, (this.#out.rows ?? 40) - this.#header.length - 2)
    const lines = ['', ...describeWorld(world), '', ...this.#recent].slice(0, height).map((line) => line.slice(0, width - 1))
    const up = this.#drawn === 0 ? '' : `\u001b[${this.#drawn}A`
    this.#out.write(`${up}${lines.map((line) => `\u001b[2K${line}\n`).join('')}\u001b[J`)
    this.#drawn = lines.length
  }
}

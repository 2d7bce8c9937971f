/** Flags as Go programs take them: `--name=value`, `--name value`, `--name` alone for `true`; one dash will do. Whoever wants a flag asks for it by name. */
export class GoFlags {
  readonly #values = new Map<string, string[]>()

  constructor(args: readonly string[]) {
    for (let index = 0; index < args.length; index++) {
      const match = /^--?([^=]+)(?:=(.*))?$/s.exec(args[index] ?? '')
      if (match === null) continue
      const [, name = '', given] = match
      const next = args[index + 1]
      const isSeparate = given === undefined && next !== undefined && !next.startsWith('-')
      if (isSeparate) index++
      this.#values.set(name, [...this.all(name), given ?? (isSeparate ? next : 'true')])
    }
  }

  /** The last value of a flag. */
  get(name: string): string | undefined {
    return this.#values.get(name)?.at(-1)
  }

  /** Every value of a flag, in order. */
  all(name: string): readonly string[] {
    return this.#values.get(name) ?? []
  }

  /** The values of a flag that holds a list with commas, from all its uses. */
  list(name: string): readonly string[] {
    return this.all(name).flatMap((value) => value.split(',').filter((item) => item !== ''))
  }

  /** The names given, in order. */
  get names(): readonly string[] {
    return [...this.#values.keys()]
  }
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Outcome } from './command.js'

/**
 * What the real server answered in one section, as a transcript that reads like a terminal: the line typed, what went to standard output, what went to
 * standard error after `! `, and an exit code other than 0 in brackets.
 */
export class Golden {
  readonly #path: string
  readonly #texts: string[]
  #recorded: string[] = []

  constructor(section: string) {
    this.#path = fileURLToPath(new URL(`golden/${section}.txt`, import.meta.url))
    const text = existsSync(this.#path) ? readFileSync(this.#path, 'utf8') : ''
    this.#texts = text.split(/^(?=\$ )/m).slice(1)
  }

  /** The recorded transcript of a line, the second time the second one; `undefined` when it was not recorded. */
  expected(line: string): string | undefined {
    const index = this.#texts.findIndex((text) => text.startsWith(`$ ${line}\n`))
    return index === -1 ? undefined : this.#texts.splice(index, 1)[0]?.trimEnd()
  }

  record(transcript: string): void {
    this.#recorded.push(`${transcript}\n`)
  }

  /** Writes what was recorded. `recordedWith` names the programs and their versions. */
  save(recordedWith: string): void {
    const heading = `What ${recordedWith} answered. Written by scripts/clients/record.mjs; what is in angle brackets differs from run to run.\n`
    writeFileSync(this.#path, [heading, ...this.#recorded].join('\n'))
    this.#recorded = []
  }
}

/** An outcome as a terminal would show it. */
export function transcript(line: string, { exit, stdout, stderr }: Outcome): string {
  const errors = stderr.trimEnd() === '' ? [] : stderr.trimEnd().split('\n')
  const parts = [`$ ${line}`, stdout.trimEnd(), ...errors.map((error) => `! ${error}`), exit === 0 ? '' : `[${exit}]`]
  return parts.filter((part) => part !== '').join('\n')
}

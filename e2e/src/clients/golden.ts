import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Outcome } from './command.js'
import { type RecordedLine, readRecording, writeRecording } from './recording.js'

/** What kubectl printed against the real server in one section: `golden/<section>.txt`. */
export class Golden {
  readonly #path: string
  readonly #version: string
  readonly #lines: RecordedLine[]
  #recorded: string[] = []

  /** @param version of kubectl: `1.37`. */
  constructor(section: string, version: string) {
    this.#path = fileURLToPath(new URL(`golden/${section}.txt`, import.meta.url))
    this.#version = version
    this.#lines = readRecording(existsSync(this.#path) ? readFileSync(this.#path, 'utf8') : '').lines
  }

  /** The recorded transcript of a line, the second time the second one; `undefined` when it was not recorded. */
  expected(line: string): string | undefined {
    const index = this.#lines.findIndex(({ text }) => text.startsWith(`$ ${line}\n`) || text === `$ ${line}`)
    if (index === -1) return undefined
    const [recorded] = this.#lines.splice(index, 1)
    return recorded?.variants.get(this.#version) ?? recorded?.text
  }

  record(transcript: string): void {
    this.#recorded.push(transcript)
  }

  /** Writes what was recorded as the text of every version of kubectl. `recordedWith` names the programs and their versions. */
  save(recordedWith: string): void {
    const heading = `What ${recordedWith} answered. Written by scripts/clients/record.mjs; what is in angle brackets differs from run to run.`
    writeFileSync(this.#path, writeRecording({ heading, lines: this.#recorded.map((text) => ({ text, variants: new Map() })) }))
    this.#recorded = []
  }

  /** Adds what differs from the texts that are there, as what this version of kubectl prints instead. @throws when other lines were run. */
  saveVariants(): void {
    const { heading, lines } = readRecording(readFileSync(this.#path, 'utf8'))
    if (lines.length !== this.#recorded.length)
      throw new Error(`Cannot add kubectl ${this.#version}: ${this.#recorded.length} lines ran, ${lines.length} are in ${this.#path}`)
    for (const [index, text] of this.#recorded.entries()) if (text !== lines[index]?.text) lines[index]?.variants.set(this.#version, text)
    writeFileSync(this.#path, writeRecording({ heading, lines }))
    this.#recorded = []
  }
}

/** An outcome as a terminal would show it. */
export function transcript(line: string, { exit, stdout, stderr }: Outcome): string {
  const errors = stderr.trimEnd() === '' ? [] : stderr.trimEnd().split('\n')
  const parts = [`$ ${line}`, stdout.trimEnd(), ...errors.map((error) => `! ${error}`), exit === 0 ? '' : `[${exit}]`]
  return parts.filter((part) => part !== '').join('\n')
}

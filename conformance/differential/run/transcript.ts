import type { Json, Keep } from '../language/index.js'

/** What one step of a scenario got, before anything is made comparable. */
export interface Exchange {
  /** The step, as one line for people: method, path and what is unusual about it. */
  readonly request: string
  /** 0: nothing was answered. */
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, readonly string[]>>
  /** What it says where the answer is JSON or YAML, else its text; of a watch its events. */
  readonly body: Json
  readonly keep: readonly Keep[]
}

/** What a server answered to a scenario. */
export interface Transcript {
  /** What stands for `{{run}}`: the names of namespace and group are made of it. */
  readonly run: string
  /** One for each step that counts. */
  readonly exchanges: readonly Exchange[]
}

/** The server under a scenario. */
export interface Target {
  /** `https://host:port`. */
  readonly url: string
  /** How long an expected event or state may take. @default 10000 */
  readonly patienceMs?: number
}

/** One line of the session, as a person would type it, and what must come of it. */
export interface Command {
  /** A line for the shell, run in a folder that holds the manifests. */
  readonly run: string
  /** The exit code. @default 0 */
  readonly exit?: number
  /**
   * Patterns that must be found in what it prints (standard output, then standard error, ages and the like replaced). They stand in place of the
   * text recorded from the real server, for the reason that `because` gives. None: only the exit code counts.
   */
  readonly like?: readonly RegExp[]
  /** Why the recorded text cannot be asked for. */
  readonly because?: string
  /** What `explain` prints is compared with its sentences, because they are ours. @default false */
  readonly described?: boolean
  /** Runs until it has printed these, each after the line typed in between; then it is interrupted, and its exit code is not looked at. */
  readonly until?: readonly Until[]
  /** It is known to disagree with the real server. Such commands are counted and printed; once the answers agree, the mark must go. */
  readonly known?: Known
}

/** A known disagreement. */
export interface Known {
  readonly because: string
  /** What it prints instead. */
  readonly shows: RegExp
}

/** One step of a command that runs on. */
export interface Until {
  /** Typed beside the running command first. */
  readonly meanwhile?: string
  /** What the running command must have printed then. */
  readonly shows: RegExp
}

/** Commands that follow from each other. What they must print lies in `golden/<name>.txt`. */
export interface Section {
  readonly name: string
  /** Whether the operator of Widgets runs beside it. @default false */
  readonly operator?: boolean
  readonly commands: readonly Command[]
}

/** What a command left: its exit code (-1: interrupted by us) and what it printed. */
export interface Outcome {
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

/** What was typed in one section and what came of it, as text that reads like a terminal. */
export interface Recording {
  /** The first paragraph: with which programs it was recorded. */
  readonly heading: string
  readonly lines: RecordedLine[]
}

/** One line that was typed: `$ ` and the line, then what went to standard output, standard error after `! `, and an exit code other than 0 in brackets. */
export interface RecordedLine {
  /** From every version of kubectl that has no variant. */
  readonly text: string
  /** What a version of kubectl prints instead, by version. In the file they follow the text, with the version before the prompt: `1.37$ kubectl …`. */
  readonly variants: Map<string, string>
}

const prompt = /^(?<version>\d+\.\d+)?\$ /
const beforePrompt = /^(?=(?:\d+\.\d+)?\$ )/m

/** The inverse of {@link writeRecording}. */
export function readRecording(file: string): Recording {
  const [heading = '', ...transcripts] = file.split(beforePrompt)
  const lines: RecordedLine[] = []
  for (const transcript of transcripts.map((text) => text.trimEnd())) {
    const version = prompt.exec(transcript)?.groups?.version
    if (version === undefined) lines.push({ text: transcript, variants: new Map() })
    else lines.at(-1)?.variants.set(version, transcript.slice(version.length))
  }
  return { heading: heading.trimEnd(), lines }
}

/** The text of a file. */
export function writeRecording({ heading, lines }: Recording): string {
  const transcripts = lines.flatMap(({ text, variants }) => [text, ...Array.from(variants, ([version, variant]) => `${version}${variant}`)])
  return `${[heading, ...transcripts].join('\n\n')}\n`
}

import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Command, Outcome } from './command.js'
import { Golden, transcript } from './golden.js'
import { normalise } from './normalise.js'
import { sections } from './sections/index.js'
import { runCommand } from './shell.js'
import { Program } from './target.js'

/**
 * A session of the real kubectl against the embedded control plane, compared with what the same kubectl printed against a real one.
 *
 * `STEERSMAN_KUBECTL` names the executable. With `STEERSMAN_RECORD`, the kubeconfig of a real control plane, the answers become the expected ones: of every version
 * of kubectl when `STEERSMAN_RECORDED_WITH` says with what they were recorded, otherwise of this one where it differs.
 */
const kubectl = process.env.STEERSMAN_KUBECTL ?? 'kubectl'
const version = minorVersion(kubectl)
const recordFrom = process.env.STEERSMAN_RECORD
const folder = mkdtempSync(join(tmpdir(), 'steersman-kubectl-'))
const kubeconfig = join(folder, 'kubeconfig')
const shell = {
  folder,
  environment: {
    PATH: `${dirname(kubectl)}:${process.env.PATH}`,
    HOME: folder,
    TMPDIR: folder,
    KUBECONFIG: kubeconfig,
    TZ: 'UTC',
    LANG: 'C',
  },
}
let controlPlane: Program | undefined

beforeAll(async () => {
  cpSync(fileURLToPath(new URL('manifests', import.meta.url)), folder, { recursive: true })
  if (recordFrom === undefined) controlPlane = await Program.controlPlane(kubeconfig)
  else cpSync(recordFrom, kubeconfig)
  await writeKubeconfigOfStranger()
})

afterAll(async () => {
  const code = await controlPlane?.stop()
  rmSync(folder, { recursive: true, force: true })
  if (controlPlane !== undefined) expect(code, controlPlane.output).toBe(0)
})

for (const section of sections) {
  describe(section.name, () => {
    const golden = new Golden(section.name, version)
    let operator: Program | undefined
    if (section.operator === true) {
      beforeAll(() => {
        operator = Program.operator(kubeconfig)
      })
    }
    afterAll(async () => {
      const code = await operator?.stop()
      if (operator !== undefined) expect(code, operator.output).toBe(0)
      if (recordFrom !== undefined) save(golden)
    })
    for (const command of section.commands) {
      test(command.run, async ({ task }) => {
        const outcome = normalised(await runCommand(command, shell))
        if (recordFrom !== undefined) return record(command, outcome, golden)
        if (command.known === undefined) return check(command, outcome, golden)
        task.meta.known = command.known.because
        expect(transcript(command.run, outcome)).toMatch(command.known.shows)
        expect(() => check(command, outcome, golden), `agrees now, but is marked: ${command.known.because}`).toThrow()
      })
    }
  })
}

declare module 'vitest' {
  interface TaskMeta {
    /** Why a command is known to disagree with the real server. */
    known?: string
  }
}

function normalised({ exit, stdout, stderr }: Outcome): Outcome {
  return { exit, stdout: normalise(stdout, folder), stderr: normalise(stderr, folder) }
}

function check(command: Command, outcome: Outcome, golden: Golden): void {
  const actual = transcript(command.run, outcome)
  if (command.like === undefined) expect(actual).toBe(golden.expected(command.run))
  else for (const pattern of command.like) expect(actual).toMatch(pattern)
  expect(outcome.exit, actual).toBe(command.exit ?? 0)
}

/** Patterns and exit codes hold for the real server too, or they are wrong. */
function record(command: Command, outcome: Outcome, golden: Golden): void {
  const actual = transcript(command.run, outcome)
  if (command.like === undefined) golden.record(actual)
  for (const pattern of command.like ?? []) expect(actual).toMatch(pattern)
  expect(outcome.exit, actual).toBe(command.exit ?? 0)
}

function save(golden: Golden): void {
  const recordedWith = process.env.STEERSMAN_RECORDED_WITH
  if (recordedWith === undefined) golden.saveVariants()
  else golden.save(recordedWith)
}

/** `1.37`. */
function minorVersion(executable: string): string {
  const output = execFileSync(executable, ['version', '--client', '-o', 'json'], { encoding: 'utf8', env: { PATH: process.env.PATH } })
  const { major, minor } = (JSON.parse(output) as { clientVersion: { major: string; minor: string } }).clientVersion
  return `${major}.${minor}`
}

/** `stranger.kubeconfig` has a token that nobody knows. */
async function writeKubeconfigOfStranger(): Promise<void> {
  const { stdout } = await runCommand({ run: 'kubectl config view --raw -o json' }, shell)
  const config = JSON.parse(stdout) as { users: object[] }
  const users = config.users.map((user) => ({ ...user, user: { token: 'unknown' } }))
  writeFileSync(join(folder, 'stranger.kubeconfig'), JSON.stringify({ ...config, users }))
}

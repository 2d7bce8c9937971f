import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CertificateAuthority } from 'steersman/internal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Command, Outcome, Section } from './command.js'
import { withoutDescriptions } from './explanation.js'
import { Golden, transcript } from './golden.js'
import { normalise } from './normalise.js'
import { runCommand } from './shell.js'
import { type ControlPlaneKind, Program } from './target.js'

const kubectl = process.env.STEERSMAN_KUBECTL ?? 'kubectl'
const helm = process.env.STEERSMAN_HELM ?? 'helm'
const version = minorVersion(kubectl)
const folder = mkdtempSync(join(tmpdir(), 'steersman-kubectl-'))
const kubeconfig = join(folder, 'kubeconfig')
const shell = {
  folder,
  environment: {
    PATH: `${dirname(kubectl)}:${dirname(helm)}:${process.env.PATH}`,
    HOME: folder,
    TMPDIR: folder,
    KUBECONFIG: kubeconfig,
    TZ: 'UTC',
    LANG: 'C',
  },
}
/** What a session runs against and what is typed. */
export interface Session {
  /** Whether nodes and controllers are at work, or only the API server. */
  readonly controlPlane: ControlPlaneKind
  /** In order: later sections find what earlier ones left. */
  readonly sections: readonly Section[]
  /** The kubeconfig of a real control plane, whose answers become the expected ones. */
  readonly recordFrom: string | undefined
}

/**
 * Declares the tests of one session of the real kubectl: what it prints against the embedded control plane is compared with what the same kubectl printed against a real one.
 *
 * `STEERSMAN_KUBECTL` and `STEERSMAN_HELM` name the executables. When recording, the texts become those of every version of kubectl if `STEERSMAN_RECORDED_WITH` says with what they were
 * recorded, otherwise of this one where it differs.
 */
export function testSession({ controlPlane: kind, sections, recordFrom }: Session): void {
  let controlPlane: Program | undefined

  beforeAll(async () => {
    cpSync(fileURLToPath(new URL('manifests', import.meta.url)), folder, { recursive: true })
    if (recordFrom === undefined) controlPlane = await Program.controlPlane(kubeconfig, kind)
    else cpSync(recordFrom, kubeconfig)
    await writeKubeconfigOfStranger()
    writeCertificate()
  })

  afterAll(async () => {
    const code = await controlPlane?.stop()
    rmSync(folder, { recursive: true, force: true })
    if (controlPlane !== undefined) expect(code, controlPlane.output).toBe(0)
  })

  for (const section of sections) describe(section.name, () => testSection(section, recordFrom !== undefined))
}

function testSection(section: Section, recording: boolean): void {
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
    if (recording) save(golden)
  })
  for (const command of section.commands) {
    test(command.run, async ({ task }) => {
      const outcome = normalised(command, await runCommand(command, shell))
      if (recording) return record(command, outcome, golden)
      if (command.known === undefined) return check(command, outcome, golden)
      task.meta.known = command.known.because
      expect(transcript(command.run, outcome)).toMatch(command.known.shows)
      expect(() => check(command, outcome, golden), `agrees now, but is marked: ${command.known.because}`).toThrow()
    })
  }
}

declare module 'vitest' {
  interface TaskMeta {
    /** Why a command is known to disagree with the real server. */
    known?: string
  }
}

function normalised({ described = false }: Command, { exit, stdout, stderr }: Outcome): Outcome {
  const shown = described ? stdout : withoutDescriptions(stdout)
  return { exit, stdout: normalise(shown, folder), stderr: normalise(stderr, folder) }
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

/** `tls.crt` and `tls.key` belong together. */
function writeCertificate(): void {
  const hour = 3_600_000
  const validity = { notBefore: Date.now() - hour, notAfter: Date.now() + hour }
  const authority = new CertificateAuthority({ commonName: 'harbour', randomBytes, ...validity })
  writeFileSync(join(folder, 'tls.crt'), authority.pair.certificate)
  writeFileSync(join(folder, 'tls.key'), authority.pair.privateKey)
}

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { BuiltSuites } from './build-suites.js'
import { ginkgoSpecs, goSpecs, type SuiteRun } from './results.js'
import { runSession, type SessionEnd } from './session.js'
import type { Suite } from './suites.js'

/** Options of {@link runSuite}. */
export interface RunSuiteOptions {
  /** The folder with the executables etcd, kube-apiserver and kubectl. */
  readonly assets: string
  /** Decides the order of the specs. */
  readonly seed: number
  /** The file that the output goes to. */
  readonly log: string
}

/** Ginkgo interrupts itself first, so that it still reports; then Go does, with the stacks of all goroutines; then we do. */
const graceMs = 20_000

/** Runs one suite. */
export async function runSuite(suite: Suite, built: BuiltSuites, { assets, seed, log }: RunSuiteOptions): Promise<SuiteRun> {
  const scratch = mkdtempSync(join(tmpdir(), 'steersman-suite-'))
  const report = join(scratch, 'report.json')
  const before = performance.now()
  mkdirSync(dirname(log), { recursive: true })
  try {
    const end = await runSession({
      command: built.binary(suite),
      args: [
        '-test.v=test2json',
        `-test.timeout=${suite.timeoutMs + graceMs}ms`,
        `-ginkgo.timeout=${suite.timeoutMs}ms`,
        `-ginkgo.seed=${seed}`,
        `-ginkgo.json-report=${report}`,
        '-ginkgo.no-color',
      ],
      cwd: built.sources(suite),
      env: { PATH: process.env.PATH, HOME: homedir(), TMPDIR: scratch, KUBEBUILDER_ASSETS: assets },
      log,
      scratch,
      timeoutMs: suite.timeoutMs + 2 * graceMs,
    })
    const seconds = (performance.now() - before) / 1000
    const reported = existsSync(report) ? ginkgoSpecs(readFileSync(report, 'utf8')) : []
    const specs = [...goSpecs(readFileSync(log, 'utf8')), ...reported]
    const broken = brokenText(
      end,
      existsSync(report),
      specs.some(({ state }) => state === 'failed'),
    )
    return { specs, seconds, ...(broken === undefined ? {} : { broken: `${broken}; see ${log}` }) }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function brokenText({ code, timedOut, error }: SessionEnd, hasReport: boolean, hasFailures: boolean): string | undefined {
  if (error !== undefined) return `did not start: ${error}`
  if (timedOut) return 'did not end in time'
  if (!hasReport) return `ended with ${code} and no report`
  return code !== 0 && !hasFailures ? `ended with ${code} although no spec failed` : undefined
}

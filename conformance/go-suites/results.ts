/** How a spec, that is one `It` of Ginkgo or one Go test or example, ended. */
export type SpecState = 'passed' | 'failed' | 'skipped'

/** One spec. Names need not be unique. */
export interface Spec {
  readonly name: string
  readonly state: SpecState
}

/** How many specs there are. */
export interface Counts {
  readonly specs: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** What one run of a suite came to. */
export interface SuiteRun {
  readonly specs: readonly Spec[]
  readonly seconds: number
  /** Why it did not come to its end: the specs are not all there then. */
  readonly broken?: string
}

interface GinkgoSpec {
  readonly ContainerHierarchyTexts?: readonly string[] | null
  readonly LeafNodeType: string
  readonly LeafNodeText: string
  readonly State: string
}

interface GinkgoReport {
  readonly SpecReports?: readonly GinkgoSpec[] | null
}

/** The specs in the file that `-ginkgo.json-report` writes. What runs before and after them counts only where it failed. */
export function ginkgoSpecs(json: string): readonly Spec[] {
  const reports = JSON.parse(json) as readonly GinkgoReport[]
  return reports
    .flatMap(({ SpecReports }) => SpecReports ?? [])
    .map((spec) => ({ isSpec: spec.LeafNodeType === 'It', name: ginkgoName(spec), state: stateOf(spec.State) }))
    .filter(({ isSpec, state }) => isSpec || state === 'failed')
    .map(({ name, state }) => ({ name, state }))
}

function ginkgoName({ ContainerHierarchyTexts, LeafNodeType, LeafNodeText }: GinkgoSpec): string {
  const leaf = LeafNodeType === 'It' ? LeafNodeText : `[${LeafNodeType}] ${LeafNodeText}`.trim()
  return [...(ContainerHierarchyTexts ?? []), leaf].join(' ')
}

/** Ginkgo also says `pending`, `panicked`, `timedout`, `interrupted` and `aborted`. */
function stateOf(state: string): SpecState {
  if (state === 'passed') return 'passed'
  return state === 'skipped' || state === 'pending' ? 'skipped' : 'failed'
}

/** What `-test.v=test2json` puts before its own lines, wherever they begin. */
const mark = '\u0016'
const goTest = new RegExp(`${mark}=== RUN {3}(\\w+)\\n|${mark}--- (PASS|FAIL|SKIP): (\\w+) \\(`, 'g')
const goStates: Readonly<Record<string, SpecState>> = { PASS: 'passed', FAIL: 'failed', SKIP: 'skipped' }

/** The Go tests and examples in what a test binary printed with `-test.v=test2json`, without the one that is only the entry to Ginkgo. */
export function goSpecs(output: string): readonly Spec[] {
  const specs: Spec[] = []
  let begin = 0
  for (const match of output.matchAll(goTest)) {
    const [, started, state, name] = match
    if (started !== undefined) begin = match.index
    else if (name !== undefined && state !== undefined && !/^Running Suite: /m.test(output.slice(begin, match.index)))
      specs.push({ name, state: goStates[state] ?? 'failed' })
  }
  return specs
}

/** How many specs there are in each state. */
export function countsOf(specs: readonly Spec[]): Counts {
  const count = (wanted: SpecState) => specs.filter(({ state }) => state === wanted).length
  return { specs: specs.length, passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
}

/** The names of the specs that failed, sorted. */
export function failuresOf({ specs }: SuiteRun): readonly string[] {
  return specs
    .filter(({ state }) => state === 'failed')
    .map(({ name }) => name)
    .sort()
}

import { describe, expect, test } from 'vitest'
import { countsOf, failuresOf, ginkgoSpecs, goSpecs } from './results.js'

const it = (name: string, state: string, containers: readonly string[] | null = null) => ({
  ContainerHierarchyTexts: containers,
  LeafNodeType: 'It',
  LeafNodeText: name,
  State: state,
})

describe('ginkgoSpecs', () => {
  test('reads every spec with the names of its containers', () => {
    const report = [{ SpecReports: [it('starts', 'passed', ['Client', 'Create']), it('waits', 'pending'), it('leaves out', 'skipped')] }]
    expect(ginkgoSpecs(JSON.stringify(report))).toEqual([
      { name: 'Client Create starts', state: 'passed' },
      { name: 'waits', state: 'skipped' },
      { name: 'leaves out', state: 'skipped' },
    ])
  })

  test('takes every end that is none of these for a failure', () => {
    const ends = ['failed', 'panicked', 'timedout', 'interrupted', 'aborted']
    const report = [{ SpecReports: ends.map((end) => it(end, end)) }]
    expect(countsOf(ginkgoSpecs(JSON.stringify(report)))).toEqual({ specs: 5, passed: 0, failed: 5, skipped: 0 })
  })

  test('names what runs before all specs only when it fails', () => {
    const before = { ContainerHierarchyTexts: null, LeafNodeType: 'BeforeSuite', LeafNodeText: '' }
    expect(ginkgoSpecs(JSON.stringify([{ SpecReports: [{ ...before, State: 'passed' }] }]))).toEqual([])
    expect(ginkgoSpecs(JSON.stringify([{ SpecReports: [{ ...before, State: 'failed' }] }]))).toEqual([
      { name: '[BeforeSuite]', state: 'failed' },
    ])
  })

  test('reads a suite without specs', () => {
    expect(ginkgoSpecs('[{ "SpecReports": null }]')).toEqual([])
  })
})

// The lines as a test binary prints them with -test.v=test2json: its own begin with a control character, and Ginkgo ends its dots with no new line.
const output = `\u0016=== RUN   TestClient
Running Suite: Client Suite - /pkg/client
=========================================
•••S\u0016--- PASS: TestClient (8.12s)
\u0016=== RUN   TestFieldOwner
--- FAIL: TestThatIsOnlyPrinted (0.00s)
\u0016=== RUN   TestFieldOwner/sub
\u0016--- FAIL: TestFieldOwner (0.01s)
\u0016    --- FAIL: TestFieldOwner/sub (0.00s)
\u0016=== RUN   TestNetwork
\u0016--- SKIP: TestNetwork (0.00s)
`

describe('goSpecs', () => {
  test('reads the tests of Go without the entry to Ginkgo', () => {
    expect(goSpecs(output)).toEqual([
      { name: 'TestFieldOwner', state: 'failed' },
      { name: 'TestNetwork', state: 'skipped' },
    ])
  })
})

describe('failuresOf', () => {
  test('sorts the names', () => {
    const specs = [
      { name: 'b', state: 'failed' },
      { name: 'c', state: 'passed' },
      { name: 'a', state: 'failed' },
    ] as const
    expect(failuresOf({ specs, seconds: 1 })).toEqual(['a', 'b'])
  })
})

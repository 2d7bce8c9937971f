import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { configMaps, type Json, named, type Scenario, ScenarioBuilder } from '../language/index.js'
import type { Exchange } from '../run/index.js'
import { canonical, differences, judge, needless } from './index.js'
import { RevisionNames } from './names.js'
import { yamlText } from './yaml-text.js'

const run = 'xabcdefg'

function scenarioOf(build: (s: ScenarioBuilder) => void = () => undefined): Scenario {
  const builder = new ScenarioBuilder()
  build(builder)
  return { area: 'errors', name: 'one', controllers: false, steps: builder.steps }
}

const exchange = (body: Json, more: Partial<Exchange> = {}): Exchange => ({
  request: 'GET /',
  status: 200,
  headers: {},
  body,
  keep: [],
  ...more,
})
const bodiesOf = (bodies: readonly Json[], scenario = scenarioOf()): readonly Json[] =>
  canonical(scenario, { run, exchanges: bodies.map((body) => exchange(body)) }).map(({ body }) => body)

const uids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const

describe('canonical', () => {
  test('gives one value one name, everywhere', () => {
    const [first, second] = bodiesOf([
      { metadata: { uid: uids[0], namespace: `space-${run}` } },
      { message: `uid ${uids[0]} is not ${uids[1]}`, ownerReferences: [{ uid: uids[1] }] },
    ])
    expect(first).toEqual({ metadata: { namespace: 'space-RUN', uid: '<uid-1>' } })
    expect(second).toEqual({ message: 'uid <uid-1> is not <uid-2>', ownerReferences: [{ uid: '<uid-2>' }] })
  })

  test('keeps what the scenario says itself', () => {
    const scenario = scenarioOf((s) => s.create(configMaps, named('a', { uid: uids[0], annotations: { at: '2001-02-03T04:05:06Z' } })))
    const said = { uid: uids[0], at: '2001-02-03T04:05:06Z', other: '2001-02-03T04:05:07Z' }
    expect(bodiesOf([said], scenario)).toEqual([{ uid: uids[0], at: '2001-02-03T04:05:06Z', other: '<time>' }])
  })

  test('takes no part of a number, and no other number, for what the scenario says', () => {
    const scenario = scenarioOf((s) => s.create(configMaps, { uid: uids[0], port: 80, address: '10.0.0.99', resourceVersion: '7' }))
    const record = (revision: number) => `ResourceVersion in record (${revision})`
    expect(bodiesOf([record(111), record(80), record(7), '10.0.0.9', '10.0.0.99'], scenario)).toEqual([
      'ResourceVersion in record (<rv-1>)',
      'ResourceVersion in record (<rv-0.5>)',
      'ResourceVersion in record (7)',
      '<cluster-ip-1>',
      '10.0.0.99',
    ])
  })

  test('leaves out managedFields and tells the precision of times', () => {
    expect(bodiesOf([{ managedFields: [1], renewTime: '2020-01-01T00:00:00.123456Z', age: 3 }])).toEqual([
      { renewTime: '<time with 6 digits>', age: 3 },
    ])
  })

  test('tells when the creation time of an object changes', () => {
    const metadata = (creationTimestamp: string) => ({ metadata: { uid: uids[0], creationTimestamp } })
    expect(bodiesOf([metadata('2020-01-01T00:00:00Z'), metadata('2020-01-01T00:00:01Z')])[1]).toEqual({
      metadata: { uid: '<uid-1>', creationTimestamp: '<time, another than before>' },
    })
  })

  test('names generated suffixes, also in refusals', () => {
    const scenario = scenarioOf((s) => s.create(configMaps, { metadata: { generateName: 'config-' } }))
    expect(
      bodiesOf([{ metadata: { generateName: 'config-', name: 'config-bcdf2' } }, { message: 'config-bcdf2 and config-zzzz9' }], scenario),
    ).toEqual([
      { metadata: { generateName: 'config-', name: 'config-<generated-1>' } },
      { message: 'config-<generated-1> and config-<generated-2>' },
    ])
  })

  test('reads continue tokens', () => {
    const token = Buffer.from('{"v":"meta.k8s.io/v1","rv":12,"start":"/a\\u0000"}').toString('base64url')
    expect(bodiesOf([{ metadata: { resourceVersion: '12', continue: token } }])).toEqual([
      { metadata: { continue: { v: 'meta.k8s.io/v1', rv: '<rv-1>', start: '/a\0' }, resourceVersion: '<rv-1>' } },
    ])
  })

  test('keeps of shared collections what the scenario is about', () => {
    const keep = [{ path: 'groups', by: 'name', values: ['apps'] }]
    const [answer] = canonical(scenarioOf(), { run, exchanges: [exchange({ groups: [{ name: 'batch' }, { name: 'apps' }] }, { keep })] })
    expect(answer?.body).toEqual({ groups: [{ name: 'apps' }] })
  })

  test('compares headers that matter, and of an ETag that there is one', () => {
    const headers = { 'content-type': ['application/json'], 'audit-id': ['x'], etag: ['"1"'], warning: ['299 - "a"', '299 - "b"'] }
    expect(canonical(scenarioOf(), { run, exchanges: [exchange(null, { headers })] })[0]?.headers).toEqual({
      etag: 'present',
      warning: '299 - "a", 299 - "b"',
    })
  })
})

describe('RevisionNames', () => {
  test('says the order of revisions, whenever they are seen', () => {
    const names = new RevisionNames()
    expect(['10', '30', '20', '40', '15', '20'].map((revision) => names.of(revision))).toEqual([
      '<rv-1>',
      '<rv-2>',
      '<rv-1.5>',
      '<rv-3>',
      '<rv-1.25>',
      '<rv-1.5>',
    ])
    expect(names.of('newest')).toBe('<not a revision: newest>')
  })
})

describe('differences', () => {
  const answer = (body: Json, status = 200) => ({ request: 'GET /', status, headers: {}, body })
  const pathsOf = (expected: readonly Json[], got: readonly Json[]) =>
    differences(
      expected.map((body) => answer(body)),
      got.map((body) => answer(body)),
    ).map(({ step, path }) => `${step} ${path}`)

  test('does not mind other numbers for the same relations', () => {
    expect(pathsOf(['<uid-1>', '<rv-1> <rv-2>', '<uid-1>'], ['<uid-4>', '<rv-2> <rv-5>', '<uid-4>'])).toEqual([])
  })

  test('tells a name that stands for two things, and two names for one', () => {
    expect(pathsOf(['<uid-1>', '<uid-1>'], ['<uid-1>', '<uid-2>'])).toEqual(['1 body'])
    expect(pathsOf(['<uid-1>', '<uid-2>'], ['<uid-1>', '<uid-1>'])).toEqual(['1 body'])
  })

  test('tells revisions in another order', () => {
    expect(pathsOf(['<rv-1>', '<rv-2>'], ['<rv-1>', '<rv-2>'])).toEqual([])
    expect(pathsOf(['<rv-1>', '<rv-2>'], ['<rv-1>', '<rv-0.5>'])).toEqual(['1 body'])
  })

  test('tells missing and additional members, elements and answers', () => {
    expect(pathsOf([{ a: 1, b: [1, 2] }], [{ b: [1, 3, 4], c: null }])).toEqual(['0 body.a', '0 body.b[1]', '0 body.b[2]', '0 body.c'])
    expect(pathsOf(['a', 'b'], ['a'])).toEqual(['1 status'])
  })

  test('tells of different statuses nothing else', () => {
    expect(differences([answer({ kind: 'A' })], [answer({ kind: 'Status', message: 'no' }, 404)])).toEqual([
      { step: 0, request: 'GET /', path: 'status', expected: 200, got: '404 no' },
    ])
  })

  test('are accepted by scenario, answer and place', () => {
    const found = differences([answer({ a: 1, b: 1 })], [answer({ a: 2, b: 2 })])
    const accept = (more: object) => judge(scenarioOf(), found, 1, [{ scenario: 'errors/one', reason: 'Because.', ...more }])
    expect(accept({}).unaccepted).toEqual([])
    expect(accept({ paths: ['body.a'] }).unaccepted.map(({ path }) => path)).toEqual(['body.b'])
    expect(accept({ answers: [2] }).unaccepted).toHaveLength(2)
    expect(accept({ scenario: 'errors/*' }).reasons).toEqual(['Because.'])
    expect(accept({ scenario: 'watch/*' }).unaccepted).toHaveLength(2)
    expect(needless([{ scenario: 'errors/two', reason: 'None.' }], [accept({})])).toHaveLength(1)
  })
})

test('yamlText is read back as what it was', () => {
  const value: Json = {
    list: [1, 'two', null, true, [], {}, ['nested', ['deeper']]],
    texts: [
      'true',
      'no',
      '1',
      '',
      ' a',
      'a: b',
      '- a',
      '#',
      'line\nfeed',
      '<uid-1>',
      '{{group}}',
      "it's",
      'ä',
      '2020-01-01T00:00:00Z',
      '~',
      '*',
      'a, b',
    ],
    deep: { a: { b: { c: { d: 'x'.repeat(200), e: [{ f: 'y'.repeat(200) }, { f: '' }] } } } },
    'a key: with signs': 1,
  }
  expect(load(yamlText(value))).toEqual(value)
})

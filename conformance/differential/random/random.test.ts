import { describe, expect, test } from 'vitest'
import { type Json, type Scenario, ScenarioBuilder } from '../language/index.js'
import { randomScenario } from './random-scenario.js'
import { scenarioText } from './scenario-text.js'
import { shrink } from './shrink.js'

const bodies = ({ steps }: Scenario): Json[] =>
  steps.flatMap((step) => (step.kind === 'request' && step.body !== undefined && 'json' in step.body ? [step.body.json] : []))

describe('randomScenario', () => {
  test('is what its seed says', () => {
    expect(randomScenario(7, 20)).toEqual(randomScenario(7, 20))
    expect(randomScenario(7, 20)).not.toEqual(randomScenario(8, 20))
  })

  test('asks in many ways', () => {
    const requests = Array.from({ length: 50 }, (_, seed) => randomScenario(seed, 20)).flatMap(({ steps }) => steps)
    const methods = new Set(requests.map((step) => (step.kind === 'request' ? step.method : step.kind)))
    expect([...methods].sort()).toEqual(['DELETE', 'GET', 'PATCH', 'POST', 'PUT'])
  })
})

describe('shrink', () => {
  const scenario: Scenario = (() => {
    const s = new ScenarioBuilder()
    for (const index of [1, 2, 3, 4, 5])
      s.request('POST', `/${index}`, { keep: index, list: [1, { wrong: index === 4 }], more: { deep: {} } })
    return { area: 'errors', name: 'long', controllers: false, steps: s.steps }
  })()

  test('leaves the one step, and of its body the one member, that matter', async () => {
    const hasWrong = (value: Json): boolean => JSON.stringify(value).includes('"wrong":true')
    const shortest = await shrink(scenario, async (candidate) => bodies(candidate).some(hasWrong))
    expect(bodies(shortest)).toEqual([{ list: [{ wrong: true }] }])
  })

  test('keeps steps that only matter together', async () => {
    const paths = ({ steps }: Scenario) => steps.map((step) => (step.kind === 'request' ? step.path : ''))
    const shortest = await shrink(scenario, async (candidate) => paths(candidate).includes('/2') && paths(candidate).includes('/5'))
    expect(paths(shortest)).toEqual(['/2', '/5'])
  })

  test('keeps a scenario that is never the same again', async () => {
    expect(await shrink(scenario, async () => false)).toEqual(scenario)
  })
})

test('scenarioText is the scenario as it would stand in a file', () => {
  const s = new ScenarioBuilder()
  s.request('GET', "/a'b", undefined, { accept: 'application/yaml' })
  s.request('POST', '/c', { d: 1 }, { user: 'jane' })
  expect(scenarioText({ area: 'errors', name: 'two', controllers: false, steps: s.steps })).toBe(`scenario('two', (s) => {
  s.request('GET', '/a\\'b', undefined, {"accept":"application/yaml"}) // r1
  s.request('POST', '/c', {"d":1}, {"user":"jane"}) // r2
})`)
})

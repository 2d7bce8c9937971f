import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareScenario, outcomeText, scenarioId } from './compare/index.js'
import { type Fault, startFaultProxy } from './fault-proxy.testing.js'
import type { JsonObject, Scenario } from './language/index.js'
import { scenarios } from './scenarios/index.js'
import { type Server, startOurs } from './servers.js'

let ours: Server
beforeAll(async () => {
  ours = await startOurs({ controllers: false })
})
afterAll(() => ours.stop())

/** What the suite says about a scenario when the server has a fault; empty when it notices nothing. */
async function verdict(id: string, fault: Fault): Promise<string> {
  const scenario = scenarios.find((candidate) => scenarioId(candidate) === id) as Scenario
  const proxy = await startFaultProxy(ours, fault)
  try {
    const outcome = await compareScenario(proxy, scenario, [])
    return outcome.differences.length === 0 ? '' : outcomeText(outcome)
  } finally {
    await proxy.stop()
  }
}

const withMetadata = (body: JsonObject, metadata: JsonObject): JsonObject => ({
  ...body,
  metadata: { ...(body.metadata as JsonObject), ...metadata },
})
const otherUid = '99999999-9999-4999-8999-999999999999'

describe('a fault of the server', () => {
  test('none: the proxy itself changes nothing', async () => {
    for (const id of [
      'patch/merge-nothing',
      'watch/changes-from-now-on',
      'watch/initial-events-and-their-bookmark',
      'errors/get-of-a-missing-object',
    ]) {
      expect(await verdict(id, {})).toBe('')
    }
  })

  test('a uid that changes on update', async () => {
    const fault: Fault = { answer: (body, { method }) => (method === 'PATCH' ? withMetadata(body, { uid: otherUid }) : body) }
    expect(await verdict('patch/merge-a-changed-a-new-and-a-removed-key', fault)).toBe(
      `patch/merge-a-changed-a-new-and-a-removed-key
  answer 2, PATCH /api/v1/namespaces/{{namespace}}/configmaps/a of application/merge-patch+json
    body.metadata.uid
      expected "<uid-1>"
      got      "<uid-2>"`,
    )
  })

  test('a revision that does not increase', async () => {
    let created: string | undefined
    const fault: Fault = {
      answer(body, { method }) {
        const { resourceVersion } = body.metadata as { readonly resourceVersion?: string }
        if (method === 'POST') created = resourceVersion
        return method === 'PUT' && created !== undefined ? withMetadata(body, { resourceVersion: created }) : body
      },
    }
    expect(await verdict('errors/update-of-a-stale-resourceversion', fault)).toContain(
      'body.metadata.resourceVersion\n      expected "<rv-2>"\n      got      "<rv-1>"',
    )
  })

  test('a revision that decreases', async () => {
    const fault: Fault = { answer: (body, { method }) => (method === 'PATCH' ? withMetadata(body, { resourceVersion: '1' }) : body) }
    expect(await verdict('patch/merge-a-changed-a-new-and-a-removed-key', fault)).toContain('expected "<rv-2>"\n      got      "<rv-0.5>"')
  })

  test('a creation time that changes', async () => {
    const fault: Fault = {
      answer: (body, { method }) => (method === 'PATCH' ? withMetadata(body, { creationTimestamp: '2001-02-03T04:05:06Z' }) : body),
    }
    expect(await verdict('patch/merge-a-changed-a-new-and-a-removed-key', fault)).toContain('got      "<time, another than before>"')
  })

  test('two watch events swapped', async () => {
    const fault: Fault = { together: 4, events: ([first, second, ...rest]) => [second, first, ...rest] as JsonObject[] }
    const text = await verdict('watch/changes-from-now-on', fault)
    expect(text).toContain('4 events of w1\n    body[0].object.data.k\n      expected "1"\n      got      "2"')
    expect(text).toContain('body[0].type\n      expected "ADDED"\n      got      "MODIFIED"')
  })

  test('a missing bookmark', async () => {
    const fault: Fault = { events: (events) => events.filter(({ type }) => type !== 'BOOKMARK') }
    expect(await verdict('watch/initial-events-of-nothing', fault)).toContain(
      '"type":"BOOKMARK"}\n      got      "nothing more came in time"',
    )
  })

  test('a wrong reason', async () => {
    const fault: Fault = { answer: (body) => (body.reason === 'NotFound' ? { ...body, reason: 'Gone' } : body) }
    expect(await verdict('errors/get-of-a-missing-object', fault)).toContain(
      'body.reason\n      expected "NotFound"\n      got      "Gone"',
    )
  })

  test('a list in another order', async () => {
    const fault: Fault = { answer: (body) => (Array.isArray(body.items) ? { ...body, items: [...body.items].reverse() } : body) }
    expect(await verdict('paging/pages-of-two', fault)).toContain('body.items[0].metadata.name\n      expected "a"\n      got      "b"')
  })
})

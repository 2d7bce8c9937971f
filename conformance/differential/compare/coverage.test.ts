import { expect, test } from 'vitest'
import { coverageOf, joined } from './coverage.js'

const answer = (status: number, body: object) => ({ request: 'POST /', status, headers: {}, body: body as never })

test('counts a kind once, and a rule once whatever item it refused', () => {
  const cause = (field: string) => ({ field, reason: 'FieldValueRequired', message: 'Required value' })
  const refusal = (field: string) => answer(422, { kind: 'Status', reason: 'Invalid', details: { kind: 'Pod', causes: [cause(field)] } })
  const stored = answer(201, { apiVersion: 'v1', kind: 'Pod', metadata: { uid: '<uid-1>' } })
  const first = coverageOf([stored, stored, refusal('spec.containers[0].name')])
  const all = joined([first, coverageOf([refusal('spec.containers[3].name'), refusal('spec.containers')])])
  expect([...all.kinds]).toEqual(['v1 Pod'])
  expect([...all.rules]).toEqual(['Pod spec.containers[].name FieldValueRequired', 'Pod spec.containers FieldValueRequired'])
})

test('takes no object that was not stored, and no refusal of another sort', () => {
  const coverage = coverageOf([
    answer(200, { apiVersion: 'v1', kind: 'PodList', metadata: {}, items: [] }),
    answer(404, { kind: 'Status', reason: 'NotFound', details: { kind: 'pods', causes: [] } }),
  ])
  expect(coverage.kinds.size + coverage.rules.size).toBe(0)
})

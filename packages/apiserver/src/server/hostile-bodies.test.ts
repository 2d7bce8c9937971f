import { afterEach, expect, test } from 'vitest'
import { type ControlPlane, startControlPlane } from './control-plane.js'

const started: ControlPlane[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((controlPlane) => controlPlane.stop()))
})

async function start() {
  const controlPlane = await startControlPlane({ controllers: 'none' })
  started.push(controlPlane)
  return async (text: string, query = '') => {
    const answer = await controlPlane.transport().request({
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps',
      query: new URLSearchParams(query),
      headers: { 'content-type': 'application/json' },
      body: { kind: 'bytes', bytes: new TextEncoder().encode(text) },
    })
    return {
      status: answer.status,
      warnings: [answer.headers.warning ?? []].flat(),
      message: (answer.body as { readonly value?: { readonly message?: string } }).value?.message,
    }
  }
}

test('problems of a large and deep document are put in order without going through all of it', async () => {
  const create = await start()
  const deep = `${`{"${'k'.repeat(330)}":`.repeat(3000)}[${'1,'.repeat(500_000)}1]${'}'.repeat(3000)}`
  const { status, warnings } = await create(`{"metadata":{"name":"a"},"x":${deep},"data":{"a":"1","a":"2"},"y":1}`)
  expect(status).toBe(201)
  expect(warnings).toEqual(['299 - "unknown field \\"x\\""', '299 - "duplicate field \\"data.a\\""', '299 - "unknown field \\"y\\""'])
})

test('a list is another kind that is known, which no object is converted from', async () => {
  const create = await start()
  const { status, message } = await create('{"apiVersion":"v1","kind":"ConfigMapList","items":[]}')
  expect(status).toBe(400)
  expect(message).toBe(
    'ConfigMapList in version "v1" cannot be handled as a ConfigMap: converting (v1.ConfigMapList) to (core.ConfigMap): unknown conversion',
  )
})

test('problems in members whose names have points are told in the order of the document', async () => {
  const create = await start()
  const text = '{"metadata":{"name":"a","annotations":{"a.b/c.d":"1","a.b/c.d":"2","e":"1"},"z.y":1},"data":{"k.l":"1","k.l":"2"},"w":[]}'
  const { message } = await create(text, 'fieldValidation=Strict')
  expect(message).toBe(
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "metadata.annotations.a.b/c.d", unknown field "metadata.z.y", duplicate field "data.k.l", unknown field "w"',
  )
})

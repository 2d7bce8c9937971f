// Records answers.json: what a real API server answers to requests.json. Nothing in its cluster is touched that it does not make itself.
// Run: API_SERVER=https://127.0.0.1:PORT TOKEN=… node record.mjs
import { readFileSync, writeFileSync } from 'node:fs'

process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
const { API_SERVER: server, TOKEN: token } = process.env
const suffix = `x${Date.now().toString(36)}`
const steps = JSON.parse(readFileSync(new URL('requests.json', import.meta.url), 'utf8'))
const rename = (text) => text.replaceAll('golden', `golden${suffix}`)
const restore = (text) => text.replaceAll(`golden${suffix}`, 'golden')

async function send({ method, path, body, type }) {
  const response = await fetch(server + rename(path), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': type ?? 'application/json' },
    ...(body === undefined ? {} : { body: rename(JSON.stringify(body)) }),
  })
  const warnings = response.headers.get('warning')
  const text = restore(await response.text())
  const answer = text.startsWith('{') ? JSON.parse(text) : { text }
  return { code: response.status, ...(warnings === null ? {} : { warnings: restore(warnings) }), body: answer }
}

async function settle(step) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const { body } = await send({ ...step, method: 'GET' })
    if (body.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  // The handlers follow the condition with a delay.
  await new Promise((resolve) => setTimeout(resolve, 3000))
  return { code: 0, body: {} }
}

const answers = []
for (const step of steps) {
  const { code, warnings, body } = step.method === 'WAIT' ? await settle(step) : await send(step)
  delete body.metadata?.managedFields
  answers.push({ code, ...(warnings === undefined ? {} : { warnings }), body })
}
writeFileSync(new URL('answers.json', import.meta.url), `${JSON.stringify(answers, null, 1)}\n`)

// Records strategic-merge-answers.json: what a real API server answers to strategic-merge-requests.json. Every patch is a dry run.
// Run: API_SERVER=https://127.0.0.1:PORT TOKEN=… node record-strategic-merges.mjs
import { readFileSync, writeFileSync } from 'node:fs'

process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
const { API_SERVER: server, TOKEN: token } = process.env
const suffix = `x${Date.now().toString(36)}`
const { bases, cases } = JSON.parse(readFileSync(new URL('strategic-merge-requests.json', import.meta.url), 'utf8'))
const rename = (text) => text.replaceAll('golden', `golden${suffix}`)
const restore = (text) => text.replaceAll(`golden${suffix}`, 'golden')

async function send(method, target, type, text) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type, 'user-agent': 'golden/1' }
  const response = await fetch(server + rename(target), { method, headers, ...(text === undefined ? {} : { body: rename(text) }) })
  const warnings = response.headers.get('warning')
  const body = JSON.parse(restore(await response.text()))
  delete body.metadata?.managedFields
  return { code: response.status, ...(warnings === null ? {} : { warnings: restore(warnings) }), body }
}

const create = async (path, object) => {
  const { code, body } = await send('POST', path, 'application/json', JSON.stringify(object))
  if (code !== 201) throw new Error(JSON.stringify(body))
  return body
}

await create('/api/v1/namespaces', { metadata: { name: 'golden' } })
const account = { metadata: { name: 'default' } }
await send('POST', '/api/v1/namespaces/golden/serviceaccounts', 'application/json', JSON.stringify(account))
const created = {}
for (const [name, { path, object }] of Object.entries(bases)) created[name] = await create(path, object)
const answers = {}
for (const { name, base, patch, isText, of, subresource, query } of cases) {
  const { path, object } = bases[base]
  const target = `${path}/${of ?? object.metadata.name}${subresource === undefined ? '' : `/${subresource}`}?dryRun=All${query === undefined ? '' : `&${query}`}`
  answers[name] = await send('PATCH', target, 'application/strategic-merge-patch+json', isText ? patch : JSON.stringify(patch))
}
await send('DELETE', bases.node.path + '/golden-node', 'application/json')
for (const base of ['pod', 'map']) {
  const target = `${bases[base].path}/${bases[base].object.metadata.name}`
  await send('PATCH', target, 'application/merge-patch+json', '{"metadata":{"finalizers":null}}')
}
await send('DELETE', '/api/v1/namespaces/golden', 'application/json')
writeFileSync(new URL('strategic-merge-answers.json', import.meta.url), `${JSON.stringify({ created, answers }, null, 1)}\n`)

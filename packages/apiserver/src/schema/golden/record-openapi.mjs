// Records openapi.json: digests of the OpenAPI documents of a real API server that serves every version, and of the definitions in
// openapi-definitions.json, which are created and removed. Descriptions are left out.
// Run: API_SERVER=https://127.0.0.1:PORT TOKEN=… node record-openapi.mjs
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
const { API_SERVER: server, TOKEN: token } = process.env
const definitionsText = readFileSync(new URL('openapi-definitions.json', import.meta.url), 'utf8')

async function request(path, method = 'GET', body) {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' }
  const response = await fetch(server + path, { method, headers, ...(body === undefined ? {} : { body }) })
  return response.text()
}

/** Numbers keep their digits: those that JavaScript cannot hold become texts with a mark. */
const parse = (text) => JSON.parse(text.replace(/([[:,]\s*)(-?\d{17,})(?=\s*[,\]}])/g, '$1"#$2"'))

function canonical(value, areNames = false) {
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one)).join(',')}]`
  if (typeof value === 'string' && value.startsWith('#') && /^#-?\d{17,}$/.test(value)) return value.slice(1)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.keys(value)
    .filter((key) => areNames || key !== 'description' || typeof value[key] !== 'string')
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key], !areNames && ['properties', 'definitions', 'schemas', 'paths'].includes(key))}`)
  return `{${members.join(',')}}`
}
const digest = (value) => createHash('sha256').update(canonical(value)).digest('hex').slice(0, 12)
const digests = (values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, digest(value)]))

/** Schemas are told once; `name in document` where one document has another. */
const schemas = {}
function documentOf(name, { paths, components, ...rest }) {
  const { schemas: ofDocument = {}, ...others } = components
  for (const [schema, hash] of Object.entries(digests(ofDocument))) {
    schemas[schema] ??= hash
    if (schemas[schema] !== hash) schemas[`${schema} in ${name}`] = hash
  }
  return { rest: digest({ ...rest, ...others }), schemas: digest(Object.keys(ofDocument).sort()), paths: digests(paths) }
}

/** Version 2 says the same in another form: a digest for each package and each beginning of paths is enough. */
function swaggerOf({ paths, definitions, ...rest }) {
  const packageOf = (name) => name.slice(0, name.lastIndexOf('.'))
  const rootOf = (path) => path.split('/').slice(0, 4).join('/')
  return { rest: digest(rest), definitions: digests(grouped(definitions, packageOf)), paths: digests(grouped(paths, rootOf)) }
}

function grouped(values, keyOf) {
  const groups = {}
  for (const [name, value] of Object.entries(values)) {
    groups[keyOf(name)] ??= { definitions: {} }
    groups[keyOf(name)].definitions[name] = value
  }
  return groups
}

const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const definitions = parse(definitionsText)
// As numbers are written, not as JavaScript holds them.
for (const definition of definitions) await request(collection, 'POST', JSON.stringify(definition).replace(/"#(-?\d{17,})"/g, '$1'))
const [{ spec }] = definitions
let index
do {
  await new Promise((resolve) => setTimeout(resolve, 1000))
  index = parse(await request('/openapi/v3'))
} while (index.paths[`apis/${spec.group}/v1`] === undefined)
await new Promise((resolve) => setTimeout(resolve, 3000))
index = parse(await request('/openapi/v3'))

const documents = {}
for (const name of Object.keys(index.paths).sort()) documents[name] = documentOf(name, parse(await request(`/openapi/v3/${name}`)))
const swagger = swaggerOf(parse(await request('/openapi/v2')))
for (const { metadata } of definitions) await request(`${collection}/${metadata.name}`, 'DELETE')
writeFileSync(new URL('openapi.json', import.meta.url), `${JSON.stringify({ schemas, documents, swagger }, null, 1)}\n`)

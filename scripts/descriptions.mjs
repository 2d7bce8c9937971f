/**
 * What fields of built-in kinds are for, in the words of Kubernetes: read from the development dependency `kubernetes-models` when packages are built, and never
 * committed. They become comments of the declarations in `steersman/api/types` and descriptions of the OpenAPI documents that `kubectl explain` shows.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Groups whose folder is not the first part of their name. */
const folders = { '': 'core' }

/**
 * Descriptions by `<folder>/<version>/<name of the struct>`, as the folders of `steersman/api/types` are called.
 *
 * @returns {Map<string, { text: string, fields: Map<string, string> }>}
 */
export function readDescriptions(root) {
  const modules = join(root, 'node_modules')
  const models = join(modules, 'kubernetes-models')
  const found = new Map()
  const groups = readdirSync(models, { withFileTypes: true }).filter((entry) => entry.isDirectory() && !/^(?:_|v\d)/.test(entry.name))
  for (const group of ['', ...groups.map(({ name }) => name)]) {
    for (const version of readdirSync(join(models, group)).filter((name) => /^v\d/.test(name))) {
      readFolder(join(models, group, version), `${folders[group] ?? group.split('.', 1)[0]}/${version}`, found)
    }
  }
  readFolder(join(modules, '@kubernetes-models/apimachinery/apis/meta/v1'), 'meta/v1', found)
  return found
}

function readFolder(folder, key, found) {
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.d.ts') || file === 'index.d.ts') continue
    const name = file.slice(0, -'.d.ts'.length)
    const described = { text: '', fields: new Map() }
    const comments = /\/\*\*\n((?:\s+\* .*\n|\s+\*\n)+)\s+\*\/\s+(?:export interface \w+|"([^"]+)"\??:)/g
    for (const [, comment, field] of readFileSync(join(folder, file), 'utf8').matchAll(comments)) {
      const text = comment.replaceAll(/^\s+\* ?/gm, '').trim()
      if (field === undefined) described.text ||= text
      else described.fields.set(field, text)
    }
    if (described.text !== '' || described.fields.size > 0) found.set(`${key}/${name}`, described)
  }
}

/** Writes them as comments into the declarations of `steersman/api/types`. Declarations that have them stay as they are. */
export function documentDeclarations(root, descriptions) {
  const types = join(root, 'packages/steersman/dist/api/types')
  for (const folder of readdirSync(types)) {
    for (const file of readdirSync(join(types, folder)).filter((name) => name.endsWith('.d.ts'))) {
      const path = join(types, folder, file)
      const text = readFileSync(path, 'utf8')
      if (text.includes('/**')) continue
      writeFileSync(path, documented(text, `${folder}/${file.slice(0, -'.d.ts'.length)}`, descriptions))
    }
  }
}

function documented(text, key, descriptions) {
  let described
  const lines = text.split('\n').flatMap((line) => {
    const start = /^export interface (\w+) \{/.exec(line)
    if (start !== null) {
      described = descriptions.get(`${key}/${start[1]}`)
      return described?.text ? [comment(described.text, ''), line] : [line]
    }
    const field = /^( +)readonly '?([\w$-]+)'?\??:/.exec(line)
    const sentence = field === null ? undefined : described?.fields.get(field[2])
    return sentence === undefined ? [line] : [comment(sentence, field[1]), line]
  })
  return lines.join('\n')
}

function comment(text, indent) {
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */`
}

/** The module that takes the place of `schema/descriptions.ts` in the bundle of the API server. */
export function descriptionsModule(descriptions) {
  const entries = Array.from(descriptions, ([key, { text, fields }]) => [key, { '': text, ...Object.fromEntries(fields) }])
  return `export const descriptions = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(entries)))})`
}

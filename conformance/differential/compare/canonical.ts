import type { Json, JsonObject, Scenario } from '../language/index.js'
import { type Exchange, type Transcript, valueAt } from '../run/index.js'
import { Names, RevisionNames } from './names.js'
import { openApiForm, withoutDocumentHash } from './openapi-form.js'
import { tokenContent } from './token-content.js'

/** An answer with everything left out or renamed that differs from run to run and from server to server. */
export interface CanonicalAnswer {
  readonly request: string
  readonly status: number
  /** Those that matter. A content type of plain JSON is left out. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
}

/** Headers that clients act on. */
const comparedHeaders = ['content-type', 'warning', 'retry-after', 'location', 'www-authenticate', 'allow', 'vary']

const uidPattern = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
const timePattern = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g
const clusterAddressPattern = /\b10\.0\.0\.\d{1,3}\b/g
const loopbackPattern = /\b127\.0\.0\.1:\d+/g
/** A port of nodes in a cell of a table. */
const nodePortCell = /(?<=\d:)\d{5}(?=\/(?:TCP|UDP|SCTP))/g
const agePattern = /^(?:\d+[smhdy])+$|^<invalid>$/
/** Sentences of errors that name revisions. */
const revisionPattern =
  /((?:resource ?version:? |oldest: |ResourceVersion in (?:the )?(?:precondition|record|object meta)[ :(]+|too old resource version: \d+ \())(\d+)/gi
/** How far a cache had come when it refused: it may lag by whatever others wrote. */
const currentPattern = /current: \d+/g
/** A whole object that a refusal quotes; it holds managedFields. */
const quotedObjectPattern = /"\{\\"(?:[^"\\]|\\.)*"/g
/** A longer prefix of a generated name is cut to this. */
const mostPrefix = 58
/** What is added to it. */
const suffixPattern = /^[bcdfghjklmnpqrstvwxz2456789]{5}$/
const accountVolumePattern = /\bkube-api-access-([a-z0-9]{5})\b/g
const templateHash = 'pod-template-hash'

/**
 * The comparable form of a transcript. uids, revisions, times, addresses, generated names, ports and hashes that the scenario did not choose are renamed; the same
 * value always to the same name, and names of revisions keep their order. Of a time it is kept that there is one, and its precision; and that an object's creation
 * time never changes. managedFields are left out, and so is the wording of what describes the columns of built-in tables.
 */
export function canonical(scenario: Scenario, transcript: Transcript): readonly CanonicalAnswer[] {
  const form = new CanonicalForm(scenario, transcript.run)
  const exchanges = transcript.exchanges.map((exchange) => ({ ...exchange, body: kept(exchange) }))
  for (const { body } of exchanges) form.learnNames(body)
  return exchanges.map((exchange) => form.answer(exchange))
}

/** The body with only those elements of shared collections that the scenario is about. A collection of which nothing is left is left out. */
function kept({ body, keep }: Exchange): Json {
  let result = body
  for (const { path, by, values } of keep) {
    result = replaceAt(result, path === '' ? [] : path.split('.'), (array) =>
      Array.isArray(array) ? array.filter((element) => values.includes(String(valueAt(element as Json, by)))) : array,
    ) as Json
  }
  return result
}

/** `*` in a path is every element. */
function replaceAt(value: Json, [key, ...rest]: readonly string[], change: (value: Json) => Json): Json | undefined {
  if (key === undefined) return change(value)
  if (value === null || typeof value !== 'object') return value
  if (key === '*') return Array.isArray(value) ? value.map((element) => replaceAt(element as Json, rest, change) as Json) : value
  if (!(key in value)) return value
  const { [key]: before, ...others } = value as JsonObject
  const after = replaceAt(before as Json, rest, change)
  return Array.isArray(after) && after.length === 0 && Array.isArray(before) && before.length > 0
    ? others
    : { ...others, [key]: after as Json }
}

class CanonicalForm {
  readonly #run: string
  /** As names of operations begin with it. */
  readonly #capitalRun: string
  /** Everything that the scenario itself says: what stands there is not renamed. */
  readonly #said: string
  /** Revisions that it says: a port of that number is none. */
  readonly #saidRevisions: ReadonlySet<string>
  /** Revisions of a cluster where controllers write beside the scenario say nothing. */
  readonly #countsRevisions: boolean
  readonly #names = new Names()
  readonly #revisions = new RevisionNames()
  readonly #generated = new Map<string, string>()
  readonly #created = new Map<string, string>()
  #isOfCustomResource = false
  /** A token says the uid of its account and when the token was asked for. */
  #isOfToken = false
  /** What generated names begin with. */
  readonly #prefixes: readonly string[]

  constructor({ steps, controllers }: Scenario, run: string) {
    this.#run = run
    this.#capitalRun = run.charAt(0).toUpperCase() + run.slice(1)
    this.#said = JSON.stringify(steps)
    this.#saidRevisions = new Set([...this.#said.matchAll(/resourceVersion(?:=|"\s*:\s*")(\d+)/g)].map(([, revision = '']) => revision))
    this.#countsRevisions = !controllers
    this.#prefixes = [...this.#said.matchAll(/"generateName":"([^"]+)"/g)].map(([, prefix = '']) => prefix.slice(0, mostPrefix))
  }

  answer({ request, status, headers, body }: Exchange): CanonicalAnswer {
    const compared = Object.fromEntries(
      comparedHeaders.flatMap((name) => {
        const text = headers[name]?.map((value) => withoutDocumentHash(this.#text(value))).join(', ')
        return text === undefined || (name === 'content-type' && text === 'application/json') ? [] : [[name, text]]
      }),
    )
    this.#isOfCustomResource = request.includes('{{group}}')
    this.#isOfToken = /\/token\b/.test(request)
    const etag: Record<string, string> = headers.etag === undefined ? {} : { etag: 'present' }
    const content = this.#value(body, [])
    const isOpenApi = request.includes(' /openapi/')
    return { request: this.#text(request), status, headers: { ...compared, ...etag }, body: isOpenApi ? openApiForm(content) : content }
  }

  /** Finds names that were generated, wherever they are said first. */
  learnNames(value: Json): void {
    if (typeof value === 'string') this.#learnSuffixes(value)
    if (value === null || typeof value !== 'object') return
    if (Array.isArray(value)) {
      for (const element of value) this.learnNames(element as Json)
      return
    }
    const { name, generateName } = value as JsonObject
    if (typeof name === 'string' && typeof generateName === 'string' && name.startsWith(generateName)) {
      const suffix = name.slice(generateName.length)
      if (suffixPattern.test(suffix)) this.#generated.set(suffix, this.#names.of('generated', suffix))
    }
    const hash = (value as JsonObject)[templateHash]
    if (typeof hash === 'string') this.#generated.set(hash, this.#names.of('hash', hash))
    for (const member of Object.values(value as JsonObject)) this.learnNames(member)
  }

  /** Names that a refusal says: they are in no object. */
  #learnSuffixes(text: string): void {
    for (const prefix of this.#prefixes) {
      for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1)) {
        const suffix = text.slice(at + prefix.length, at + prefix.length + 5)
        if (suffixPattern.test(suffix)) this.#generated.set(suffix, this.#names.of('generated', suffix))
      }
    }
  }

  #value(value: Json, path: readonly string[]): Json {
    if (typeof value === 'string') return this.#string(value, path)
    if (typeof value === 'number' && /nodePort$/i.test(path.at(-1) ?? ''))
      return this.#unlessSaid(String(value), () => this.#names.of('node-port', String(value)))
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) {
      const elements = value.map((element) => this.#value(element as Json, [...path, '*']))
      return isInNoOrder(path) ? elements.sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)) : elements
    }
    const members = Object.entries(value as JsonObject)
      .filter(([key]) => key !== 'managedFields')
      .map(([key, member]): [string, Json] => [this.#text(key), this.#value(member, [...path, key])])
    const result = Object.fromEntries(members.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)))
    return this.#checkCreation(value as JsonObject, result)
  }

  /** An object's creation time is part of its identity. */
  #checkCreation({ uid, creationTimestamp }: JsonObject, result: JsonObject): Json {
    if (typeof uid !== 'string' || typeof creationTimestamp !== 'string' || this.#isOfToken) return result
    const first = this.#created.get(uid) ?? creationTimestamp
    this.#created.set(uid, first)
    return first === creationTimestamp ? result : { ...result, creationTimestamp: '<time, another than before>' }
  }

  #string(text: string, path: readonly string[]): Json {
    const key = path.at(-1)
    if (key === 'resourceVersion') return this.#countsRevisions ? this.#revisions.of(text) : text === '' ? '' : '<rv>'
    // It is made of group, version and kind, and the group is of this run.
    if (key === 'storageVersionHash' && this.#isOfCustomResource) return this.#names.of('hash', text)
    if (key === 'serverAddress') return '<address>'
    if (key === 'jwks_uri') return text.replace(/\/\/[^/]+/, '//<address>')
    if (key === 'continue' && text !== '') return this.#continueToken(text)
    const content = tokenContent(text)
    if (content !== undefined) return this.#value(content, path)
    if (isOfKey(path)) return this.#names.of('key', text)
    if (path.at(-2) === 'cells' && agePattern.test(text)) return '<age>'
    if (path.at(-2) === 'cells')
      return this.#text(text.replace(nodePortCell, (port) => this.#unlessSaid(port, () => this.#names.of('node-port', port))))
    if (key === 'description' && path.at(-3) === 'columnDefinitions')
      return this.#unlessSaid(text, () => (text === '' ? '' : '<description>'))
    return this.#text(text)
  }

  #continueToken(token: string): Json {
    try {
      const { rv, start, v } = JSON.parse(Buffer.from(token, 'base64url').toString()) as { rv: number; start: string; v: string }
      const revision = rv > 0 ? this.#revisions.of(String(rv)) : String(rv)
      return { v, rv: revision, start: this.#text(start) }
    } catch {
      return `<not a continue token: ${this.#text(token)}>`
    }
  }

  #text(text: string): string {
    let result = text.replaceAll(this.#run, 'RUN').replaceAll(this.#capitalRun, 'Run')
    for (const [generated, name] of this.#generated) if (result.includes(generated)) result = result.replaceAll(generated, name)
    return result
      .replace(accountVolumePattern, (_, suffix: string) => `kube-api-access-${this.#names.of('generated', suffix)}`)
      .replace(uidPattern, (uid) => this.#unlessSaid(uid, () => this.#names.of('uid', uid)))
      .replace(timePattern, (time, fraction?: string) =>
        this.#unlessSaid(time, () => `<time${fraction === undefined ? '' : ` with ${fraction.length - 1} digits`}>`),
      )
      .replace(clusterAddressPattern, (address) => this.#unlessSaid(address, () => this.#names.of('cluster-ip', address)))
      .replace(loopbackPattern, '<address>')
      .replace(quotedObjectPattern, '"<object>"')
      .replace(currentPattern, 'current: <some revision>')
      .replace(
        revisionPattern,
        (_, before: string, revision: string) => before + (this.#saidRevisions.has(revision) ? revision : this.#revisionName(revision)),
      )
  }

  #revisionName(revision: string): string {
    return this.#countsRevisions ? this.#revisions.of(revision) : '<rv>'
  }

  #unlessSaid(value: string, name: () => string): string {
    for (let at = this.#said.indexOf(value); at >= 0; at = this.#said.indexOf(value, at + 1)) {
      // `10.0.0.9` is not said by who says `10.0.0.99`.
      if (!isWordAt(this.#said, at - 1) && !isWordAt(this.#said, at + value.length)) return value
    }
    return name()
  }
}

/** What makes one key different from another: its number, and its name in the head of a token. */
function isOfKey(path: readonly string[]): boolean {
  const key = path.at(-1)
  return key === 'kid' || ((key === 'x' || key === 'y') && path.at(-3) === 'keys')
}

/** The rules that apply to a user come in the order in which bindings lie in a hash table. */
function isInNoOrder(path: readonly string[]): boolean {
  return path.at(-2) === 'status' && (path.at(-1) === 'resourceRules' || path.at(-1) === 'nonResourceRules')
}

function isWordAt(text: string, index: number): boolean {
  return /\w/.test(text.charAt(index))
}

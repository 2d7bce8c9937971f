import { randomBytes } from 'node:crypto'
import type { Agent } from 'node:https'
import { load } from 'js-yaml'
import { createAgent, httpRequest } from '../../src/http-client.js'
import { users } from '../../src/users.js'
import type {
  Condition,
  EndStep,
  EventsStep,
  Json,
  RequestStep,
  Scenario,
  Step,
  UntilStep,
  UserName,
  WatchStep,
} from '../language/index.js'
import { References, valueAt } from './references.js'
import type { Exchange, Target, Transcript } from './transcript.js'
import { openWatchStream, type WatchStream } from './watch-stream.js'

const tokens: Readonly<Record<UserName, string | undefined>> = {
  admin: users.admin.token,
  jane: users.jane.token,
  anonymous: undefined,
  stranger: 'nobody-knows-this-token',
}

/** Text that no other run has, and that no answer holds by chance. Always of the same length. */
function freshRun(): string {
  return `x${[...randomBytes(7)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')}`
}

/** Runs a scenario from its first step to its last, in a namespace of its own. A step that the server makes impossible is part of the answer, never thrown. */
export async function runScenario(target: Target, scenario: Scenario): Promise<Transcript> {
  const run = new ScenarioRun(target)
  try {
    await run.prepare()
    for (const step of scenario.steps) await run.step(step)
    return { run: run.run, exchanges: run.exchanges }
  } finally {
    await run.close()
  }
}

class ScenarioRun {
  readonly run = freshRun()
  readonly exchanges: Exchange[] = []
  readonly #target: Target
  readonly #agent: Agent = createAgent()
  readonly #references: References
  readonly #watches = new Map<string, WatchStream>()
  readonly #definitions = new Set<string>()

  constructor(target: Target) {
    this.#target = target
    this.#references = new References({ run: this.run, namespace: `space-${this.run}`, group: `${this.run}.example.com` })
  }

  async prepare(): Promise<void> {
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: `space-${this.run}` } })
    const { status } = await this.#send('POST', '/api/v1/namespaces', 'admin', { 'content-type': 'application/json' }, body)
    if (status !== 201) throw new Error(`Cannot prepare a scenario: creating its namespace was answered with ${status}`)
  }

  /** Closes watches and removes the custom resources of this run's group: their number slows a real server down. */
  async close(): Promise<void> {
    for (const watch of this.#watches.values()) watch.close()
    for (const name of this.#definitions) {
      const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`
      await this.#send('DELETE', path, 'admin', {})
      // Objects with finalizers would keep it, and other scenarios would meet it in the documents about the API.
      const headers = { 'content-type': 'application/merge-patch+json' }
      await this.#send('PATCH', path, 'admin', headers, JSON.stringify({ metadata: { finalizers: null } }))
    }
    this.#agent.destroy()
  }

  async step(step: Step): Promise<void> {
    try {
      await this.#perform(step)
    } catch (error) {
      const request = step.kind === 'request' || step.kind === 'watch' ? describe(step) : step.kind
      this.#record({
        request,
        status: 0,
        headers: {},
        body: `impossible: ${error instanceof Error ? error.message : String(error)}`,
        keep: [],
      })
    }
  }

  #perform(step: Step): Promise<void> {
    switch (step.kind) {
      case 'request':
        return this.#request(step)
      case 'until':
        return this.#until(step)
      case 'watch':
        return this.#watch(step)
      case 'events':
        return this.#events(step)
      case 'end':
        return this.#end(step)
    }
  }

  async #request(step: RequestStep): Promise<void> {
    const exchange = await this.#ask(step)
    if (!step.isQuiet) this.#record(exchange)
  }

  async #until({ request, condition }: UntilStep): Promise<void> {
    const deadline = Date.now() + (this.#target.patienceMs ?? 10_000)
    let exchange = await this.#ask(request)
    while (!holds(condition, exchange) && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 25))
      exchange = await this.#ask(request)
    }
    if (!holds(condition, exchange))
      this.#record({ ...exchange, request: `${exchange.request} until ${JSON.stringify(condition)}: in vain` })
    else if (!request.isQuiet) this.#record({ ...exchange, request: `${exchange.request} until ${JSON.stringify(condition)}` })
  }

  async #ask(step: RequestStep): Promise<Exchange> {
    const path = this.#references.fill(step.path)
    const text = step.body === undefined ? undefined : 'text' in step.body ? step.body.text : JSON.stringify(step.body.json)
    const body = text === undefined ? undefined : this.#references.fill(text)
    const answer = await this.#send(step.method, path, step.user, this.#filled(step.headers), body)
    const json = contentOf(answer.headers['content-type']?.[0], answer.body)
    this.#references.remember(step.id, json, answer.headers.etag?.[0])
    const defined = step.method === 'POST' && path.startsWith('/apis/apiextensions.k8s.io/') ? valueAt(json, 'metadata.name') : undefined
    if (answer.status === 201 && typeof defined === 'string' && defined.includes(this.run)) this.#definitions.add(defined)
    return { request: describe(step), status: answer.status, headers: answer.headers, body: json, keep: step.keep }
  }

  async #watch(step: WatchStep): Promise<void> {
    const path = this.#references.fill(step.path)
    const stream = await openWatchStream({ url: this.#target.url + path, headers: headersOf(step.user, this.#filled(step.headers)) })
    this.#watches.set(step.watch, stream)
    this.#record({ request: describe(step), status: stream.status, headers: stream.headers, body: stream.refusal ?? null, keep: [] })
  }

  async #events({ watch, count }: EventsStep): Promise<void> {
    const events = (await this.#watches.get(watch)?.take(count, this.#target.patienceMs ?? 10_000)) ?? []
    this.#record({ request: `${count} events of ${watch}`, status: 200, headers: {}, body: events, keep: [] })
  }

  async #end({ watch }: EndStep): Promise<void> {
    const rest = (await this.#watches.get(watch)?.rest(this.#target.patienceMs ?? 10_000)) ?? []
    this.#record({ request: `end of ${watch}`, status: 200, headers: {}, body: rest, keep: [] })
  }

  /** Headers may refer to what earlier answers held: a token. */
  #filled(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.#references.fill(value)]))
  }

  #send(method: string, path: string, user: UserName, headers: Readonly<Record<string, string>>, body?: string) {
    const { url } = this.#target
    return httpRequest({
      url: url + path,
      method,
      headers: headersOf(user, headers),
      agent: this.#agent,
      ...(body === undefined ? {} : { body }),
    })
  }

  #record(exchange: Exchange): void {
    this.exchanges.push(exchange)
  }
}

function headersOf(user: UserName, headers: Readonly<Record<string, string>>): Record<string, string> {
  const token = tokens[user]
  return { 'user-agent': 'conformance/1.0', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers }
}

/** The request in one line, with what is unusual about it. References stay as they are, so that it is the same in every run. */
function describe(step: RequestStep | WatchStep): string {
  const { accept, 'content-type': contentType, ...others } = step.headers
  const notes = [
    ...(step.user === 'admin' ? [] : [`as ${step.user}`]),
    ...(contentType === undefined || contentType === 'application/json' ? [] : [`of ${contentType}`]),
    ...(accept === 'application/json' ? [] : [`accepting ${accept}`]),
    ...Object.entries(others).map(([name, value]) => `with ${name}: ${value}`),
  ]
  const method = step.kind === 'watch' ? `${step.watch} = WATCH` : step.method
  return [method, step.path, ...notes].join(' ')
}

function contentOf(contentType: string | undefined, text: string): Json {
  if (contentType === 'application/yaml') return load(text) as Json
  if (!contentType?.startsWith('application/json') && !contentType?.endsWith('+json')) return text
  try {
    return JSON.parse(text) as Json
  } catch {
    // What is not JSON though it says so is worth seeing as it is.
    return text
  }
}

function holds(condition: Condition, { status, body }: Exchange): boolean {
  if ('status' in condition) return status === condition.status
  const value = valueAt(body, condition.at)
  if ('exists' in condition) return (value !== undefined) === condition.exists
  if ('length' in condition) return Array.isArray(value) && value.length === condition.length
  return JSON.stringify(value) === JSON.stringify(condition.equals)
}
